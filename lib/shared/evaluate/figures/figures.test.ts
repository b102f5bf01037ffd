import { describe, expect, test } from "vitest"
import { bootstrap } from "@/lib/shared/statistics/bootstrap"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json"
import sharp from "@/lib/shared/statistics/fixture/ref-noul-sharp.json"
import ties from "@/lib/shared/statistics/fixture/ref-noul-ties.json"
import score from "@/lib/shared/statistics/fixture/ref-score-5.json"
import { evenWeights } from "@/lib/shared/statistics/forecasts"
import { QUESTION_TYPES, type QuestionTypeName } from "@/questions/question-types"
import { judgedNouls, judgedRowsOf } from "@/test/judged-rows"
import { type AnsweredRows, correctRows, splitRows } from "./answered-rows"
import { binaryFigures } from "./binary-figures"
import { calibratedOf, endsText } from "./calibration-verdict"
import type { Answered, Intervals } from "./evaluation-figures"
import { figuresOf } from "./figures-of"
import type { JudgedRow } from "./judged-rows"

const NAMES = ["no", "yes"]
const ECE =
  "The mean distance of probabilities from how often yes is true, over ten groups of rows. Whether chance explains it is tested below."

function linesOf(type: QuestionTypeName, answered: Answered, intervals: Intervals = {}) {
  const figures = figuresOf(QUESTION_TYPES[type].scale)
  const data = figures.read(answered)
  const even = evenWeights(figures.rows(data))
  const values = Object.fromEntries(
    Object.entries(figures.statistics(data)).map(([name, statistic]) => [name, statistic(even)]),
  )
  return figures
    .lines(data, values, intervals)
    .map(({ name, value, baseline, meaning }) => [name, value, baseline, meaning])
}

const answeredOf = (names: string[], rows: JudgedRow[]) => correctRows(names, rows, splitRows(rows), new Map())

describe("figures", () => {
  const good = judgedNouls([
    [1, 0.9],
    [1, 0.8],
    [0, 0.1],
    [0, 0.4],
  ])

  test("of a good yes/no question are better than the base rate", () => {
    expect(linesOf("noul", answeredOf(NAMES, good))).toEqual([
      [
        "Brier score",
        "0.055",
        "0.250: always answering 50.0%",
        "The mean squared error of the probabilities is 78.0% lower than without a model. 0 is perfect.",
      ],
      [
        "Log loss",
        "0.236",
        "0.693: always answering 50.0%",
        "Lower than without a model. It rises steeply with confident mistakes. 0 is perfect.",
      ],
      ["Calibration error (ECE)", "20.0%", "–", ECE],
      [
        "ROC AUC",
        "1.000",
        "0.500: random order",
        "A row labelled yes gets a higher probability than one labelled no in 100.0% of pairs.",
      ],
      [
        "Accuracy at 0.5",
        "100.0%",
        "50.0%: always “no”",
        "100.0% of the rows are right when a probability from 0.5 up means yes.",
      ],
    ])
  })

  test("say that a model is no better when the interval of its lead includes 0", () => {
    const intervals = { brierGain: { low: -0.01, high: 0.3 }, calibrated: { low: 0.15, high: 0.3 } }
    const lines = linesOf("noul", answeredOf(NAMES, good), intervals)
    expect(lines[0]?.[3]).toBe("No better than always answering 50.0%.")
    expect(lines[2]?.slice(2)).toEqual(["15.0%: what a perfectly calibrated model shows by chance", ECE])
  })

  test("that need several labels say so when there is one", () => {
    const rows = judgedNouls([
      [1, 0.9],
      [1, 0.8],
    ])
    expect(linesOf("noul", answeredOf(NAMES, rows))[3]?.[3]).toBe("It needs rows of both labels.")
    expect(linesOf("score", answeredOf(["low", "high"], judgedRowsOf([[0, 1, 0]])))[2]?.slice(1)).toEqual([
      "–",
      "0.000: chance",
      "It needs more than one level among labels and scores.",
    ])
  })

  test("of a choice compare with the most frequent label", () => {
    const rows = judgedRowsOf([
      [0, 0.8, 0.1, 0.1],
      [0, 0.1, 0.8, 0.1],
      [0, 0.7, 0.2, 0.1],
      [1, 0.1, 0.8, 0.1],
    ])
    expect(linesOf("choice", answeredOf(["a", "b", "c"], rows))).toEqual([
      ["Accuracy", "75.0%", "75.0%: always answering “a”", "No better than always answering “a”."],
      [
        "Macro-F1",
        "0.733",
        "0.429: always answering “a”",
        "F1 combines how many predictions of an option are right and how many of its rows are found. This is the mean over all options. A rare option counts as much as a frequent one. 1 is perfect.",
      ],
    ])
  })

  test("of a score compare with the median level and with chance", () => {
    const rows = judgedRowsOf([
      [0, 1, 0, 0],
      [1, 0, 1, 0],
      [2, 0, 0.5, 0.5],
      [2, 0, 0, 1],
    ])
    const answered = answeredOf(["low", "middle", "high"], rows)
    expect(linesOf("score", answered).map((line) => line.slice(0, 3))).toEqual([
      ["Mean absolute error", "0.125", "0.750: always answering level 1"],
      ["Within one level", "100.0%", "100.0%: always answering level 1"],
      ["Quadratic kappa", "1.000", "0.000: chance"],
      ["Bias", "−0.125", "0.000: no bias"],
      ["Ranked probability score", "0.031", "0.219: always answering the shares of the labels"],
    ])
    expect(linesOf("score", answered)[4]?.[3]).toBe(
      "The mean squared error of the probabilities to be at most on each level is 85.7% lower than without a model. 0 is perfect.",
    )
    expect(linesOf("score", answered)[3]?.[3]).toBe("Scores are 0.125 levels too low on average.")
    expect(linesOf("score", answered, { bias: { low: -0.4, high: 0 } })[3]?.[3]).toBe(
      "Scores are not clearly too high or too low.",
    )
  })
})

