import { anyStateOf, type CheckedRequest, modelOf, questionNodes } from "@/lib/shared/decisions/check-request"
import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import { isQuestionName, refuse } from "@/questions/check-fields"
import { type CheckedQuestion, checkQuestion } from "@/questions/question-types"

/** More members than this are not recorded, so that a required field could be among them. */
const MAX_FIELDS = 300
const MAX_FIELD_NAME = 16
/** The longest name of a question, in code points. */
const MAX_NAME = 256
const CONTROL = /\p{Cc}/u
const MAX_TYPE_BYTES = 16

const NO_IMAGES = "This service does not take images. Send the text that they show."
/** In compact JSON, these bytes are no part of a text, whose quotes are escaped. */
const IMAGE_PART = Buffer.from('"type":"image_url"')

const memberOf = (members: JsonNode[], name: string): JsonNode | undefined =>
  members.find((member) => member.name(MAX_FIELD_NAME) === name)

/** Returns a state, which may be empty. Throws `Refused` for another kind of value, and for a list with the image parts of OpenRouter's clients. */
export function stateOf(node: JsonNode): JsonText {
  const text = anyStateOf(node)
  if (
    text.kind === "array" &&
    Buffer.from(text.source.buffer, text.source.byteOffset, text.source.length).includes(IMAGE_PART)
  )
    refuse(["state"], NO_IMAGES)
  return text
}

function nameOf(node: JsonNode): string {
  const name = node.name(MAX_NAME)
  if (!name || CONTROL.test(name))
    refuse(["questions"], `The name of a question has 1 to ${MAX_NAME} characters and no control characters.`)
  return name
}

function questionOf(name: string, node: JsonNode): CheckedQuestion {
  const type = node.kind === "object" ? memberOf(node.children(), "type") : undefined
  if (type?.kind === "string" && type.size < MAX_TYPE_BYTES && type.text()?.text() === "box")
    refuse(
      ["questions", name, "type"],
      "This service does not answer `box` questions, because it does not take images.",
    )
  return checkQuestion(name, node, { takesNull: true })
}

/** The parts of a body, with whatever `readStates` makes of the field that holds what the questions are about. */
interface Read<States> {
  asked: Omit<CheckedRequest, "state">
  states: States
  /** The length of the questions as they were sent. */
  questionsBytes: number
}

/** Checks the fields of a body. Throws `Refused`. */
export function readFields<States>(
  root: JsonNode,
  field: "state" | "states",
  readStates: (node: JsonNode) => States,
): Read<States> {
  if (root.kind !== "object") refuse([], "The body must be a JSON object.")
  if (root.size > MAX_FIELDS) refuse([], `The body has more than ${MAX_FIELDS} fields.`)
  const members = root.children()
  const required = (name: string) => memberOf(members, name) ?? refuse([name], "This field is required.")
  const [model, about, nodes] = [required("model"), required(field), required("questions")]
  const assets = memberOf(members, "assets")
  if (assets && assets.kind !== "null") refuse(["assets"], NO_IMAGES)
  const [modelName, states] = [modelOf(model), readStates(about)]
  const clientNames: string[] = []
  const questions = questionNodes(nodes).map((child) => {
    const name = nameOf(child)
    clientNames.push(name)
    return questionOf(name, child)
  })
  const asked = clientNames.every(isQuestionName)
    ? { model: modelName, questions }
    : { model: modelName, questions: questions.map((question, i) => ({ ...question, name: `q${i + 1}` })), clientNames }
  return { asked, states, questionsBytes: nodes.end - nodes.start }
}

/**
 * Translates a body of System One's clients. It is wider than the contract: unknown fields, an empty state, `criteria: null`, and
 * almost any name of a question. Engines get a name of this service where the contract would refuse one. Throws `Refused`.
 */
export function readSystemOne(root: JsonNode): CheckedRequest {
  const { asked, states: state } = readFields(root, "state", stateOf)
  return { ...asked, state }
}
