import { type CheckedRequest, checkRequest } from "@/lib/shared/decisions/check-request"
import { JsonNode } from "@/lib/shared/json/request-index"
import { scan } from "@/lib/shared/json/scan"

/** A valid request, with the source of its state and its questions as they were written. */
export interface RequestParts {
  request: CheckedRequest
  requestText: string
  stateJson: string
  questionsJson: string
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Takes the indentation that it had inside its request off a value. A JSON string has no line break of its own. */
function outdented(json: string): string {
  const indents = json.split("\n").slice(1)
  const depth = Math.min(...indents.map((line) => /^ */.exec(line)?.[0].length ?? 0))
  return Number.isFinite(depth) ? json.replaceAll(`\n${" ".repeat(depth)}`, "\n") : json
}

/** The parts of a request that code is made of; null when the API would refuse it. */
export function readParts(requestText: string): RequestParts | null {
  const body = new TextEncoder().encode(requestText)
  const scanned = scan(body)
  const checked = checkRequest(body)
  if (!scanned.ok || !checked.ok) return null
  const members = new JsonNode(body, scanned.nodes).children()
  const source = (name: string): string => {
    const node = members.find((member) => member.name(64) === name)
    return node ? outdented(decoder.decode(body.subarray(node.start, node.end))) : ""
  }
  return { request: checked.request, requestText, stateJson: source("state"), questionsJson: source("questions") }
}
