import { z } from "zod"
import type { AccountActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { csvText } from "@/lib/shared/csv"
import { ServiceError } from "@/lib/shared/errors"
import { keyEnding } from "@/lib/shared/keys/label-keys"
import { pico, usd12 } from "@/lib/shared/money"
import { DAY_MS, dayOf } from "@/lib/shared/time"
import { readSnapshot } from "./read-snapshot"
import { LIVE, spent, spentValues } from "./spent"

const DEFAULT_DAYS = 30
const MAX_DAYS = 366
/** A longer report would be built and sent in one piece for too long. */
const MAX_ROWS = 10_000

const Day = z.iso.date("Use a UTC day, such as 2026-11-20.").optional()

/** The query of `GET /api/usage`: UTC days, both included. Without `from` the last 30 days up to `to`, without `to` up to today. */
export const ReportUsageInput = z.strictObject(
  { from: Day, to: Day, format: z.enum(["json", "csv"], "Use json or csv.").default("json") },
  { error: (issue) => (issue.code === "unrecognized_keys" ? "Use from, to and format only." : undefined) },
)
export type ReportUsageInput = z.output<typeof ReportUsageInput>

/** One UTC day of one key and one pinned model. Days without a charge have no row. */
interface UsageRow {
  date: string
  /** `key_…` */
  key_id: string
  key_name: string
  /** The last characters of the key's secret; null for the playground's. */
  key_ending: string | null
  model: string
  decisions: number
  /** Billable input tokens. */
  input_tokens: number
  cost_usd: string
}

export interface UsageReport {
  from: string
  to: string
  /** When the report was read, as ISO text. */
  as_of: string
  total: Pick<UsageRow, "decisions" | "input_tokens" | "cost_usd">
  /** Newest day first, and within a day the most expensive first. */
  data: UsageRow[]
}

interface Row {
  date: string
  key_id: string
  key_name: string
  masked: string | null
  model: string
  decisions: string
  tokens: string
  cost_pico: string
}

const STATEMENT = `
WITH ${LIVE}
SELECT to_char(s.start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, s.key_id, k.name AS key_name, k.masked, s.model_id AS model,
  sum(s.decisions) AS decisions, sum(s.tokens) AS tokens, sum(s.cost_pico) AS cost_pico
FROM ${spent("both")} s JOIN api_key k ON k.id = s.key_id
GROUP BY s.start, s.key_id, k.name, k.masked, s.model_id
ORDER BY s.start DESC, sum(s.cost_pico) DESC, s.key_id, s.model_id LIMIT ${MAX_ROWS + 1}`

/** Returns the range as times, the end exclusive. Throws `invalid_request` when it ends before it starts or is too long. */
function rangeOf({ from, to }: ReportUsageInput, now: Date) {
  const last = Date.parse(to ?? dayOf(now))
  const first = from === undefined ? last - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(from)
  const refuse = (message: string) => new ServiceError("invalid_request", { param: "from", message })
  if (first > last) throw refuse("The first day must not be after the last day.")
  if (last - first >= MAX_DAYS * DAY_MS) throw refuse(`A report covers at most ${MAX_DAYS} days.`)
  return { unit: "day" as const, from: new Date(first), to: new Date(last + DAY_MS) }
}

const sum = (rows: Row[], column: "decisions" | "tokens" | "cost_pico"): bigint =>
  rows.reduce((total, row) => total + BigInt(row[column]), 0n)

/**
 * Returns what the account's keys spent by UTC day, key and model, equal to the ledger's charges. Costs are exact USD texts
 * with twelve decimals. Throws `invalid_request` for a bad range, and for one with more than 10,000 rows.
 */
export async function reportUsage(
  runtime: Runtime,
  actor: AccountActor,
  asked: ReportUsageInput,
): Promise<UsageReport> {
  return readSnapshot(runtime, actor, async (snapshot) => {
    const range = rangeOf(asked, snapshot.asOf)
    const values = spentValues(actor, range, snapshot, { keyId: null, model: null })
    const rows = await snapshot.rows<Row>(STATEMENT, values)
    if (rows.length > MAX_ROWS)
      throw new ServiceError("invalid_request", {
        param: "from",
        message: `The report has more than ${MAX_ROWS.toLocaleString("en")} rows. Ask for fewer days.`,
      })
    return {
      from: dayOf(range.from),
      to: dayOf(new Date(range.to.getTime() - DAY_MS)),
      as_of: snapshot.asOf.toISOString(),
      total: {
        decisions: Number(sum(rows, "decisions")),
        input_tokens: Number(sum(rows, "tokens")),
        cost_usd: usd12(pico(sum(rows, "cost_pico"))),
      },
      data: rows.map(({ date, key_id, key_name, masked, model, decisions, tokens, cost_pico }) => ({
        date,
        key_id: publicId("key", key_id),
        key_name,
        key_ending: keyEnding(masked),
        model,
        decisions: Number(decisions),
        input_tokens: Number(tokens),
        cost_usd: usd12(pico(cost_pico)),
      })),
    }
  })
}

const HEAD = "date,key_id,key,model,decisions,input_tokens,cost_usd,key_ending\r\n"

/** Returns the rows of a report as CSV. */
export const usageAsCsv = ({ data }: UsageReport): string =>
  HEAD +
  data
    .map(({ date, key_id, key_name, key_ending, model, decisions, input_tokens, cost_usd }) =>
      [
        date,
        key_id,
        csvText(key_name),
        csvText(model),
        decisions,
        input_tokens,
        cost_usd,
        key_ending === null ? "" : csvText(key_ending),
      ].join(","),
    )
    .map((line) => `${line}\r\n`)
    .join("")
