import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { streamText } from "@/lib/server/platform/stream-text"
import { csvText } from "@/lib/shared/csv"
import { dayOf } from "@/lib/shared/time"
import { TYPE_NAMES } from "@/questions/question-types"
import { listRequests } from "./list-requests"
import { resolveTimes } from "./range"
import type { LoggedRequest } from "./request-row"
import type { RequestsInput } from "./schema"

const BATCH = 1_000

const COUNT_COLUMNS = TYPE_NAMES.map((type) => `${type}_questions`).join(",")
const HEAD = `time_utc,request_id,key_id,key,model,status,code,${COUNT_COLUMNS},tokens,cost_usd,latency_ms,tags\r\n`

function line({ at, id, keyId, keyName, model, status, code, charge, latencyMs }: LoggedRequest): string {
  const counts = charge
    ? [...TYPE_NAMES.map((type) => charge.questionCounts[type] ?? 0), charge.tokens, charge.costUsd]
    : [...TYPE_NAMES.map(() => ""), "", ""]
  const names = [keyId, csvText(keyName), model === null ? "" : csvText(model)]
  return `${[at, id, ...names, status, code ?? "", ...counts, latencyMs ?? "", charge?.tags.length ? csvText(charge.tags.join(" ")) : ""].join(",")}\r\n`
}

/** Returns a request as one line of JSON. Costs are texts, because a number of JSON is not exact. */
function jsonLine({ at, id, keyId, keyName, model, status, code, charge, latencyMs }: LoggedRequest): string {
  const charged = charge && {
    questions: charge.questionCounts,
    tokens: charge.tokens,
    price_usd_per_million: charge.pricePerMillionUsd,
    cost_usd: charge.costUsd,
    tags: charge.tags,
  }
  const facts = {
    time_utc: at,
    request_id: id,
    key_id: keyId,
    key: keyName,
    model,
    status,
    code,
    latency_ms: latencyMs,
  }
  return `${JSON.stringify({ ...facts, ...charged })}\n`
}

/** The files of the log: the first line, if any, and that of a request. */
const FORMATS = { csv: { head: [HEAD], line }, jsonl: { head: [], line: jsonLine } }
export type LogFormat = keyof typeof FORMATS

async function* lines(
  runtime: Runtime,
  actor: UserActor,
  { before: _, ...asked }: RequestsInput,
  format: LogFormat,
): AsyncGenerator<string> {
  const { head, line } = FORMATS[format]
  // Today is fixed once, because reading may cross midnight.
  const { from, to } = resolveTimes(asked.range, new Date())
  const last = dayOf(new Date(to.getTime() - 1))
  const input = "days" in asked.range ? { ...asked, range: { from: dayOf(from), to: last } } : asked
  yield* head
  for (let before: string | undefined; ; ) {
    const { requests, next } = await listRequests(runtime, actor, { ...input, before }, { size: BATCH })
    if (requests.length > 0) yield requests.map(line).join("")
    if (!next) return
    before = next
  }
}

/**
 * Streams the log as CSV or as lines of JSON, newest first, no faster than it is read. Costs are exact, with twelve decimals. Throws
 * `rate_limited` while the account has two downloads open in this process.
 */
export function streamRequests(
  runtime: Runtime,
  actor: UserActor,
  input: RequestsInput,
  format: LogFormat = "csv",
): ReadableStream<Uint8Array> {
  requireRight(actor, "usage.read")
  return streamText(runtime, actor.accountId, lines(runtime, actor, input, format))
}
