import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import { JsonText } from "@/lib/shared/json/text"
import type { CheckedQuestion } from "@/questions/question-types"

type Json = string | object

export function jsonText(value: Json, source = JSON.stringify(value)): JsonText {
  const kind = typeof value === "string" ? "string" : Array.isArray(value) ? "array" : "object"
  return new JsonText(kind, new TextEncoder().encode(source))
}

const optional = (value: Json | null | undefined): JsonText | null => (value == null ? null : jsonText(value))

export const noul = (
  name: string,
  instructions: Json | null,
  criteria?: { yes?: Json | null; no?: Json | null },
): CheckedQuestion => ({
  type: "noul",
  name,
  instructions: optional(instructions),
  criteria: criteria ? { yes: optional(criteria.yes), no: optional(criteria.no) } : null,
})

/** Options as names, or as pairs of name and description, in this order. */
export const choice = (
  name: string,
  instructions: Json | null,
  options: (string | [string, Json | null])[],
): CheckedQuestion => ({
  type: "choice",
  name,
  instructions: optional(instructions),
  options: options.map((option) =>
    typeof option === "string"
      ? { name: option, description: null }
      : { name: option[0], description: optional(option[1]) },
  ),
})

export const score = (name: string, instructions: Json | null, levels: (Json | JsonText)[]): CheckedQuestion => ({
  type: "score",
  name,
  instructions: optional(instructions),
  levels: levels.map((level) => (level instanceof JsonText ? level : jsonText(level))),
})

export const checkedRequest = (state: Json, ...questions: CheckedQuestion[]): CheckedRequest => ({
  model: "svc-test-1",
  state: jsonText(state),
  questions,
})
