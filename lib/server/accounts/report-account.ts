import { listKeys } from "@/lib/server/keys/read-keys"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { sumMonth } from "@/lib/server/usage/sum-month"
import { keyEnding } from "@/lib/shared/keys/label-keys"
import type { KeyStatus, KeySummary } from "@/lib/shared/keys/schema"
import { pico, usd12 } from "@/lib/shared/money"

/** A key in `GET /api/account`. Money is exact USD text with twelve decimals, times are ISO text. */
interface KeyReport {
  id: string
  name: string
  /** The last characters of the secret, which distinguish keys of one name; null for the playground's, which has no secret. */
  ending: string | null
  note: string | null
  kind: "secret" | "playground"
  status: KeyStatus
  limit_usd: string | null
  limit_period: "daily" | "lifetime" | null
  /** In the current period; without a limit since the creation of the key. */
  used_usd: string
  resets_at: string | null
  created_at: string
  last_used_at: string | null
  expires_at: string | null
}

/** The body of a 200 of `GET /api/account`. */
export interface AccountReport {
  /** `acc_…` */
  id: string
  /** May be negative. */
  balance_usd: string
  /** What requests in flight hold of the balance. */
  held_usd: string
  rate_limits: { requests_per_second: number; requests_per_second_per_key: number }
  /** The charges of this month so far, in UTC. */
  month: { from: string; spent_usd: string; decisions: number }
  /** Newest first, without revoked keys. */
  keys: KeyReport[]
}

type AccountRow = Row<"Account", "balance_pico" | "held_pico" | "requests_per_second" | "requests_per_second_per_key">

const SELECT = `
  SELECT balance_pico, held_pico - unused_credit(id) AS held_pico, requests_per_second, requests_per_second_per_key FROM account WHERE id = $1`

const reportKey = (key: KeySummary): KeyReport => ({
  id: key.id,
  name: key.name,
  ending: keyEnding(key.masked),
  note: key.note,
  kind: key.kind,
  status: key.status,
  limit_usd: key.limitUsd,
  limit_period: key.period,
  used_usd: key.spentUsd,
  resets_at: key.resetsAt,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  expires_at: key.expiresAt,
})

/** Returns what programs watch of the actor's account: its balance, holds, rate limits, keys and this month's spend. */
export async function reportAccount(runtime: Runtime, actor: AccountActor): Promise<AccountReport> {
  requireRight(actor, "account.read")
  const [{ rows }, month, keys] = await Promise.all([
    runtime.pool.query<AccountRow>(SELECT, [actor.accountId]),
    sumMonth(runtime, actor),
    listKeys(runtime, actor),
  ])
  const [account] = rows
  if (!account) throw new Error("the actor has no account")
  return {
    id: publicId("acc", actor.accountId),
    balance_usd: usd12(pico(account.balance_pico)),
    held_usd: usd12(pico(account.held_pico)),
    rate_limits: {
      requests_per_second: account.requests_per_second,
      requests_per_second_per_key: account.requests_per_second_per_key,
    },
    month: { from: month.from, spent_usd: month.costUsd, decisions: month.decisions },
    keys: keys.filter(({ status }) => status !== "revoked").map(reportKey),
  }
}
