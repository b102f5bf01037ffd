import type { JsonNode } from "@/lib/shared/json/request-index"
import type { JsonText } from "@/lib/shared/json/text"
import { type Refusal, Refused, refuse } from "@/questions/check-fields"
import type { CheckedBatch } from "../checked-batch"
import { readFields, stateOf } from "./read-body"

/** As in the batch of Laya, the only other server that has one. */
export const MAX_STATES = 64

function stateNodes(node: JsonNode): JsonNode[] {
  if (node.kind !== "array") refuse(["states"], "The states must be an array.")
  if (node.size < 1 || node.size > MAX_STATES) refuse(["states"], `A batch has 1 to ${MAX_STATES} states.`)
  return node.children()
}

/** Returns a state of a batch, or its refusal, which names the state's position. */
function orRefusal(node: JsonNode, i: number): JsonText | Refusal {
  try {
    return stateOf(node)
  } catch (error) {
    if (error instanceof Refused) return { ...error.refusal, path: ["states", i] }
    throw error
  }
}

/**
 * Translates a batch: a body of System One with `states` instead of `state`. Throws `Refused` for a fault of the batch. A fault of one
 * state is that state's refusal.
 */
export function readSystemOneBatch(root: JsonNode): CheckedBatch {
  const { asked, states: nodes, questionsBytes } = readFields(root, "states", stateNodes)
  const statesBytes = nodes.reduce((sum, { start, end }) => sum + end - start, 0)
  return { ...asked, states: nodes.map(orRefusal), bytesOneByOne: statesBytes + nodes.length * questionsBytes }
}
