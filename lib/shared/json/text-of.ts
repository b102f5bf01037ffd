import type { JsonNode } from "./request-index"
import { compact, JsonText } from "./text"

/** A recorded string, object or array as text, null for any other value. A view of the body where that is compact already. */
export function textOf(node: JsonNode): JsonText | null {
  const { kind } = node
  if (kind !== "string" && kind !== "object" && kind !== "array") return null
  const source = node.body.subarray(node.start, node.end)
  return new JsonText(kind, node.spaces === 0 ? source : compact(source), node.measure)
}
