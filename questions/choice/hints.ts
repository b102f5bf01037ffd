import { asText, isBlank } from "@/lib/shared/json-source/text-or-json"
import { countingQuestion, doubleQuestion, type HintRule, noInstructions, plainText } from "../hint-rules"
import type { ChoiceFields, OptionForm } from "./form"

const CATCHES_ALL =
  /\b(other|others|none|neither|unclear|unknown|else|unsure|not applicable|any(thing|one)? else|n\/a|ask)\b/i
const spaced = (name: string): string => name.replaceAll(/[_-]/g, " ")

const noOther: HintRule<ChoiceFields> = ({ options }) => {
  const named = options.filter(({ name }) => name.trim() !== "")
  if (named.length < 2) return null
  if (named.some(({ name, description }) => CATCHES_ALL.test(`${spaced(name)} ${plainText(description)}`))) return null
  return {
    rule: "no-other",
    message: "No option means “none of these”. A state that fits no option still gets one of them.",
    fix: {
      label: "Add “other”",
      change: (before) => ({
        options: [...before.options, { name: "other", description: asText("None of the other options fits.") }],
      }),
    },
  }
}

const STOP_WORDS = new Set(
  "a an the and or of for to in on with is are be it that this by as from at not no any all other none".split(" "),
)

function contentWords(text: string): Set<string> {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return new Set(found.filter((word) => !STOP_WORDS.has(word)).map((word) => word.replace(/(ies|es|s)$/, "")))
}

function overlap(a: Set<string>, b: Set<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared / Math.max(1, Math.min(a.size, b.size))
}

/** Comparing every pair takes quadratic time. */
const MAX_COMPARED = 60

function contentOf({ name, description }: OptionForm) {
  return { name, words: contentWords(spaced(name)), described: contentWords(plainText(description)) }
}

const overlapping: HintRule<ChoiceFields> = ({ options }) => {
  const contents = options.slice(0, MAX_COMPARED).map(contentOf)
  for (const [at, one] of contents.entries())
    for (const other of contents.slice(at + 1)) {
      const sameName = one.words.size > 0 && other.words.size > 0 && overlap(one.words, other.words) === 1
      const sameText =
        one.described.size > 2 && other.described.size > 2 && overlap(one.described, other.described) >= 0.6
      if (sameName || sameText)
        return {
          rule: "overlapping",
          message: `“${one.name}” and “${other.name}” overlap, so they share the probability. Describe what only one of them covers.`,
        }
    }
  return null
}

const noDescriptions: HintRule<ChoiceFields> = ({ options }) => {
  const named = options.filter(({ name }) => name !== "")
  return named.length > 1 && named.every(({ description }) => isBlank(description))
    ? { rule: "no-criteria", message: "Describe what each option covers and what it does not." }
    : null
}

const undescribed: HintRule<ChoiceFields> = (question) => noDescriptions(question) ?? noInstructions(question)

export const choiceHints: readonly HintRule<ChoiceFields>[] = [
  doubleQuestion,
  countingQuestion,
  noOther,
  overlapping,
  undescribed,
]
