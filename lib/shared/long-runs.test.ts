import { expect, test } from "vitest"
import { breakable, hasLongRun } from "./long-runs"

test("a run of more than 500 characters is cut into parts of 200, and nothing is lost", () => {
  const run = "x".repeat(501)
  const parts = ["x".repeat(200), "x".repeat(200), "x".repeat(101)]
  expect(breakable(`a ${run} b\n${run}`)).toEqual(["a ", ...parts, " b\n", ...parts])
  const words = `${"x".repeat(500)} ${"y".repeat(500)}`
  expect(breakable(words)).toEqual([words])
})

test("no character is cut in half", () => {
  const parts = breakable("😀".repeat(300))
  expect(parts.map((part) => [...part].length)).toEqual([200, 100])
  expect(parts.every((part) => part.isWellFormed())).toBe(true)
})

test("a run goes on across characters at which browsers break no line", () => {
  for (const blank of ["\u00a0", "\u202f", "\u2060", "\r", "-", "😀"])
    expect(hasLongRun(`x${blank}`.repeat(300))).toBe(true)
  for (const blank of [" ", "\t", "\n"]) expect(hasLongRun(`${"x".repeat(400)}${blank}`.repeat(10))).toBe(false)
})

test("a million characters are read in time that grows with their length", () => {
  const text = `${"x".repeat(499)} `.repeat(2_000)
  const startedAt = performance.now()
  expect(breakable(text)).toEqual([text])
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})
