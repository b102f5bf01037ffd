import { expect, test } from "vitest"
import { blocksOf, breakable, hasLongRun, isSlowToEdit } from "./long-runs"

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

test("ten million characters without a blank are cut in time that grows with their length", () => {
  const text = "x".repeat(10_000_000)
  const startedAt = performance.now()
  expect(blocksOf(text)).toHaveLength(2_000)
  expect(performance.now() - startedAt).toBeLessThan(1_000)
})

test("a text of up to 5,000 characters is one block", () => {
  expect(blocksOf("")).toEqual([""])
  expect(blocksOf("x".repeat(5_000))).toEqual(["x".repeat(5_000)])
})

test("a block ends after a line if one ends near, else after a word, else anywhere", () => {
  const line = `${"x".repeat(4_600)}\n`
  expect(blocksOf(`${line}a ${"y".repeat(900)}`)).toEqual([line, `a ${"y".repeat(900)}`])
  const word = `${"x".repeat(4_600)} `
  expect(blocksOf(`${word}${"y".repeat(900)}`)).toEqual([word, "y".repeat(900)])
  expect(blocksOf("x".repeat(10_001))).toEqual(["x".repeat(5_000), "x".repeat(5_000), "x"])
})

test("the blocks of any text are the text again, and none ends within a character", () => {
  for (const unit of ["x", "x ", "x\n", "😀", `😀${"x".repeat(400)}\n`, "\u2067a\u2069"]) {
    const text = `a${unit.repeat(Math.ceil(20_000 / unit.length))}`
    const blocks = blocksOf(text)
    expect(blocks.join("")).toBe(text)
    expect(blocks.every((block) => block.isWellFormed() && block.length <= 5_000)).toBe(true)
  }
})

test("texts with thousands of changes of direction, or hundreds of marks on one letter, are slow to edit", () => {
  for (const unit of ["a\u05d0", "1\u0628", "\u2067a\u2069", "\u202e", "a\u{1E900}", "hello \u05e9\u05dc\u05d5\u05dd "])
    expect(isSlowToEdit(unit.repeat(4_001))).toBe(true)
  for (const mark of ["\u0301", "\u064b", "\u20dd"]) expect(isSlowToEdit(`a${mark.repeat(501)}`)).toBe(true)
})

test("a long text of ordinary words in any one language is not slow to edit", () => {
  for (const unit of [
    "word ",
    "\u05e9\u05dc\u05d5\u05dd, ",
    "\u0645\u0631\u062d\u0628\u0627. ",
    "\u6f22",
    "a\u0301",
    "x",
    "\n",
    "\u0939\u093f ",
  ])
    expect(isSlowToEdit(unit.repeat(100_000))).toBe(false)
  expect(isSlowToEdit("a\u05d0".repeat(1_999))).toBe(false)
})
