import { expect, test } from "vitest"
import { type FileOutcome, partsOf, readOutcomesFile } from "./outcomes-file"

const HEADER = "request_id,question,type,predicted,score,within_one,outcome,at"
const read = (...lines: string[]) => readOutcomesFile(new Blob([lines.join("\n")]))

test("lines of every type become outcomes, with the numbers of their lines", async () => {
  expect(
    await read(
      HEADER,
      "req_1, late ,noul,0.91,,,TRUE,",
      "req_2,team,choice,0,,,false,2026-11-28T09:30:00Z",
      "",
      "req_3,stars,score,,2.4,0.8,0,",
    ),
  ).toEqual([
    { line: 2, outcome: { request_id: "req_1", question: "late", type: "noul", predicted: 0.91, outcome: true } },
    {
      line: 3,
      outcome: {
        ...{ request_id: "req_2", question: "team", type: "choice", predicted: 0, outcome: false },
        at: "2026-11-28T09:30:00Z",
      },
    },
    {
      line: 5,
      outcome: {
        ...{ request_id: "req_3", question: "stars", type: "score", outcome: 0 },
        predicted: { score: 2.4, within_one: 0.8 },
      },
    },
  ])
})

test("a file needs no columns of types that it does not have", async () => {
  const outcomes = await read("request_id;question;type;predicted;outcome", "req_1;late;noul;0.5;true")
  expect(outcomes).toHaveLength(1)
})

test.each([
  ["req_1,late,noul,1.2,,,true,", "“predicted” must be a number from 0 to 1."],
  ["req_1,late,noul,,,,true,", "“predicted” must be a number from 0 to 1."],
  ["req_1,late,noul,0.5,,,1,", "“outcome” must be true or false, or for a score the index of the right level."],
  ["req_1,late,yes,0.5,,,true,", "“type” must be noul, choice or score."],
  [",late,noul,0.5,,,true,", "“request_id” must be the id of a request, such as req_…."],
  ["req_1,stars,score,,2,0.8,1.5,", "“outcome” must be true or false, or for a score the index of the right level."],
  ["req_1,stars,score,,2,,1,", "“within_one” must be a number from 0 to 1."],
  ["req_1,late,noul,0.5,,,true,today", "“at” must be a time such as 2026-11-28T09:30:00Z, or empty."],
  ["req_1,late,noul,0.5,,true", "It has 6 cells, and the header has 8."],
])("the refusal of %s names the line", async (line, message) => {
  await expect(read(HEADER, "req_0,late,noul,0.5,,,true,", line)).rejects.toThrow(`Line 3: ${message}`)
})

test("a column with something else is refused, and so is a missing one", async () => {
  await expect(read("request_id,text", "req_1,hello")).rejects.toThrow("Remove the column “text”.")
  await expect(read("request_id,question,type,predicted", "r,q,noul,1")).rejects.toThrow("no column “outcome”")
})

test("a file with too many lines is refused without advice about sets", async () => {
  const lines = Array.from({ length: 20_001 }, () => "req_1,late,noul,0.5,,,true,")
  await expect(read(HEADER, ...lines)).rejects.toThrow("The file has more than 20,000 lines or 50 MiB. Split it")
})

test("parts keep the order, and none is larger than a call of the console may be", () => {
  const outcomes = Array.from({ length: 700 }, (_, at): FileOutcome => {
    const question = at % 2 === 0 ? "q" : "🦉".repeat(128)
    return { line: at + 2, outcome: { request_id: "req_1", question, type: "noul", predicted: 0.5, outcome: true } }
  })
  const parts = partsOf(outcomes)
  expect(parts.flat()).toEqual(outcomes)
  const sizes = parts.map((part) => Buffer.byteLength(JSON.stringify(part.map(({ outcome }) => outcome))))
  expect(Math.max(...sizes)).toBeLessThanOrEqual(40_001)
  expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThan(39_000)
})
