import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"
import { ENTRY_FIELDS, type Entry, type EntryKind, toEntries } from "./entries"
import { monthRange } from "./months"

export interface DayCharges {
  day: string
  keyName: string
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

interface Row {
  as_of: Date
  opening: string
  day: string | null
  name: string
  decisions: string
  tokens: string
  amount: string
}

const STATEMENT = `
SELECT ledger_now() AS as_of, coalesce((SELECT balance_after_pico FROM ledger_entry
    WHERE account_id = $1 AND created_at < $2 ORDER BY created_at DESC, id DESC LIMIT 1), 0) AS opening,
  c.*, k.name
FROM (VALUES (1)) AS one LEFT JOIN (
  SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, key_id, count(*) AS decisions,
    sum(tokens) AS tokens, sum(amount_pico) AS amount
  FROM ledger_entry WHERE account_id = $1 AND created_at >= $2 AND created_at < $3 AND kind = 'charge' GROUP BY 1, 2
) AS c ON true LEFT JOIN api_key k ON k.id = c.key_id
ORDER BY c.day, k.name, c.key_id`

const dayCharges = ({ day, name, decisions, tokens, amount }: Row & { day: string }): DayCharges => ({
  day,
  keyName: name,
  decisions: Number(decisions),
  tokens: Number(tokens),
  amountUsd: usd12(pico(amount)),
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
export async function getStatement(actor: UserActor, month: string): Promise<Statement> {
  requireRight(actor, "billing.read")
  const { env, pool, prisma } = runtime()
  const { start, end } = monthRange(month)
  const { rows } = await pool.query<Row>(STATEMENT, [actor.accountId, start, end])
  const others = await prisma.ledgerEntry.findMany({
    where: { accountId: actor.accountId, createdAt: { gte: start, lt: end }, kind: { not: "charge" } },
    select: ENTRY_FIELDS,
    orderBy: { id: "asc" },
  })
  const charges = rows.filter((row): row is Row & { day: string } => row.day !== null)
  const totals = totalsOf([
    ...others.map(({ kind, amountPico }) => ({ kind: kind as EntryKind, amount: amountPico })),
    ...charges.map(({ amount }) => ({ kind: "charge" as const, amount: BigInt(amount) })),
  ])
  const opening = pico(rows[0]?.opening ?? 0)
  // Computed from the amounts on the statement, so that it adds up even while new charges arrive.
  const closing = [...totals.values()].reduce((sum, amount) => sum + amount, BigInt(opening))
  const asOf = rows[0]?.as_of ?? new Date()
  return {
    accountId: publicId("acc", actor.accountId),
    issuer: env.CONSOLE_URL,
    month,
    asOf: asOf.toISOString(),
    isOver: asOf >= end,
    openingUsd: usd12(opening),
    closingUsd: usd12(pico(closing)),
    totals: [...totals].map(([kind, amount]) => ({ kind, amountUsd: usd12(pico(amount)) })),
    entries: await toEntries(others),
    charges: charges.map(dayCharges),
  }
}
