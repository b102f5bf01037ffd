import { isObject, textOf, tokensOf, tokensWithSpecial } from "./decision-model"

/** llama.cpp's decision types that the double knows. They differ in how they render a prompt. */
export type Kind = "kev" | "lev" | "openjev" | "nimble" | "clef"

/** A prompt as text, and as the tokens that the model reads. */
export interface Prompt {
  text: string
  tokens: string[]
}

export interface PromptSettings {
  kind: Kind
  /** Counts at most this many tokens of each question, as `laya` truncates it silently. Does not change answers. Null: counts all. */
  headTokens: number | null
  /** The control tokens of the vocabulary besides those of Qwen, such as `</s>`. */
  controlTokens: readonly string[]
}

type Question = [name: string, question: Record<string, unknown>]

/** Tokens around each option: markers of kev, label and punctuation of the others. */
const TOKENS_PER_OPTION: Record<Kind, number> = { kev: 2, openjev: 3, lev: 4, nimble: 4, clef: 2 }
const FIXED_TOKENS: Record<Kind, number> = { kev: 6, openjev: 8, lev: 12, nimble: 10, clef: 6 }

const isNested = (value: unknown): boolean => typeof value === "object" && value !== null

/** Renders a value as kev was trained: `key: value` lines, lists with dashes, Python's booleans. */
export function kevText(value: unknown, indent = 0): string {
  const pad = "  ".repeat(indent)
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return value
  if (typeof value === "boolean") return value ? "True" : "False"
  if (Array.isArray(value)) return value.map((item) => `${pad}- ${kevText(item, indent + 1).trimStart()}`).join("\n")
  if (!isObject(value)) return JSON.stringify(value)
  return Object.entries(value)
    .map(
      ([key, item]) => `${pad}${key}${isNested(item) ? ":\n" : ": "}${kevText(item, isNested(item) ? indent + 1 : 0)}`,
    )
    .join("\n")
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

/** Writes JSON as jinja's `tojson` does, with a space after each comma and colon. */
export function spacedJson(value: unknown, isSorted = false): string {
  const write = (item: unknown): string => spacedJson(item, isSorted)
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`
  if (!isObject(value)) return JSON.stringify(value) ?? "null"
  const members = Object.entries(value)
  return `{${(isSorted ? members.sort(byKey) : members).map(([key, item]) => `${JSON.stringify(key)}: ${write(item)}`).join(", ")}}`
}

/** Returns a text of a client as a model of this type reads it. */
export function rendered(kind: Kind, value: unknown): string {
  if (kind === "kev") return kevText(value).replace(/<\|(\w+)\|>/g, "<¦$1¦>")
  if (typeof value === "string") return value
  return spacedJson(value, kind === "lev" || kind === "clef")
}

function optionsOf({ type, criteria }: Record<string, unknown>): [string, unknown][] {
  if (Array.isArray(criteria)) return criteria.map((level, i) => [String(i), level])
  if (type !== "noul") return isObject(criteria) ? Object.entries(criteria) : []
  return ["false", "true"].map((key) => [key, isObject(criteria) ? criteria[key] : null])
}

/** Returns the tokens of one question: its name, its texts, and what the template adds. */
function questionTokens(kind: Kind, [name, question]: Question, controlTokens: readonly string[]): string[] {
  const options = optionsOf(question)
  const texts = [name, rendered(kind, question.instructions ?? "")]
  for (const [key, description] of options)
    texts.push(rendered(kind, key), ...(description == null ? [] : [rendered(kind, description)]))
  const added = FIXED_TOKENS[kind] + TOKENS_PER_OPTION[kind] * options.length
  return [
    ...texts.flatMap((text) => tokensWithSpecial(text, controlTokens)),
    ...Array.from({ length: added }, (_, i) => `<${kind} ${i}>`),
  ]
}

/** Returns how many tokens the options of a question have. llama.cpp computes those of a kev choice in one batch. */
export function optionTokens(kind: Kind, question: Record<string, unknown>): number {
  const texts = optionsOf(question).flatMap(([key, description]) => [key, textOf(description ?? "")])
  return texts.flatMap((text) => tokensOf(text)).length + TOKENS_PER_OPTION[kind] * optionsOf(question).length
}

/** lev reads the options of a choice in both orders. */
const readings = (kind: Kind, { type, criteria }: Record<string, unknown>): number =>
  kind === "lev" && type === "choice" && isObject(criteria) && Object.keys(criteria).length > 1 ? 2 : 1

/**
 * Returns the prompts of one call, the state first. nimble lists all questions in each prompt; clef reads all in one.
 * `headTokens` truncates each prompt's own question silently, as laya does.
 */
export function promptsOf(
  { kind, headTokens, controlTokens }: PromptSettings,
  state: unknown,
  questions: Question[],
): Prompt[] {
  const text = rendered(kind, state)
  const begin = tokensWithSpecial(text, controlTokens)
  const tokensOfOne = (question: Question) => questionTokens(kind, question, controlTokens)
  const own = questions.map((question) => tokensOfOne(question).slice(0, headTokens ?? undefined))
  if (kind === "clef") return [{ text, tokens: [...begin, ...own.flat()] }]
  const listed = kind === "nimble" ? questions.flatMap(tokensOfOne) : []
  return questions.flatMap(([, question], i) =>
    Array.from({ length: readings(kind, question) }, (_, order) => ({
      text,
      tokens: [...begin, ...listed, ...(own[i] ?? []), ...(order === 0 ? [] : ["<reversed>"])],
    })),
  )
}
