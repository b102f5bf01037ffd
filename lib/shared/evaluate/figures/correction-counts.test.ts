import { expect, test } from "vitest"
import { judgedNouls } from "@/test/judged-rows"
import { correctionsText, countCorrections } from "./correction-counts"

// Labels and probabilities of yes. The answers to rows 0 and 1 are wrong, those to rows 2 and 3 are right.
const ROWS = judgedNouls([
  [0, 0.9],
  [1, 0.2],
  [1, 0.8],
  [0, 0.1],
])

test.each<[string, [row: number, label: number | null][], string | null]>([
  ["nothing", [], null],
  ["the label of the file again", [[0, 0]], null],
  ["one wrong answer becomes right", [[0, 1]], "1 label corrected, towards the model"],
  [
    "wrong answers become right or are left out",
    [
      [0, 1],
      [1, null],
    ],
    "1 label corrected and 1 row left out, all towards the model",
  ],
  [
    "right answers become wrong or are left out",
    [
      [2, 0],
      [3, null],
    ],
    "1 label corrected and 1 row left out, none towards the model",
  ],
  [
    "both",
    [
      [0, 1],
      [1, 0],
      [2, 0],
    ],
    "3 labels corrected, 2 towards the model",
  ],
])("corrections say which way they went: %s", (_, corrected, text) => {
  expect(correctionsText(countCorrections("noul", ROWS, new Map(corrected)))).toBe(text)
})
