import type { ErrorExtra } from "@/lib/shared/errors"
import { memberOf } from "@/questions/display"

/** The error object of a response (spec.md, "Shape"). */
interface ApiError extends ErrorExtra {
  code: string
  message: string
  type: string
  param?: string
}

/** What the response to a decision says. `unreadable`: the service did not send it, or not all of it arrived. */
export type Reply =
  | { kind: "answered"; model: string; tokens: number; body: unknown }
  | { kind: "refused"; error: ApiError }
  | { kind: "unreadable" }

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Reads the response of a decision route, from the API, the console or a stored copy. */
export function readResponse(status: number, text: string): Reply {
  const body = parse(text)
  if (status === 200) {
    const [model, tokens] = [memberOf(body, "model"), memberOf(memberOf(body, "usage"), "input_tokens")]
    const isAnswer = typeof model === "string" && Number.isSafeInteger(tokens) && (tokens as number) >= 0
    return isAnswer ? { kind: "answered", model, tokens: tokens as number, body } : { kind: "unreadable" }
  }
  const error = memberOf(body, "error")
  const isError = ["code", "message", "type"].every((name) => typeof memberOf(error, name) === "string")
  return isError ? { kind: "refused", error: error as ApiError } : { kind: "unreadable" }
}
