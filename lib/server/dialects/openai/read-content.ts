import type { FieldPath } from "@/lib/shared/json/field-path"
import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import { refuse } from "@/questions/check-fields"
import { allOf, fieldsOf, listOf, type Part, stringIn } from "./nodes"

const NO_FILES = "This service takes neither images nor files. Send the text that they show."

/** Parts that hold a text, and the field that holds it. */
const TEXT_FIELDS: Readonly<Record<string, string>> = { input_text: "text", output_text: "text", refusal: "refusal" }
const FILE = /image|file|audio/

/** Throws `Refused` for the type of a part or item that this service does not read. Images and files are named by `param` of the whole. */
export function refuseType(type: string, path: FieldPath, whole: FieldPath): never {
  if (FILE.test(type)) refuse(whole, NO_FILES)
  refuse([...path, "type"], "This type is not one of those that this service reads.")
}

function partOf(node: JsonNode, path: FieldPath, whole: FieldPath): JsonText {
  const fields = fieldsOf(node, path)
  const type = stringIn(fields, "type", path).text()
  const field = TEXT_FIELDS[type]
  if (field) return stringIn(fields, field, path)
  if (type !== "input_json") refuseType(type, path, whole)
  const data = fields.get("data") ?? refuse([...path, "data"], "This field is required.")
  if (data.kind !== "object" && data.kind !== "array") refuse([...path, "data"], "This must be an object or an array.")
  return data.text() ?? refuse(path, "This must be an object or an array.")
}

/**
 * Returns what a model reads of a string or a list of parts: the only part, or the list of the parts' texts and data, to be joined.
 * `whole` is the path that a refused image names. Throws `Refused`.
 */
export function contentOf(node: JsonNode, path: FieldPath, whole: FieldPath): Part[] {
  const text = node.kind === "string" ? node.text() : null
  if (text) return [text]
  if (node.kind !== "array") refuse(path, "This must be a string or a list of parts.")
  const parts = allOf(node, path).map((part, i) => partOf(part, [...path, i], whole))
  return parts.length === 1 ? parts : listOf(parts.map((part) => [part]))
}
