/** What a server action answers: the shape that `userAction` makes. */
export type ActionResult<Data> = { ok: true; data: Data } | { ok: false; error: ActionError }

export interface ActionError {
  code: string
  message: string
  param?: string
  requestId?: string
  /** What is wrong by field path, such as `limit.amountUsd`; each is shown beside its field. */
  fields?: Record<string, string>
}
