import type { NoulQuestion } from "@/questions/noul/noul"
import { DETECTORS } from "./detectors"
import type { Document } from "./document"
import { joinFeatures, readFeatures } from "./features"
import { flatten } from "./flatten"
import { similarity } from "./similarity"

const OR_NOT = /\b(?:whether or not|or not|if not)\b/gi

const EVIDENCE_SLOPE = 4.2
const EVIDENCE_MIDDLE = 0.42
/** Keyword rules are never surer than this. */
const MOST = 0.95

/** The probability of yes: from the detectors the question asks for, else from how much of it the state speaks of. */
export function scoreNoul(question: NoulQuestion, document: Document): number {
  const asked = readFeatures(question.instructions ? flatten(question.instructions).replace(OR_NOT, " ") : "")
  const yes = question.criteria?.yes ? readFeatures(flatten(question.criteria.yes)) : null
  const no = question.criteria?.no ? readFeatures(flatten(question.criteria.no)) : null
  const isNegated = asked.hasNegator

  // A negated question is read as its plain form and turned at the end.
  for (const [feature, count] of asked.negated) asked.present.set(feature, count)
  const claim = joinFeatures(asked, yes)
  const support = similarity(claim, document.features, -1) - (no ? similarity(no, document.features, -1) : 0)

  const detectors = DETECTORS.filter((detector) => detector.asked.test(claim.text))
  const found = detectors.map((detector) =>
    detector.kind === "sentiment"
      ? 4.5 * (document.find(detector) - 0.55) - 0.3
      : EVIDENCE_SLOPE * (document.find(detector) - EVIDENCE_MIDDLE),
  )
  const logit = found.length ? Math.max(...found) + 0.4 * support : 3.4 * support - 1.2
  const p = 1 / (1 + Math.exp(isNegated ? -logit : logit))
  return Math.min(MOST, Math.max(1 - MOST, 1 - p))
}
