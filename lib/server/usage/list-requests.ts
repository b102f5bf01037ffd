import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { resolveRange } from "./range"
import { type LoggedRequest, loggedRequest, type RequestRow } from "./request-row"
import { requestsStatement } from "./requests-statement"
import { RequestsInput } from "./schema"
import { NO_KEY } from "./spent"

export interface LoggedRequests {
  asOf: string
  requests: LoggedRequest[]
  /** The `before` of the next older page; null on the last one. */
  next: string | null
}

const PAGE = 50
const FIRST_ID = "00000000-0000-0000-0000-000000000000"

function startOf(before: string | undefined, to: Date): { micros: string; id: string } {
  const end = `${to.getTime()}000`
  const [micros = end, id = FIRST_ID] = before?.split("_") ?? []
  return BigInt(micros) < BigInt(end) ? { micros, id } : { micros: end, id: FIRST_ID }
}

export async function readRequests(actor: UserActor, input: RequestsInput, size: number): Promise<LoggedRequests> {
  const { range: choice, keyId, model, result, before } = input
  const now = new Date()
  const range = resolveRange(choice, now)
  const { text, values } = requestsStatement({
    accountId: actor.accountId,
    from: range.from,
    before: startOf(before, range.to),
    keyId: keyId === undefined ? null : (parsePublicId("key", keyId) ?? NO_KEY),
    model: model ?? null,
    result: result ?? null,
    limit: size + 1,
  })
  const { rows } = await runtime().pool.query<RequestRow>(text, values)
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return {
    asOf: now.toISOString(),
    requests: page.map(loggedRequest),
    next: rows.length > size && last ? `${last.micros}_${last.id}` : null,
  }
}

/** Lists the account's requests in a range, answered and refused, newest first, 50 per page. They have no content. */
export const listRequests = (actor: UserActor, input: RequestsInput): Promise<LoggedRequests> =>
  readRequests(actor, RequestsInput.parse(input), PAGE)
