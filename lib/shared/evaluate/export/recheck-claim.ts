import type { Acceptance, TestClaim } from "@/lib/shared/export-code/export-test"
import { checkBand } from "@/lib/shared/statistics/band"
import { allowedErrors } from "@/lib/shared/statistics/binomial"
import { type CoveragePoint, checkThreshold, coverageCurve } from "@/lib/shared/statistics/coverage"
import { sideCurves, symmetricCurve } from "@/lib/shared/statistics/sides"
import { walkCurve } from "@/lib/shared/statistics/walk"
import { QUESTION_TYPES, type QuestionTypeName } from "@/questions/question-types"
import { halfOf, type SplitAnswers } from "../figures/answered-rows"
import { curveOf, withinCurveOf } from "../figures/automate-threshold"
import { yesOf } from "../figures/automate-yes-no"
import { topConfidences } from "../figures/confidences"
import type { Answered } from "../figures/evaluation-figures"

/** The rule that was accepted: a band, or a threshold per option. */
type AcceptedRule = Pick<Acceptance, "band" | "options">

interface RecheckedClaim {
  automatic: number
  wrong: number
  /** Whether these rows still prove it. */
  isShown: boolean
}

/** Counts the automatic answers that a claim is about. */
function countClaim(type: QuestionTypeName, answered: Answered, { band, options }: AcceptedRule, claim: TestClaim) {
  const { scale } = QUESTION_TYPES[type]
  if (options) {
    const from = options.find(([name]) => name === claim.option)?.[1] ?? null
    return checkThreshold(curveFor(type, answered, claim), from)
  }
  if (!band) return { automatic: 0, wrong: 0 }
  if (scale !== "binary") return checkThreshold(curveFor(type, answered, claim), band.high)
  const { automatic, wrong, yes, falseYes, no, falseNo } = checkBand(yesOf(answered), band)
  if (claim.subject === "yes") return { automatic: yes, wrong: falseYes }
  return claim.subject === "no" ? { automatic: no, wrong: falseNo } : { automatic, wrong }
}

/** Returns the curve whose walk proves a claim. */
function curveFor(type: QuestionTypeName, answered: Answered, { subject, option }: TestClaim): CoveragePoint[] {
  const { scale } = QUESTION_TYPES[type]
  if (option !== undefined) return optionCurve(answered, answered.names.indexOf(option))
  if (scale === "nominal") return curveOf(answered)
  if (scale === "ordinal") return withinCurveOf(answered)
  const yes = yesOf(answered)
  return subject === "yes" || subject === "no" ? sideCurves(yes)[subject] : symmetricCurve(yes)
}

/** Returns the curve of the rows that the model answers with one option. */
function optionCurve(answered: Answered, option: number): CoveragePoint[] {
  const { answers, confidences, isRight } = topConfidences(answered)
  const isOf = (_: number, row: number) => answers[row] === option
  return coverageCurve(confidences.filter(isOf), isRight.filter(isOf))
}

/** Proves a claim again from all rows, or from the half that checked the rule. The exported test does the same with `verify`. */
export function recheckClaim(
  type: QuestionTypeName,
  answered: SplitAnswers,
  rule: AcceptedRule,
  claim: TestClaim,
): RecheckedClaim {
  const { target, level, starts } = claim
  if (claim.method === "split") {
    const { automatic, wrong } = countClaim(type, halfOf(answered, "check"), rule, claim)
    return { automatic, wrong, isShown: wrong <= (allowedErrors(automatic, target, level)[automatic] ?? -1) }
  }
  const { automatic, wrong } = countClaim(type, answered, rule, claim)
  const curve = curveFor(type, answered, claim)
  const walked = walkCurve(curve, target, { risk: level * starts, fromHalf: starts === 2 })
  const certified = "at" in walked ? (curve[walked.at]?.decided ?? 0) : 0
  return { automatic, wrong, isShown: automatic > 0 && automatic <= certified }
}
