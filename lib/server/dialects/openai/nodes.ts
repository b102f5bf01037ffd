import type { FieldPath } from "@/lib/shared/json/field-path"
import type { JsonNode } from "@/lib/shared/json/request-index"
import { JsonText } from "@/lib/shared/json/text"
import { refuse } from "@/questions/check-fields"

/** The most members or items of one object or list. More are not recorded. */
export const MAX_ITEMS = 300
const MAX_NAME = 64
/** A code point can be written as two escapes of six bytes. */
const MOST_BYTES_PER_POINT = 12
/** The largest list of messages or questions. The input as one text may be as large as the contract's state. */
const MAX_LIST_MIB = 2
const MAX_LIST_BYTES = MAX_LIST_MIB * 1024 * 1024

/** Returns the members or items of an object or list. Throws `Refused` when not all of them are recorded. */
export function allOf(node: JsonNode, path: FieldPath): JsonNode[] {
  const children = node.children()
  if (children.length < node.size)
    refuse(path, `This has more than ${MAX_ITEMS} members or items, or all lists of the body have too many.`)
  return children
}

/** Returns the members of an object by name. Throws `Refused` for another value. */
export function fieldsOf(node: JsonNode, path: FieldPath): Map<string, JsonNode> {
  if (node.kind !== "object") refuse(path, "This must be an object.")
  const fields = new Map<string, JsonNode>()
  for (const child of allOf(node, path)) fields.set(child.name(MAX_NAME) ?? "", child)
  return fields
}

/** Returns a field that is a string. Throws `Refused`. */
export function stringIn(fields: Map<string, JsonNode>, name: string, path: FieldPath): JsonText {
  const node = fields.get(name) ?? refuse([...path, name], "This field is required.")
  return stringOf(node, [...path, name])
}

/** Returns a string. Throws `Refused` for another value. */
export function stringOf(node: JsonNode, path: FieldPath): JsonText {
  const text = node.kind === "string" ? node.text() : null
  return text ?? refuse(path, "This must be a string.")
}

/** Returns a field that may be null or absent, both of which are null. Throws `Refused` for anything else than a string. */
export function optionalString(fields: Map<string, JsonNode>, name: string, path: FieldPath): JsonText | null {
  const node = fields.get(name)
  return !node || node.kind === "null" ? null : stringOf(node, [...path, name])
}

/** Returns whether a text has at most `max` code points, without decoding one that is far longer. */
export const isShort = (text: JsonText, max: number): boolean =>
  text.source.length <= max * MOST_BYTES_PER_POINT + 2 && [...text.text()].length <= max

/** Source that is written here, or a text as it was sent. */
export type Part = string | JsonText

/** Joins parts once, without decoding them. */
export function joined(kind: JsonText["kind"], parts: (Part | Uint8Array)[]): JsonText {
  const sources = parts.map((part) =>
    typeof part === "string" ? Buffer.from(part) : part instanceof JsonText ? part.source : part,
  )
  const source = new Uint8Array(sources.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of sources) {
    source.set(piece, at)
    at += piece.length
  }
  return new JsonText(kind, source)
}

/** Returns the parts of a list of items, each of which has parts of its own. */
export const listOf = (items: Part[][]): Part[] => [
  "[",
  ...items.flatMap((parts, i) => (i === 0 ? parts : [",", ...parts])),
  "]",
]

/** Returns the only part, or a list of all. */
export function wholeOf(parts: Part[]): JsonText {
  const [only] = parts
  return parts.length === 1 && only instanceof JsonText ? only : joined("array", parts)
}

/** Throws `Refused` for a list that would hold up other requests while its texts are joined. */
export function requireJoinable(node: JsonNode, path: FieldPath): void {
  if (node.end - node.start > MAX_LIST_BYTES) refuse(path, `This list has more than ${MAX_LIST_MIB} MiB.`)
}
