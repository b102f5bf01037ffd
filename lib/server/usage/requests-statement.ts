import { errorTable } from "@/lib/shared/errors"
import type { Pico } from "@/lib/shared/money"
import type { QuestionTypeName } from "@/questions/question-types"
import { CHARGE_COLUMNS, EVENT_COLUMNS, ROW_COLUMNS } from "./request-row"
import type { Filter } from "./spent"

export interface RequestsWanted extends Filter {
  accountId: string
  from: Date
  /** A time in microseconds and the UUID of a request. */
  before: { micros: string; id: string }
  /** `answered`, `refused` or an error's code; null for all. */
  result: string | null
  /** Keeps charged requests with a question of this type; null for all. */
  type: QuestionTypeName | null
  minMs: number | null
  maxMs: number | null
  /** With either, only charged requests are wanted. */
  minPico: Pico | null
  maxPico: Pico | null
  limit: number
}

type OfKind = Pick<RequestsWanted, "result" | "type" | "tag" | "minPico" | "maxPico">

/** Returns whether charged requests can be among the wanted ones. */
export const hasCharges = ({ result }: OfKind): boolean => result === null || result === "answered"

/** Returns whether requests without an answer can be among the wanted ones. They have no cost, and their questions and tags are not stored. */
export const hasRefusals = ({ result, type, tag, minPico, maxPico }: OfKind): boolean =>
  result !== "answered" && type === null && tag === undefined && minPico === null && maxPico === null

/** The question types whose counts have a column of their own. */
const TYPES_WITH_COLUMN: readonly string[] = ["noul", "choice", "score"]

interface Statement {
  text: string
  values: unknown[]
}

const timestampOf = (micros: string): string => {
  const millis = new Date(Number(BigInt(micros) / 1000n)).toISOString().slice(0, -1)
  return `${millis}${String(BigInt(micros) % 1000n).padStart(3, "0")}Z`
}

/**
 * Returns the statement of one page of requests. Each part scans an index backwards from the cursor. Charges take one scan per pair of
 * key and model, and refused requests that are filtered by key or code take one per pair of key and code. So a rare match is found
 * without reading other rows, except for filters by latency, cost, tag or type of question, and for refused requests that are filtered by
 * model: `findSpans` bounds those. Null if no request can match.
 */
export function requestsStatement(wanted: RequestsWanted): Statement | null {
  const { accountId, from, before, keyId, model, result, limit } = wanted
  const values: unknown[] = []
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`
  const account = value(accountId, "uuid")
  const until = value(timestampOf(before.micros), "timestamptz")
  // The simple comparison chooses partitions, and does so while planning because nothing has to be computed.
  const page = (id: string) =>
    `created_at >= ${value(from, "timestamptz")} AND created_at <= ${until} AND (created_at, ${id}) < (${until}, ${value(before.id, "uuid")})
     ORDER BY created_at DESC, ${id} DESC LIMIT ${value(limit, "int")}`
  const keys = () =>
    `(SELECT id FROM api_key WHERE account_id = ${account}${keyId ? ` AND id = ${value(keyId, "uuid")}` : ""}) keys`

  const { type, tag, minMs, maxMs, minPico, maxPico } = wanted
  const latency = [
    ...(minMs === null ? [] : [`latency_ms >= ${value(minMs, "int")} AND `]),
    ...(maxMs === null ? [] : [`latency_ms <= ${value(maxMs, "int")} AND `]),
  ].join("")
  const ofCharge = () =>
    [
      latency,
      ...(minPico === null ? [] : [`amount_pico <= ${value(-minPico, "bigint")} AND `]),
      ...(maxPico === null ? [] : [`amount_pico >= ${value(-maxPico, "bigint")} AND `]),
      ...(tag === undefined ? [] : [`${value(tag, "text")} = ANY (tags) AND `]),
      ...(type === null
        ? []
        : [
            TYPES_WITH_COLUMN.includes(type)
              ? `${type}_count > 0 AND `
              : `question_counts ? ${value(type, "text")} AND `,
          ]),
    ].join("")

  const charges = () => {
    const models = `(SELECT id FROM model WHERE kind = 'pinned'${model ? ` AND id = ${value(model, "text")}` : ""}) models`
    return `SELECT charges.* FROM ${keys()} CROSS JOIN ${models} CROSS JOIN LATERAL (
      SELECT ${CHARGE_COLUMNS} FROM ledger_entry WHERE key_id = keys.id AND model_id = models.id AND ${ofCharge()}${page("hold_id")}) charges`
  }
  const events = () => {
    const ofModel = `${latency}${model ? `model_id = ${value(model, "text")} AND ` : ""}`
    const one = result === null || result === "refused" ? null : result
    if (!keyId && !one)
      return `SELECT ${EVENT_COLUMNS} FROM request_event WHERE account_id = ${account} AND ${ofModel}${page("id")}`
    const codes = value(one ? [one] : Object.keys(errorTable), "text[]")
    return `SELECT events.* FROM ${keys()} CROSS JOIN unnest(${codes}) AS codes(code) CROSS JOIN LATERAL (
      SELECT ${EVENT_COLUMNS} FROM request_event WHERE key_id = keys.id AND code = codes.code AND ${ofModel}${page("id")}) events`
  }
  const parts = [...(hasCharges(wanted) ? [charges()] : []), ...(hasRefusals(wanted) ? [events()] : [])]
  if (parts.length === 0) return null
  const text = `SELECT ${ROW_COLUMNS} FROM (${parts.map((part) => `(${part})`).join(" UNION ALL ")}) r
    JOIN api_key k ON k.id = r.key_id ORDER BY r.created_at DESC, r.id DESC LIMIT ${value(limit, "int")}`
  return { text, values }
}