test("figures whose samples are all equal or lie on one side have no interval, and no model is called worse for that", () => {
  const intervalsOf = (rows: [label: number, yes: number][]) => {
    const data = binaryFigures.read(answeredOf(NAMES, judgedNouls(rows)))
    return bootstrap(rows.length, binaryFigures.statistics(data), { seed: 1, replicates: 500 })
  }
  // The calibration error is 0, and almost every sample has a higher one.
  const even = Array.from({ length: 100 }, (_, row): [number, number] => [row % 2, 0.5])
  expect(intervalsOf(even).calibrationError).toBeNull()
  const separated = Array.from({ length: 6 }, (_, row): [number, number] => [row % 2, row % 2 ? 0.9 : 0.2])
  const { rocAuc, rocAucGain } = intervalsOf(separated)
  expect([rocAuc, rocAucGain]).toEqual([null, null])
  const auc = linesOf("noul", answeredOf(NAMES, judgedNouls(separated)), { rocAuc, rocAucGain })[3]
  expect(auc?.[3]).toBe("A row labelled yes gets a higher probability than one labelled no in 100.0% of pairs.")
})

test("a bias of 0 has no direction, also before its interval is known", () => {
  const rows = judgedRowsOf([
    [0, 0.5, 0.5],
    [1, 0.5, 0.5],
  ])
  expect(linesOf("score", answeredOf(["low", "high"], rows))[3]?.slice(1)).toEqual([
    "0.000",
    "0.000: no bias",
    "Scores are not clearly too high or too low.",
  ])
})

describe("the figures of the reference sets", () => {
  const answeredBy = (names: string[], labels: number[], probabilities: number[][]): AnsweredRows =>
    correctRows(
      names,
      judgedRowsOf(labels.map((label, row) => [label, ...(probabilities[row] ?? [])])),
      new Uint8Array(labels.length),
      new Map(),
    )
  const yesNo = ({ y, p }: { y: number[]; p: number[] }) =>
    answeredBy(
      NAMES,
      y,
      p.map((yes) => [1 - yes, yes]),
    )
  const shown = (type: QuestionTypeName, answered: AnsweredRows) =>
    linesOf(type, answered).map(([name, value, baseline]) => [name, value, baseline])

  test("are those of the references, to the digits that the page shows", () => {
    expect(shown("noul", yesNo(sharp))).toEqual([
      ["Brier score", "0.041", "0.250: always answering 50.5%"],
      ["Log loss", "0.138", "0.693: always answering 50.5%"],
      ["Calibration error (ECE)", "3.4%", "–"],
      ["ROC AUC", "0.990", "0.500: random order"],
      ["Accuracy at 0.5", "95.0%", "50.5%: always “yes”"],
    ])
    expect(shown("noul", yesNo(ties))).toEqual([
      ["Brier score", "0.099", "0.247: always answering 55.5%"],
      ["Log loss", "1.102", "0.687: always answering 55.5%"],
      ["Calibration error (ECE)", "6.0%", "–"],
      ["ROC AUC", "0.930", "0.500: random order"],
      ["Accuracy at 0.5", "87.0%", "55.5%: always “yes”"],
    ])
    const ofChoice = shown("choice", answeredBy(choice.options, choice.y, choice.P))
    expect(ofChoice.map(([name, value]) => [name, value])).toEqual([
      ["Accuracy", "89.0%"],
      ["Macro-F1", "0.891"],
    ])
    const ofScore = shown("score", answeredBy(["0", "1", "2", "3", "4"], score.y, score.P))
    expect(ofScore.map(([name, value]) => [name, value])).toEqual([
      ["Mean absolute error", "0.527"],
      ["Within one level", "96.4%"],
      ["Quadratic kappa", "0.782"],
      ["Bias", "0.008"],
      ["Ranked probability score", "0.087"],
    ])
    expect(ofScore[4]?.[2]).toBe("0.152: always answering the shares of the labels")
    expect(ofScore[1]?.[2]).toBe("82.8%: always answering level 2")
  })

  test("name the rows at exactly 0 and 1", () => {
    const endsOf = (set: { y: number[]; p: number[] }) => endsText(calibratedOf("binary", yesNo(set)))
    expect(endsOf(sharp)).toContain("Exactly 0: 12 rows, 0 of them wrong. Exactly 1: 20 rows, 0 wrong.")
    expect(endsOf(ties)).toContain("Exactly 0: 90 rows, 2 of them wrong. Exactly 1: 128 rows, 8 wrong.")
  })
})
