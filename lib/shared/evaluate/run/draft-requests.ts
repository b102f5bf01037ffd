import type { Columns, DataRow } from "../rows/evaluation-set"
import type { RunDraft } from "./evaluation-run"
import { rowRequests } from "./row-requests"
import { requestTextOf } from "./shared-request"

/** The requests of a run that is not sent yet. */
export interface DraftRequests {
  /** For each request, the bytes of its state or of its whole body. Tokens are estimated from them. */
  bytes: readonly number[]
  /** Returns the body of a request; null when it has no state. */
  textAt(at: number): string | null
}

/** Returns the requests of a draft; null when its questions are invalid or it has no row. */
export function draftRequests(
  set: Columns,
  rows: readonly DataRow[],
  draft: Pick<RunDraft, "form" | "pinnedId" | "mapping" | "robustness" | "rows">,
  bytes?: readonly number[],
): DraftRequests | null {
  const requests = rowRequests(set, rows, draft, null)
  if (!requests || draft.rows.length === 0) return null
  const textAt = (at: number) => {
    const request = requests(draft.rows[at] ?? -1)
    return request && requestTextOf(request.shared, request.state)
  }
  const encoder = new TextEncoder()
  return { bytes: bytes ?? draft.rows.map((_, at) => encoder.encode(textAt(at) ?? "").length), textAt }
}
