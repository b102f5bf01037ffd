import { describe, expect, test } from "vitest"
import type { QuestionTypeName } from "@/questions/question-types"
import { QUESTION_TYPES } from "@/questions/question-types"
import { judgedNouls, judgedRowsOf } from "@/test/judged-rows"
import { correctRows, halfOf, splitRows, weaknesses, wrongRows } from "./answered-rows"
import { figuresOf } from "./figures-of"
import type { JudgedRow } from "./judged-rows"

const NAMES = ["no", "yes"]
const answeredOf = (names: string[], rows: JudgedRow[]) => correctRows(names, rows, splitRows(rows), new Map())

const LEVELS = ["low", "middle", "high"]
const HALVES = [0.45, 0.1, 0.45] as const
const JUDGED: [type: QuestionTypeName, names: string[], rows: JudgedRow[], wrong: [row: number, answer: number][]][] = [
  // A probability of 0.5 is a yes.
  [
    "noul",
    NAMES,
    judgedNouls([
      [1, 0.5],
      [0, 0.5],
      [0, 0.49],
    ]),
    [[1, 1]],
  ],
  [
    "choice",
    LEVELS,
    judgedRowsOf([
      [0, ...HALVES],
      [1, ...HALVES],
    ]),
    [[1, 0]],
  ],
  // The score is 1, although levels 0 and 2 are more likely.
  [
    "score",
    LEVELS,
    judgedRowsOf([
      [0, ...HALVES],
      [1, ...HALVES],
    ]),
    [[0, 1]],
  ],
]

test.each(JUDGED)("the wrong rows of a %s are those that its figures count as wrong", (type, names, rows, wrong) => {
  const answered = answeredOf(names, rows)
  expect(wrongRows(type, answered).map(({ row, answer }) => [row.row, answer])).toEqual(wrong)
  const figures = figuresOf(QUESTION_TYPES[type].scale)
  const right = [...figures.right(figures.read(answered))]
  expect(right.flatMap((isRight, row) => (isRight ? [] : [row]))).toEqual(wrong.map(([row]) => row))
})

describe("corrections", () => {
  const rows = judgedNouls([
    [1, 0.02],
    [1, 0.9],
    [0, 0.1],
    [0, 0.7],
  ])

  test("wrong rows are listed by the loss of their label", () => {
    const wrong = wrongRows("noul", answeredOf(NAMES, rows))
    expect(wrong.map(({ row, answer, confidence }) => [row.row, answer, confidence])).toEqual([
      [0, 0, 0.98],
      [3, 1, 0.7],
    ])
  })

  test("a corrected label changes the figures, and moves no row to the other half", () => {
    const split = splitRows(rows)
    const before = correctRows(NAMES, rows, split, new Map())
    const corrected = new Map([
      [0, 0],
      [2, null],
    ])
    const after = correctRows(NAMES, rows, split, corrected)
    expect([...before.labels]).toEqual([1, 1, 0, 0])
    expect([...after.labels]).toEqual([0, 1, 0])
    expect(after.rows.map(({ row, isCorrected }) => [row, isCorrected])).toEqual([
      [0, true],
      [1, false],
      [3, false],
    ])
    expect([...after.isCheck]).toEqual([before.isCheck[0], before.isCheck[1], before.isCheck[3]])
    expect(halfOf(after, "choose").labels.length + halfOf(after, "check").labels.length).toBe(3)
  })

  test("too few rows, and too few of a label, are named", () => {
    expect(weaknesses(answeredOf(NAMES, rows))).toEqual([
      "There are 4 labelled answers. 100 are needed.",
      "Each label needs 20 rows: “no” has 2, “yes” has 2.",
    ])
    expect(weaknesses(answeredOf(NAMES, rows.slice(0, 1)))[0]).toBe("There is 1 labelled answer. 100 are needed.")
    const many = judgedNouls(Array.from({ length: 100 }, (_, row) => [row < 20 ? 1 : 0, 0.5]))
    expect(weaknesses(answeredOf(NAMES, many))).toEqual([])
  })
})
