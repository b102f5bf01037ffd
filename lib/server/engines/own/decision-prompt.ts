import type { JsonText } from "@/lib/shared/json/text"
import type { CheckedQuestion, QuestionOf, QuestionTypeName, RawAnswer, RawAnswerOf } from "@/questions/question-types"
import { type DecisionSettings, NOUL_RATINGS } from "./decision-type"

/** A value of a client as the template gets it. */
type Value = string | number | boolean | null | Value[] | { [name: string]: Value }

interface Option {
  key: string
  description: Value
  label?: string
}

/** A question as the template gets it. */
export interface PromptQuestion {
  id: string
  type: CheckedQuestion["type"]
  instructions: Value
  options: Option[]
}

export interface PromptInput {
  state: Value
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

function escaped(value: Value, neutral: Neutral): Value {
  if (typeof value === "string") return neutral(value)
  if (Array.isArray(value)) return value.map((item) => escaped(item, neutral))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [neutral(name), escaped(item, neutral)]))
}

const INDEX_NAME = /^(?:0|[1-9]\d*)$/

/** Returns whether an object has names such as "2", which JavaScript moves before all others. */
function hasIndexNames(value: Value): boolean {
  if (typeof value !== "object" || value === null) return false
  if (Array.isArray(value)) return value.some(hasIndexNames)
  return Object.entries(value).some(([name, item]) => INDEX_NAME.test(name) || hasIndexNames(item))
}

/** Returns a client's text as a value. An object or array is parsed, as the models were trained, if that keeps its order. */
export function clientValue(text: JsonText | null, neutral: Neutral): Value {
  if (text === null) return null
  const value = JSON.parse(text.json()) as Value
  return escaped(hasIndexNames(value) ? text.json() : value, neutral)
}

/** How decision models show and read the questions of one type. */
interface DecisionForm<Question, Answer> {
  options(question: Question, settings: DecisionSettings, neutral: Neutral): Option[]
  /** Returns how many labels are read for a question with this number of options. */
  labels(options: number, settings: DecisionSettings): number
  /** Makes an answer from one probability per label. */
  toAnswer(probabilities: number[], settings: DecisionSettings): Answer
}

/** Returns the mean of ratings from 0 to 1, weighted by their probabilities. */
const meanRating = (probabilities: number[]): number =>
  probabilities.reduce((sum, p, i) => sum + (p * i) / (probabilities.length - 1), 0)

const DECISION_FORMS: { [Name in QuestionTypeName]: DecisionForm<QuestionOf<Name>, RawAnswerOf<Name>> } = {
  noul: {
    options({ criteria }, { isTrueFirst }, neutral) {
      const no = { key: "false", description: clientValue(criteria?.no ?? null, neutral) }
      const yes = { key: "true", description: clientValue(criteria?.yes ?? null, neutral) }
      return isTrueFirst ? [yes, no] : [no, yes]
    },
    labels: (options, { ratesNoul }) => (ratesNoul ? NOUL_RATINGS : options),
    toAnswer: (probabilities, { ratesNoul, isTrueFirst }) => ({
      type: "noul",
      yes: ratesNoul ? meanRating(probabilities) : (probabilities[isTrueFirst ? 0 : 1] ?? 0),
    }),
  },
  choice: {
    options: ({ options }, _settings, neutral) =>
      options.map(({ name, description }) => ({
        key: neutral(name),
        description: clientValue(description, neutral),
      })),
    labels: (options) => options,
    toAnswer: (probabilities) => ({ type: "choice", probabilities }),
  },
  score: {
    options: ({ levels }, _settings, neutral) =>
      levels.map((level, i) => ({ key: String(i), description: clientValue(level, neutral) })),
    labels: (options) => options,
    toAnswer: (probabilities) => ({ type: "score", probabilities }),
  },
}

/** Returns the form of a question's type. The compiler does not know which type it is. */
export const decisionForm = ({ type }: CheckedQuestion): DecisionForm<CheckedQuestion, RawAnswer> =>
  DECISION_FORMS[type] as DecisionForm<CheckedQuestion, RawAnswer>

export const promptQuestion = (
  question: CheckedQuestion,
  settings: DecisionSettings,
  neutral: Neutral,
): PromptQuestion => ({
  id: neutral(question.name),
  type: question.type,
  instructions: clientValue(question.instructions, neutral),
  options: decisionForm(question).options(question, settings, neutral),
})

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
