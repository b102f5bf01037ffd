import { readKeyLabels } from "@/lib/server/keys/read-keys"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { readSnapshot, type Snapshot } from "@/lib/server/usage/read-snapshot"
import { LIVE, spent, spentValues } from "@/lib/server/usage/spent"
import type { EntryKind, MonthInput } from "@/lib/shared/billing/schema"
import { pico, usd12 } from "@/lib/shared/money"
import { ENTRY_COLUMNS, type Entry, type EntryRow, toEntries } from "./entries"
import { monthRange } from "./months"

interface DayCharges {
  day: string
  /** The key's name, with the ending of its secret when another key has the same name. */
  keyLabel: string
  decisions: number
  tokens: number
  amountUsd: string
}

export interface Statement {
  accountId: string
  issuer: string
  month: string
  /** When the statement was created, as ISO text. The month may still be running. */
  asOf: string
  isOver: boolean
  openingUsd: string
  closingUsd: string
  /** The sums of the month's entries by kind, without kinds that have none. */
  totals: { kind: EntryKind; amountUsd: string }[]
  entries: Entry[]
  charges: DayCharges[]
}

interface DayRow {
  day: string
  key: string
  decisions: string
  tokens: string
  amount: string
}

const CHARGES = `
WITH ${LIVE}
SELECT to_char(s.start AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, k.id AS key, sum(s.decisions) AS decisions, sum(s.tokens) AS tokens,
  -sum(s.cost_pico) AS amount
FROM ${spent("key")} s JOIN api_key k ON k.id = s.key_id
GROUP BY s.start, k.id, k.name ORDER BY s.start, k.name, k.id`

/** Sums the charges since a time. Takes `spentValues`. Reads stored sums, because there may be millions of charges. */
const CHARGED_SINCE = `WITH ${LIVE} SELECT coalesce(sum(cost_pico), 0) AS cost FROM ${spent("start")} s`

const OTHERS_SINCE = `
SELECT coalesce(sum(amount_pico), 0) AS amount FROM ledger_entry WHERE account_id = $1 AND kind <> 'charge' AND created_at >= $2`

const OTHERS = `
SELECT ${ENTRY_COLUMNS} FROM ledger_entry
WHERE account_id = $1 AND kind <> 'charge' AND created_at >= $2 AND created_at < $3 ORDER BY id`

const dayCharges = (
  { day, key, decisions, tokens, amount }: DayRow,
  labels: ReadonlyMap<string, string>,
): DayCharges => ({
  day,
  keyLabel: labels.get(key) ?? "",
  decisions: Number(decisions),
  tokens: Number(tokens),
  amountUsd: usd12(pico(amount)),
})

const NO_END = new Date("9999-12-31")
const EVERYTHING = { keyId: null, model: null }

/** Returns the balance before a time: the current balance minus all amounts since then. */
async function balanceBefore(snapshot: Snapshot, actor: UserActor, from: Date): Promise<bigint> {
  const since = { unit: "day" as const, from, to: NO_END }
  const [now] = await snapshot.rows<{ balance: string }>("SELECT balance_pico AS balance FROM account WHERE id = $1", [
    actor.accountId,
  ])
  const [others] = await snapshot.rows<{ amount: string }>(OTHERS_SINCE, [actor.accountId, from])
  const [charged] = await snapshot.rows<{ cost: string }>(
    CHARGED_SINCE,
    spentValues(actor, since, snapshot, EVERYTHING),
  )
  return BigInt(now?.balance ?? 0) - BigInt(others?.amount ?? 0) + BigInt(charged?.cost ?? 0)
}

interface Month {
  asOf: Date
  opening: bigint
  others: EntryRow[]
  charges: DayRow[]
  labels: ReadonlyMap<string, string>
}

const readMonth = (runtime: Runtime, actor: UserActor, { start, end }: { start: Date; end: Date }): Promise<Month> =>
  readSnapshot(runtime, actor, async (snapshot) => {
    const range = { unit: "day" as const, from: start, to: end }
    return {
      asOf: snapshot.asOf,
      opening: await balanceBefore(snapshot, actor, start),
      others: await snapshot.rows<EntryRow>(OTHERS, [actor.accountId, start, end]),
      charges: await snapshot.rows<DayRow>(CHARGES, spentValues(actor, range, snapshot, EVERYTHING)),
      labels: await readKeyLabels(actor.accountId, snapshot.rows),
    }
  })

function totalsOf(parts: { kind: EntryKind; amount: bigint }[]): Map<EntryKind, bigint> {
  const totals = new Map<EntryKind, bigint>()
  for (const { kind, amount } of parts) totals.set(kind, (totals.get(kind) ?? 0n) + amount)
  return totals
}

/**
 * Returns a month of the actor's account: the opening and closing balance, every entry except charges, and the sums of
 * charges by day and key. Needs `billing.read`.
 */
export async function getStatement(runtime: Runtime, actor: UserActor, { month }: MonthInput): Promise<Statement> {
  requireRight(actor, "billing.read")
  const { env } = runtime
  const { start, end } = monthRange(month)
  const { asOf, opening, others, charges, labels } = await readMonth(runtime, actor, { start, end })
  const totals = totalsOf([
    ...others.map(({ kind, amount_pico }) => ({ kind, amount: BigInt(amount_pico) })),
    ...charges.map(({ amount }) => ({ kind: "charge" as const, amount: BigInt(amount) })),
  ])
  const closing = [...totals.values()].reduce((sum, amount) => sum + amount, opening)
  return {
    accountId: publicId("acc", actor.accountId),
    issuer: env.CONSOLE_URL,
    month,
    asOf: asOf.toISOString(),
    isOver: asOf >= end,
    openingUsd: usd12(pico(opening)),
    closingUsd: usd12(pico(closing)),
    totals: [...totals].map(([kind, amount]) => ({ kind, amountUsd: usd12(pico(amount)) })),
    entries: await toEntries(runtime, actor.accountId, others),
    charges: charges.map((row) => dayCharges(row, labels)),
  }
}
