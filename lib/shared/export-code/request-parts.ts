import { type CheckedRequest, checkRequest } from "@/lib/shared/decisions/check-request"
import { JsonNode } from "@/lib/shared/json/request-index"
import { scan } from "@/lib/shared/json/scan"
import type { Band, Minimum } from "@/lib/shared/runs/thresholds"
import type { ExportApi } from "./export-apis"

/** A valid request, with the source text of its state and questions. */
export interface RequestParts {
  request: CheckedRequest
  requestText: string
  stateJson: string
  questionsJson: string
}

export interface NamedBand extends Band {
  name: string
}

export type NamedMinimum = Minimum & { name: string }

export interface ExportInput {
  api: ExportApi
  /** In the form of the API. */
  parts: RequestParts
  bands: NamedBand[]
  minimums: NamedMinimum[]
  /** Without a trailing slash. */
  baseUrl: string
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Removes the indentation that a value had inside its request. JSON strings contain no line breaks. */
function outdented(json: string): string {
  const indents = json.split("\n").slice(1)
  const depth = Math.min(...indents.map((line) => /^ */.exec(line)?.[0].length ?? 0))
  return Number.isFinite(depth) ? json.replaceAll(`\n${" ".repeat(depth)}`, "\n") : json
}

/** Returns the parts of a request that exported code needs; null when the API would refuse the request. */
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
