import type { JsonText } from "@/lib/shared/json/text"
import { DETECTORS, type Document } from "./detectors"
import { flatten, joinFeatures, readFeatures } from "./features"
import { similarity } from "./similarity"

const OR_NOT = /\b(?:whether or not|or not|if not)\b/gi

const EVIDENCE_SLOPE = 4.2
const EVIDENCE_MIDDLE = 0.42
/** The largest probability that is returned, because keyword rules are never certain. */
const MAX = 0.95

interface Claim {
  instructions: JsonText | null
  yes: JsonText | null
  no: JsonText | null
}

/**
 * Returns the probability of yes, from the detectors that the question asks for, or else from its similarity to the
 * state.
 */
export function scoreClaim({ instructions, ...meanings }: Claim, document: Document): number {
  const asked = readFeatures(instructions ? flatten(instructions).replace(OR_NOT, " ") : "")
  const yes = meanings.yes ? readFeatures(flatten(meanings.yes)) : null
  const no = meanings.no ? readFeatures(flatten(meanings.no)) : null
  const isNegated = asked.hasNegator

  // A negated question is answered in its plain form, and the answer is reversed at the end.
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
  return Math.min(MAX, Math.max(1 - MAX, 1 - p))
}
