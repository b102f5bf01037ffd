import type { JsonText } from "@/lib/shared/json/text"
import type { ClientTexts, DecisionTraits, PromptOption, PromptValue } from "@/questions/decision-form"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import type { DecisionSettings } from "./decision-type"

/** A question as the template gets it. */
export interface PromptQuestion {
  id: string
  type: CheckedQuestion["type"]
  instructions: PromptValue
  options: (PromptOption & { label?: string })[]
}

export interface PromptInput {
  state: PromptValue
  question: PromptQuestion
  /** All questions of the call, for types that list them. */
  questions: PromptQuestion[]
}

/** Rewrites a client's text so that it contains no special token. */
export type Neutral = (text: string) => string

const ZERO_WIDTH_SPACE = "\u200b"

/**
 * Returns a function that breaks up the special tokens written in a text, with a zero-width space after their first character.
 * A prompt is tokenized as a whole, so such a token could otherwise end a turn.
 */
export function escapeTokens(specials: string[]): Neutral {
  const names = specials.filter((name) => name.length > 1).sort((a, b) => b.length - a.length)
  if (names.length === 0) return (text) => text
  const pattern = new RegExp(names.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"), "g")
  return (text) => text.replace(pattern, (name) => name[0] + ZERO_WIDTH_SPACE + name.slice(1))
}

function escaped(value: PromptValue, neutral: Neutral): PromptValue {
  if (typeof value === "string") return neutral(value)
  if (Array.isArray(value)) return value.map((item) => escaped(item, neutral))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [neutral(name), escaped(item, neutral)]))
}

const INDEX_NAME = /^(?:0|[1-9]\d*)$/

/** Returns whether an object has names such as "2", which JavaScript moves before all others. */
function hasIndexNames(value: PromptValue): boolean {
  if (typeof value !== "object" || value === null) return false
  if (Array.isArray(value)) return value.some(hasIndexNames)
  return Object.entries(value).some(([name, item]) => INDEX_NAME.test(name) || hasIndexNames(item))
}

/** Returns a client's text as a value. An object or array is parsed, as the models were trained, if that keeps its order. */
export function clientValue(text: JsonText | null, neutral: Neutral): PromptValue {
  if (text === null) return null
  const value = JSON.parse(text.json()) as PromptValue
  return escaped(hasIndexNames(value) ? text.json() : value, neutral)
}

export function promptQuestion(question: CheckedQuestion, traits: DecisionTraits, neutral: Neutral): PromptQuestion {
  const texts: ClientTexts = { name: neutral, value: (text) => clientValue(text, neutral) }
  return {
    id: neutral(question.name),
    type: question.type,
    instructions: texts.value(question.instructions),
    options: typeOf(question).decision.options(question, texts, traits),
  }
}

const withLabels = (question: PromptQuestion, labels: readonly string[] | null): PromptQuestion =>
  labels === null
    ? question
    : { ...question, options: question.options.map((option, i) => ({ ...option, label: labels[i] ?? "" })) }

/** Sorts the names of all objects within a value by their UTF-16 code units. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, item]) => [name, sorted(item)]))
}

/**
 * Returns the variables of a prompt's template. With `isReversed` the options are shown last to first, while the labels keep their
 * order. `labels` is null for types whose templates write them.
 */
export function templateValues(
  { state, question, questions }: PromptInput,
  { sortsNames, listsQuestions }: DecisionSettings,
  labels: readonly string[] | null,
  isReversed: boolean,
): Record<string, unknown> {
  const shown = isReversed ? { ...question, options: question.options.toReversed() } : question
  const values = {
    ...withLabels(shown, labels),
    state,
    images: [],
    ...(listsQuestions ? { questions: questions.map((listed) => withLabels(listed, labels)) } : {}),
  }
  return (sortsNames ? sorted(values) : values) as Record<string, unknown>
}
