import { type KeyActor, systemFor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, pico } from "@/lib/shared/money"
import { DAY_MS } from "@/lib/shared/time"
import { readSnapshot } from "./read-snapshot"
import { LIVE, spent, spentValues } from "./spent"

/** What a key may spend and has spent. */
export interface KeySpend {
  /** The first and last characters of the secret. */
  masked: string
  /** Null without a limit. */
  limitPico: Pico | null
  /** What is left of the limit in its period, at least zero. Null without a limit. */
  remainingPico: Pico | null
  period: "daily" | "lifetime" | null
  expiresAt: Date | null
  /** Charged since the key was created, and since the start of this UTC day, week (from Monday) and month. */
  spentPico: Record<"ever" | "day" | "week" | "month", Pico>
}

type KeyRow = Row<"ApiKey", "limit_pico" | "expires_at"> & {
  masked: string
  limit_period: KeySpend["period"]
  remaining: string | null
}

const KEY = `
  SELECT masked, limit_pico, limit_period, expires_at,
    CASE WHEN limit_pico IS NOT NULL THEN greatest(limit_pico - spent_in_period(k, ledger_now()), 0) END AS remaining
  FROM api_key k WHERE account_id = $1 AND id = $2`

const since = (unit: string) =>
  `coalesce(sum(cost_pico) FILTER (WHERE start >= date_trunc('${unit}', $9::timestamptz, 'UTC')), 0) AS "${unit}"`
const SPENT = `
WITH ${LIVE}
SELECT coalesce(sum(cost_pico), 0) AS ever, ${since("day")}, ${since("week")}, ${since("month")} FROM ${spent("key")} s`

type Sums = Record<keyof KeySpend["spentPico"], string>

/** Returns what the key that asks may spend and has spent, equal to the ledger. Throws `invalid_api_key` when it is gone meanwhile. */
export const readKeySpend = (runtime: Runtime, { accountId, keyId }: KeyActor): Promise<KeySpend> => {
  const actor = systemFor(accountId)
  return readSnapshot(runtime, actor, async (snapshot) => {
    const { asOf } = snapshot
    const range = { unit: "day" as const, from: new Date(0), to: new Date(asOf.getTime() + DAY_MS) }
    const [key] = await snapshot.rows<KeyRow>(KEY, [accountId, keyId])
    if (!key) throw new ServiceError("invalid_api_key")
    const values = [...spentValues(actor, range, snapshot, { keyId, model: null }), asOf]
    const [sums] = await snapshot.rows<Sums>(SPENT, values)
    if (!sums) throw new Error("a sum without groups must return one row")
    return {
      masked: key.masked,
      limitPico: key.limit_pico === null ? null : pico(key.limit_pico),
      remainingPico: key.remaining === null ? null : pico(key.remaining),
      period: key.limit_period,
      expiresAt: key.expires_at,
      spentPico: { ever: pico(sums.ever), day: pico(sums.day), week: pico(sums.week), month: pico(sums.month) },
    }
  })
}
