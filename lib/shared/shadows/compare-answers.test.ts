import { expect, test } from "vitest"
import { ServiceError } from "@/lib/shared/errors"
import { compareAnswers } from "./compare-answers"

test("a yes/no answer changes with its side of 0.5", () => {
  const compare = (first: number, second: number) =>
    compareAnswers({ type: "noul", yes: first }, { type: "noul", yes: second })
  expect(compare(0.75, 0.5)).toEqual({ type: "noul", options: 2, isChanged: false, distance: 0.25 })
  expect(compare(0.5, 0.25)).toEqual({ type: "noul", options: 2, isChanged: true, distance: 0.25 })
  expect(compare(0, 1)).toMatchObject({ isChanged: true, distance: 1 })
})

test("a choice changes with its most likely option, whatever the sums of the probabilities", () => {
  const compare = (first: number[], second: number[]) =>
    compareAnswers({ type: "choice", probabilities: first }, { type: "choice", probabilities: second })
  expect(compare([0.5, 0.25, 0.25], [2, 1, 1])).toEqual({ type: "choice", options: 3, isChanged: false, distance: 0 })
  expect(compare([0.5, 0.25, 0.25], [0.25, 0.5, 0.25])).toEqual({
    type: "choice",
    options: 3,
    isChanged: true,
    distance: 0.25,
  })
})

test("a score changes with its most likely level", () => {
  const levels = (probabilities: number[]) => ({ type: "score", probabilities }) as const
  expect(compareAnswers(levels([0.75, 0.25]), levels([0.25, 0.75]))).toEqual({
    type: "score",
    options: 2,
    isChanged: true,
    distance: 0.5,
  })
})

test("probabilities without a sum are no answer", () => {
  const answers = (probabilities: number[]) => ({ type: "choice", probabilities }) as const
  expect(() => compareAnswers(answers([1, 0]), answers([0, 0]))).toThrow(ServiceError)
})
