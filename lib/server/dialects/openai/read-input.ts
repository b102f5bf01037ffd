import type { Steps } from "@/lib/shared/decisions/check-request"
import type { FieldPath } from "@/lib/shared/json/field-path"
import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import { refuse } from "@/questions/check-fields"
import {
  allOf,
  fieldsOf,
  isShort,
  joined,
  listOf,
  MAX_ITEMS,
  type Part,
  requireJoinable,
  stringIn,
  wholeOf,
} from "./nodes"
import { contentOf, refuseType } from "./read-content"

const INPUT: FieldPath = ["input"]
const ROLES = ["user", "developer", "system", "assistant"]
/** Each output repeats the name of its tool. */
const MAX_TOOL_NAME = 256

/** One item of the input, as the state says it. */
interface Entry {
  role: string
  /** The name of the tool that was called, of a call and its output. */
  call: JsonText | null
  text: Part[]
}

/** The names of the tools that were called so far, by the id of the call. */
type Calls = Map<string, JsonText>

type Fields = Map<string, JsonNode>

function messageOf(fields: Fields, path: FieldPath): Entry {
  const role = stringIn(fields, "role", path).text()
  if (!ROLES.includes(role)) refuse([...path, "role"], `The role of a message is ${ROLES.join(", ")}.`)
  const content = fields.get("content") ?? refuse([...path, "content"], "This field is required.")
  return { role, call: null, text: contentOf(content, [...path, "content"], INPUT) }
}

/** Reads a call, whose arguments are a text. */
const callIn =
  (field: "arguments" | "input") =>
  (fields: Fields, path: FieldPath, calls: Calls): Entry => {
    const call = stringIn(fields, "name", path)
    if (!isShort(call, MAX_TOOL_NAME))
      refuse([...path, "name"], `The name of a tool has at most ${MAX_TOOL_NAME} characters.`)
    calls.set(stringIn(fields, "call_id", path).text(), call)
    return { role: "assistant", call, text: [stringIn(fields, field, path)] }
  }

function outputOf(fields: Fields, path: FieldPath, calls: Calls): Entry {
  const call = calls.get(stringIn(fields, "call_id", path).text())
  if (!call) refuse([...path, "call_id"], "No call before this output has this id.")
  const output = fields.get("output") ?? refuse([...path, "output"], "This field is required.")
  return { role: "tool", call, text: contentOf(output, [...path, "output"], INPUT) }
}

const ITEMS = new Map<string, (fields: Fields, path: FieldPath, calls: Calls) => Entry>([
  ["message", messageOf],
  ["function_call", callIn("arguments")],
  ["custom_tool_call", callIn("input")],
  ["function_call_output", outputOf],
  ["custom_tool_call_output", outputOf],
])

function entryOf(node: JsonNode, path: FieldPath, calls: Calls): Entry {
  const fields = fieldsOf(node, path)
  const type = fields.has("type") ? stringIn(fields, "type", path).text() : "message"
  const read = ITEMS.get(type) ?? refuseType(type, path, INPUT)
  return read(fields, path, calls)
}

const written = ({ role, call, text }: Entry): Part[] => [
  `{"role":"${role}"`,
  ...(call ? [',"call":', call] : []),
  ',"text":',
  ...text,
  "}",
]

/**
 * Returns the state that an input stands for: a string, the content of a single message of a user, or else a list of
 * `{role, text}`, in which calls and outputs also name their tool as `call`. Yields between items. Throws `Refused`.
 */
export function* stateOfInput(node: JsonNode): Steps<JsonText> {
  if (node.kind === "string") return node.text() ?? refuse(INPUT, "The input must be a string or a list.")
  if (node.kind !== "array") refuse(INPUT, "The input must be a string or a list.")
  if (node.size < 1 || node.size > MAX_ITEMS) refuse(INPUT, `The input has 1 to ${MAX_ITEMS} items.`)
  requireJoinable(node, INPUT)
  const calls: Calls = new Map()
  const entries: Entry[] = []
  for (const [i, item] of allOf(node, INPUT).entries()) {
    entries.push(entryOf(item, [...INPUT, i], calls))
    yield
  }
  const [only] = entries
  return entries.length === 1 && only?.role === "user"
    ? wholeOf(only.text)
    : joined("array", listOf(entries.map(written)))
}
