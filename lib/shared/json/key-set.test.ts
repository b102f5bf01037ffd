import { describe, expect, it } from "vitest"
import { KeySet } from "./key-set"

/** Adds the names of consecutive JSON strings, then closes their object. */
function repeatedOf(names: string[], secret?: Int32Array): number {
  const body = new TextEncoder().encode(names.join(" "))
  const keys = new KeySet(body, secret)
  for (const match of new TextDecoder("latin1").decode(body).matchAll(/"(?:[^"\\]|\\.)*"/gs)) keys.add(match.index + 1)
  keys.close(0, 1)
  return keys.repeatedAt
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `"${String(i).padStart(4, "0")}"`)

/** Gives every name the same hash. */
const blind = new Int32Array(256)

describe("KeySet", () => {
  it.each([2, 12, 13, 200])("does not confuse %i names with equal hashes", (count) => {
    expect(repeatedOf(names(count), blind)).toBe(-1)
    expect(repeatedOf([...names(count), '"0001"'], blind)).toBe(count * 7 + 1)
    expect(repeatedOf([...names(count), '"\\u0030001"'], blind)).toBe(count * 7 + 1)
  })

  it("compares names of different lengths and spellings in full", () => {
    expect(repeatedOf(['"a"', '"ab"', '"a\\u0062c"', '"abcd"', '""'], blind)).toBe(-1)
    expect(repeatedOf(['"é"', '"\\u00e9x"', '"\\u00e8"', '"\\ud83d\\ude00"', '"\\ud83d\\ude01"'], blind)).toBe(-1)
    expect(repeatedOf(['"\\ud83d\\ude00"', '"😀"'], blind)).toBe(16)
  })

  it("hashes with a random secret", () => {
    expect(repeatedOf(names(500))).toBe(-1)
    expect(repeatedOf([...names(500), '"0400"'])).toBe(3501)
  })
})
