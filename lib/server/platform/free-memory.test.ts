import { expect, test } from "vitest"
import { freeMemory } from "./free-memory"

const taken = (): number => process.memoryUsage().arrayBuffers

test("memory is freed at once, and a view of it is empty", () => {
  const bytes = new Uint8Array(64 * 1024 * 1024)
  const before = taken()
  freeMemory(bytes)
  expect(before - taken()).toBeGreaterThan(60 * 1024 * 1024)
  expect(bytes.length).toBe(0)
})

test("bytes that share their buffer with others are kept", () => {
  const part = new Uint8Array(100_000).subarray(1)
  freeMemory(part)
  expect(part.length).toBe(99_999)
  const shared = new Uint8Array(new SharedArrayBuffer(100_000))
  freeMemory(shared)
  expect(shared.length).toBe(100_000)
})

test("freeing memory twice has no effect", () => {
  const bytes = new Uint8Array(100_000)
  freeMemory(bytes)
  freeMemory(bytes)
  expect(bytes.length).toBe(0)
})
