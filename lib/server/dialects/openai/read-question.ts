import { ServiceError } from "@/lib/shared/errors"
import type { FieldPath } from "@/lib/shared/json/field-path"
import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import { refuse } from "@/questions/check-fields"
import { choiceConfidence } from "@/questions/choice/choice"
import type { NamedOption } from "@/questions/keyword-rules"
import { CEILINGS } from "@/questions/limits"
import { clamp, meanLevel, mostLikely, normalise } from "@/questions/probabilities"
import type { CheckedQuestion, RawAnswer } from "@/questions/question-types"
import { scoreConfidence } from "@/questions/score/score"
import { allOf, fieldsOf, joined, optionalString, stringIn, stringOf } from "./nodes"

/** A question of the contract, and how its answer is written for the client. */
export interface Translated {
  question: CheckedQuestion
  /** The field that lists what the question offers; null for a predicate. */
  listed: "choices" | "levels" | null
  /** Returns the members of the answer after its name. Throws `upstream_error` for an answer that does not fit. */
  write(answer: RawAnswer): string
}

type Fields = Map<string, JsonNode>
type Read = (fields: Fields, instructions: JsonText, path: FieldPath) => Translated

const misfit = (): never => {
  throw new ServiceError("upstream_error")
}

const readPredicate: Read = (_fields, instructions) => ({
  question: { type: "noul", name: "", instructions, criteria: null },
  listed: null,
  write: (answer) =>
    answer.type === "noul" && Number.isFinite(answer.yes) ? `"probability":${clamp(answer.yes, 1)}` : misfit(),
})

/** Returns the entries of a list of 1 to `max`. Throws `Refused`. */
function entriesOf(fields: Fields, name: "choices" | "levels", max: number, path: FieldPath) {
  const at = [...path, name]
  const node = fields.get(name) ?? refuse(at, "This field is required.")
  if (node.kind !== "array") refuse(at, "This must be a list.")
  if (node.size < 1 || node.size > max) refuse(at, `This list has 1 to ${max} entries.`)
  return allOf(node, at).map((child, i) => ({ fields: fieldsOf(child, [...at, i]), path: [...at, i] }))
}

interface Choice {
  /** The value as JSON text, which distinguishes `"true"` from `true`. */
  json: string
  /** The value as a text. */
  text: string
  description: JsonText | null
}

function choiceOf(fields: Fields, path: FieldPath): Choice {
  const value = fields.get("value") ?? refuse([...path, "value"], "This field is required.")
  const description = optionalString(fields, "description", path)
  if (value.kind === "true" || value.kind === "false") return { json: value.kind, text: value.kind, description }
  const source = stringOf(value, [...path, "value"])
  const text = source.text()
  return { json: JSON.stringify(text), text, description }
}

/** Returns options under ids of this service, whose descriptions hold the values. */
const withOwnIds = (choices: Choice[]): NamedOption[] =>
  choices.map(({ json, description }, i) => ({
    name: `c${i + 1}`,
    description: joined("object", [`{"value":${json}`, ...(description ? [',"description":', description] : []), "}"]),
  }))

const isOptionName = (text: string): boolean =>
  text !== "" && text.length <= 2 * CEILINGS.optionName && [...text].length <= CEILINGS.optionName

/** Returns the options under their values, or under own ids where two values have one text or one is no name of an option. */
function optionsOf(choices: Choice[]): NamedOption[] {
  const texts = choices.map(({ text }) => text)
  const areNames = texts.every(isOptionName)
  if (!areNames || new Set(texts).size < texts.length) return withOwnIds(choices)
  return choices.map(({ text, description }) => ({ name: text, description }))
}

const readChoice: Read = (fields, instructions, path) => {
  const choices = entriesOf(fields, "choices", CEILINGS.options, path).map((entry) =>
    choiceOf(entry.fields, entry.path),
  )
  if (new Set(choices.map(({ json }) => json)).size < choices.length)
    refuse([...path, "choices"], "Each value may occur once.")
  return {
    question: { type: "choice", name: "", instructions, options: optionsOf(choices) },
    listed: "choices",
    write: (answer) => {
      if (answer.type !== "choice") return misfit()
      const p = normalise(answer.probabilities, choices.length)
      const probabilities = choices.map(({ json }, i) => `{"value":${json},"probability":${p[i]}}`).join(",")
      return `"choice":${choices[mostLikely(p)]?.json},"confidence":${choiceConfidence(p)},"probabilities":[${probabilities}]`
    },
  }
}

/** Joins the strings `"label"` and `"description"` to `"label: description"`. */
const describedLevel = (label: JsonText, description: JsonText): JsonText =>
  joined("string", [label.source.subarray(0, -1), ": ", description.source.subarray(1)])

/** Returns the text of a level, which is its label and its description. */
function levelOf(fields: Fields, path: FieldPath): { label: JsonText; level: JsonText } {
  const label = stringIn(fields, "label", path)
  const description = optionalString(fields, "description", path)
  return { label, level: description ? describedLevel(label, description) : label }
}

const readScore: Read = (fields, instructions, path) => {
  const levels = entriesOf(fields, "levels", CEILINGS.levels, path).map((entry) => levelOf(entry.fields, entry.path))
  return {
    question: { type: "score", name: "", instructions, levels: levels.map(({ level }) => level) },
    listed: "levels",
    write: (answer) => {
      if (answer.type !== "score") return misfit()
      const p = normalise(answer.probabilities, levels.length)
      const probabilities = levels
        .map(({ label }, i) => `{"value":${i},"label":${label.json()},"probability":${p[i]}}`)
        .join(",")
      return `"score":${meanLevel(p)},"confidence":${scoreConfidence(p)},"probabilities":[${probabilities}]`
    },
  }
}

/** How each type of question is read, by the type's name. */
export const OPENAI_TYPES: Readonly<Record<"predicate" | "choice" | "score", Read>> = {
  predicate: readPredicate,
  choice: readChoice,
  score: readScore,
}
