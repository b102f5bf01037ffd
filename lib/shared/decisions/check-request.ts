import { JsonNode } from "@/lib/shared/json/request-index"
import { type ScanFault, scan } from "@/lib/shared/json/scan"
import { textOf } from "@/lib/shared/json/text-of"
import type { CheckedQuestion, CheckedRequest } from "./check"
import { CEILINGS } from "./check-limits"
import { checkQuestion } from "./check-question"
import { membersOf, Refused, refuse } from "./refusal"

export type CheckResult = { ok: true; request: CheckedRequest } | { ok: false; param: string; message: string }

/**
 * Step 3 of spec.md's order of checks. Of several faults the first in this order is told: the body is strict JSON, no name
 * repeats, it is an object; unknown fields as sent; `model`, `state`, `questions` are there; each of them in that order;
 * then question by question as sent: name, object, unknown fields, `type`, `instructions`, `criteria`.
 */
export function checkRequest(body: Uint8Array): CheckResult {
  const bytes = new Uint8Array(body.buffer, body.byteOffset, body.length)
  const scanned = scan(bytes)
  return scanned.ok ? checkIndex(bytes, scanned.nodes) : refusedScan(scanned.fault, scanned.param)
}

const FAULTS: Record<ScanFault, string> = {
  grammar: "The body is not valid JSON.",
  utf8: "The body is not valid UTF-8.",
  surrogate: "A string of the body has half of a surrogate pair.",
  depth: "The body nests objects and arrays more than 512 levels deep.",
  duplicate: "An object has the same name twice.",
}

/** The refusal of a body that the scanner refused. */
export const refusedScan = (fault: ScanFault, param: string): CheckResult => ({
  ok: false,
  param,
  message: FAULTS[fault],
})

/** What is left of step 3 for a scanned body and its index. The request's texts are views of `body` where they are compact. */
export function checkIndex(body: Uint8Array, nodes: Int32Array): CheckResult {
  try {
    return { ok: true, request: requestOf(new JsonNode(body, nodes)) }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, ...error.refusal }
    throw error
  }
}

const FIELDS = ["model", "state", "questions"] as const

function requestOf(root: JsonNode): CheckedRequest {
  if (root.kind !== "object") refuse("body", "The body must be a JSON object.")
  const { model, state, questions } = membersOf(root, FIELDS, "")
  if (!model) refuse("model", "This field is required.")
  if (!state) refuse("state", "This field is required.")
  if (!questions) refuse("questions", "This field is required.")
  return { model: modelOf(model), state: stateOf(state), questions: questionsOf(questions) }
}

function modelOf(node: JsonNode): string {
  const text = node.kind === "string" ? textOf(node) : null
  if (!text || text.isEmpty()) refuse("model", "The model must be a string with at least one character.")
  return text.text()
}

function stateOf(node: JsonNode): CheckedRequest["state"] {
  const text = textOf(node)
  if (!text) refuse("state", "The state must be a string, an object or an array.")
  if (text.isEmpty()) refuse("state", "The state must not be empty.")
  return text
}

const NAME = /^[A-Za-z0-9_-]+$/

function questionsOf(node: JsonNode): CheckedQuestion[] {
  const most = CEILINGS.questions
  if (node.kind !== "object") refuse("questions", "The questions must be an object.")
  if (node.size < 1 || node.size > most) refuse("questions", `A request has 1 to ${most} questions.`)
  return node.children().map((child) => {
    const name = child.name(CEILINGS.questionName)
    if (!name || !NAME.test(name))
      refuse(
        name ? `questions.${name}` : "questions",
        "The name of a question has 1 to 64 characters: letters, digits, _ and -.",
      )
    return checkQuestion(name, child)
  })
}
