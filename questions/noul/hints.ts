import { asText, isBlank } from "@/lib/shared/json-source/text-or-json"
import { countingQuestion, doubleQuestion, type HintRule, plainText } from "../hint-rules"
import type { NoulFields } from "./form"

// "can't" and "won't" are "ca" and "wo" before the "n't".
const FLIPPED = /^(is|are|was|were|does|do|did|has|have|ca|should|wo)n['’]t\b/i
const NEGATED =
  /\b(is|are|was|were|does|do|did|has|have|can?|should|will|wo)(n['’]t| not)\b|\b(cannot|never|without|lacks?|fails? to)\b/i
const INSIDE = /^((?:is|are|was|were|does|do|did|has|have|can|should|will)\b.*?) not\b/i

/** Returns the sentence without its "not", or null when dropping the word is not enough. */
function positive(sentence: string): string | null {
  if (FLIPPED.test(sentence))
    return sentence
      .replace(FLIPPED, "$1")
      .replace(/^(c)a\b/i, "$1an")
      .replace(/^(w)o\b/i, "$1ill")
  return INSIDE.test(sentence) ? sentence.replace(INSIDE, "$1") : null
}

const negated: HintRule<NoulFields> = (question) => {
  const text = plainText(question.instructions)
  const sentence = text.split(/(?<=\?)/)[0] ?? ""
  if (![NEGATED, FLIPPED, INSIDE].some((pattern) => pattern.test(sentence))) return null
  const without = positive(sentence)
  return {
    rule: "negated",
    message:
      "Negated questions are easy to misread: does “yes” confirm the “not” or deny it? Ask the positive question.",
    fix: without
      ? {
          label: "Remove the “not”",
          // The old meaning of yes is the new meaning of no.
          change: ({ yes, no }) => ({ instructions: asText(without + text.slice(sentence.length)), yes: no, no: yes }),
        }
      : undefined,
  }
}

const noMeanings: HintRule<NoulFields> = ({ instructions, yes, no }) =>
  !isBlank(instructions) && isBlank(yes) && isBlank(no)
    ? {
        rule: "no-criteria",
        message: "Describe what counts as yes and what counts as no. It settles borderline cases.",
      }
    : null

export const noulHints: readonly HintRule<NoulFields>[] = [negated, doubleQuestion, countingQuestion, noMeanings]
