import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import { textOf } from "@/lib/shared/json/text-of"
import type { CheckedQuestion, ChoiceQuestion, NoulQuestion, ScoreQuestion } from "./check"
import { CEILINGS } from "./check-limits"
import { criteriaOf, membersOf, refuse } from "./refusal"

const FIELDS = ["type", "instructions", "criteria"] as const
const TYPES = ["noul", "choice", "score"] as const
/** More source bytes than any type has, however it is escaped. */
const LONG_TYPE = 50

/** One question object (spec.md, "Question object"). Throws `Refused`. */
export function checkQuestion(name: string, node: JsonNode): CheckedQuestion {
  const path = `questions.${name}`
  if (node.kind !== "object") refuse(path, "A question must be an object.")
  const { type, instructions, criteria } = membersOf(node, FIELDS, path)
  const kind = typeOf(type, path)
  const told = instructions ? descriptionOf(instructions, `${path}.instructions`) : null
  switch (kind) {
    case "noul":
      return checkNoul(name, told, criteria)
    case "choice":
      return { type: "choice", name, instructions: told, options: optionsOf(name, criteria) }
    case "score":
      return { type: "score", name, instructions: told, levels: levelsOf(name, criteria) }
  }
}

function typeOf(node: JsonNode | undefined, path: string): CheckedQuestion["type"] {
  const text = node?.kind === "string" && node.size < LONG_TYPE ? textOf(node)?.text() : undefined
  const type = TYPES.find((candidate) => candidate === text)
  return type ?? refuse(`${path}.type`, "The type of a question is noul, choice or score.")
}

/** Instructions or a description: null where it is null. */
function descriptionOf(node: JsonNode, path: string): JsonText | null {
  const text = textOf(node)
  if (!text && node.kind !== "null") refuse(path, "This must be a string, an object, an array or null.")
  return text
}

function checkNoul(name: string, instructions: JsonText | null, node: JsonNode | undefined): NoulQuestion {
  if (!node) {
    if (!instructions) refuse(`questions.${name}`, "A noul question needs instructions or criteria.")
    return { type: "noul", name, instructions, criteria: null }
  }
  const path = criteriaOf(name)
  if (node.kind !== "object") refuse(path, "The criteria of a noul question must be an object.")
  const members = membersOf(node, ["true", "false"], path)
  const meaning = (answer: "true" | "false") => {
    const member = members[answer]
    return member ? descriptionOf(member, `${path}.${answer}`) : null
  }
  return { type: "noul", name, instructions, criteria: { yes: meaning("true"), no: meaning("false") } }
}

function optionsOf(name: string, node: JsonNode | undefined): ChoiceQuestion["options"] {
  const path = criteriaOf(name)
  const most = CEILINGS.options
  if (node?.kind !== "object") refuse(path, "The criteria of a choice question must be an object of options.")
  if (node.size < 1 || node.size > most) refuse(path, `A choice question has 1 to ${most} options.`)
  return node.children().map((child) => {
    const option = child.name(CEILINGS.optionName)
    if (!option) refuse(path, `The name of an option has 1 to ${CEILINGS.optionName} characters.`)
    return { name: option, description: descriptionOf(child, `${path}.${option}`) }
  })
}

function levelsOf(name: string, node: JsonNode | undefined): ScoreQuestion["levels"] {
  const path = criteriaOf(name)
  const most = CEILINGS.levels
  if (node?.kind !== "array") refuse(path, "The criteria of a score question must be an array of levels.")
  if (node.size < 1 || node.size > most) refuse(path, `A score question has 1 to ${most} levels.`)
  return node.children().map((child, index) => {
    const text = textOf(child)
    return text ?? refuse(`${path}.${index}`, "A level must be a string, an object or an array.")
  })
}
