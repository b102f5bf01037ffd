import { afterEach, expect, test, vi } from "vitest"
import { leaveStored, readStored, takeLeft, takeStored, writeStored } from "./browser-storage"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function stubStorage(entries: Record<string, string> = {}) {
  const items = new Map(Object.entries(entries))
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  })
  return items
}

test("a stored value is read again, and taken once", () => {
  const items = stubStorage()
  expect(writeStored("key", { a: [1] })).toBe(true)
  expect(items.get("key")).toBe('{"a":[1]}')
  expect(readStored("key")).toEqual({ a: [1] })
  expect(takeStored("key")).toEqual({ a: [1] })
  expect(takeStored("key")).toBeNull()
})

test("what is left for another page is taken once, within an hour", () => {
  stubStorage()
  vi.useFakeTimers({ now: 0 })
  expect(takeLeft("key")).toBeNull()
  leaveStored("key", { a: 1 })
  vi.setSystemTime(3_599_999)
  expect(takeLeft("key")).toEqual({ a: 1 })
  expect(takeLeft("key")).toBeNull()
  leaveStored("key", { a: 1 })
  vi.setSystemTime(7_199_999)
  expect(takeLeft("key")).toBeNull()
})

test("a value without a time was not left for another page", () => {
  stubStorage({ key: '{"a":1}', other: '"text"' })
  expect([takeLeft("key"), takeLeft("other")]).toEqual([null, null])
})

test("a value that is not JSON reads as null", () => {
  stubStorage({ key: "not JSON" })
  expect(readStored("key")).toBeNull()
})

test("blocked storage reads as null and reports that nothing was stored", () => {
  vi.stubGlobal("localStorage", {
    getItem: () => {
      throw new Error("blocked")
    },
    setItem: () => {
      throw new Error("full")
    },
    removeItem: () => {
      throw new Error("blocked")
    },
  })
  expect(readStored("key")).toBeNull()
  expect(writeStored("key", 1)).toBe(false)
  expect(takeStored("key")).toBeNull()
})
