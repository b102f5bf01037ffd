import { expect, test } from "vitest"
import { newRun, newSet } from "@/test/scripted-run"
import type { DataRow } from "./evaluation-set"
import { sliceReader } from "./slice-reader"

const rowsOf = (cells: string[]): DataRow[] => cells.map((cell, index) => ({ index, line: index + 2, cells: [cell] }))

test("spellings of a value are one slice, and missing values are none", () => {
  const set = newSet(newRun(), { columns: ["channel"] })
  const texts = ["Café", "cafe\u0301 ", "CAFÉ", "phone", "", "n/a", "NULL"]
  expect(rowsOf(texts).map(sliceReader(set, "channel"))).toEqual(["Café", "Café", "Café", "phone", null, null, null])
  expect(rowsOf(texts).map(sliceReader(set, "other"))).toEqual(new Array(7).fill(null))
})

test("a value of a JSON file is read as text", () => {
  const set = newSet(newRun(), { columns: ["channel"], source: { format: "jsonl", name: "rows.jsonl" } })
  const cells = ['"phone"', "7", "true", "null", ""]
  expect(rowsOf(cells).map(sliceReader(set, "channel"))).toEqual(["phone", "7", "true", null, null])
})

test("a text longer than 200 characters is no value, however a JSON file escapes it", () => {
  const set = newSet(newRun(), { columns: ["channel"], source: { format: "jsonl", name: "rows.jsonl" } })
  const escaped = (length: number) => `"${"\\u00e9".repeat(length)}"`
  expect(rowsOf([escaped(200), escaped(201)]).map(sliceReader(set, "channel"))).toEqual(["é".repeat(200), null])
})
