import { type ChangeObject, diffWordsWithSpace } from "diff"
import { readParts } from "@/lib/shared/export-code/request-parts"
import { formatJson } from "@/lib/shared/json-source/text-or-json"
import type { Outcome } from "@/lib/shared/runs/read-outcome"

/** A piece of two texts. Long `same` pieces are shortened. */
export interface Piece {
  kind: "same" | "removed" | "added"
  text: string
}

export interface ComparedText {
  title: string
  /** Null when the texts are too long or too different to compare word by word. */
  pieces: Piece[] | null
}

/** Comparing word by word takes time in proportion to the differences. */
const TIMEOUT_MS = 250
const MAX_LENGTH = 200_000
const CONTEXT = 80

const kindOf = ({ added, removed }: ChangeObject<string>): Piece["kind"] =>
  added ? "added" : removed ? "removed" : "same"

/** Keeps whole words beside the neighbouring changes, and an ellipsis for the rest of a long unchanged piece. */
function cut(text: string, isFirst: boolean, isLast: boolean): string {
  if (text.length <= 2 * CONTEXT) return text
  const before = isFirst ? "" : text.slice(0, CONTEXT).replace(/\S*$/, "")
  const after = isLast ? "" : text.slice(-CONTEXT).replace(/^\S*/, "")
  return `${before}…${after}`
}

/** Returns the differences of two texts by words. Null when they are too long or too different. */
export function compareTexts(left: string, right: string): Piece[] | null {
  if (left.length + right.length > MAX_LENGTH) return null
  const changes = diffWordsWithSpace(left, right, { timeout: TIMEOUT_MS })
  return (
    changes?.map((change, at) => {
      const kind = kindOf(change)
      const text = kind === "same" ? cut(change.value, at === 0, at === changes.length - 1) : change.value
      return { kind, text }
    }) ?? null
  )
}

function textsOf({ exchange }: Outcome): [title: string, text: string][] {
  const { state } = exchange.request
  const parts = readParts(exchange.requestText)
  return [
    ["State", state.kind === "string" ? state.text() : formatJson(parts?.stateJson ?? "")],
    ["Questions", formatJson(parts?.questionsJson ?? "")],
  ]
}

/** Returns the differing texts of two runs' requests. */
export function compareRequests(left: Outcome, right: Outcome): ComparedText[] {
  const after = new Map(textsOf(right))
  return textsOf(left).flatMap(([title, text]) => {
    const other = after.get(title) ?? ""
    return text === other ? [] : [{ title, pieces: compareTexts(text, other) }]
  })
}
