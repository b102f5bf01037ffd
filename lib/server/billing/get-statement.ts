import { readKeyLabels } from "@/lib/server/keys/read-keys"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { type Issuer, readIssuer } from "@/lib/server/platform/site"
import { readSnapshot, type Snapshot } from "@/lib/server/usage/read-snapshot"
import { TAGGED } from "@/lib/server/usage/read-tags"
import { LIVE, spent, spentValues } from "@/lib/server/usage/spent"
import type { BillingDetails } from "@/lib/shared/billing/billing-details"
import type { EntryKind, MonthInput } from "@/lib/shared/billing/schema"
import { pico, usd12 } from "@/lib/shared/money"
import { readBillingDetails } from "./billing-details"
import { monthRange, statementNumber } from "./months"
import { type ChargeSum, chargeSum, othersLabel, type SumRow, sumsBy } from "./statement-sums"

export interface Statement {
  number: string
  accountId: string
  issuer: Issuer
  addressee: BillingDetails & { accountName: string }
  month: string
  /** When the statement was created, as ISO text. The month may still be running. */
  asOf: string
  isOver: boolean
  openingUsd: string
  closingUsd: string
  /** The sums of the month's entries by kind, without kinds that have none. */
  totals: { kind: EntryKind; amountUsd: string }[]
  /** The month's charges, the largest first. Each list adds up to their total, but for tags. */
  byKey: ChargeSum[]
  byModel: ChargeSum[]
  /** By who created the key. */
  byMember: ChargeSum[]
  /** A charge with several tags counts for each, so that this list does not add up. */
  byTag: ChargeSum[]
}

type KeyRow = SumRow & { key: string; member: string | null }
type ModelRow = SumRow & { model: string }
/** A tag, or null for the `names` tags that share the last line. */
type TagRow = SumRow & { tag: string | null; names: string }
type KindRow = { kind: EntryKind; amount: string }

const SUMS = "sum(s.decisions) AS decisions, sum(s.tokens) AS tokens, sum(s.cost_pico) AS cost"

const BY_KEY = `
WITH ${LIVE}
SELECT k.id AS key, u.email AS member, ${SUMS}
FROM ${spent("key")} s JOIN api_key k ON k.id = s.key_id LEFT JOIN app_user u ON u.id = k.created_by
GROUP BY k.id, u.email`

const BY_MODEL = `WITH ${LIVE} SELECT s.model_id AS model, ${SUMS} FROM ${spent("model")} s GROUP BY s.model_id`

/** Sums the charges since a time. Takes `spentValues`. Reads stored sums, because there may be millions of charges. */
const CHARGED_SINCE = `WITH ${LIVE} SELECT coalesce(sum(cost_pico), 0) AS cost FROM ${spent("start")} s`

const OTHERS_SINCE = `
SELECT coalesce(sum(amount_pico), 0) AS amount FROM ledger_entry WHERE account_id = $1 AND kind <> 'charge' AND created_at >= $2`

const OTHERS = `
SELECT kind, sum(amount_pico) AS amount FROM ledger_entry
WHERE account_id = $1 AND kind <> 'charge' AND created_at >= $2 AND created_at < $3 GROUP BY kind ORDER BY kind`

const NAME = "SELECT account_name($1) AS shown"
/** With these numbers of lines, a statement fits on one printed page. */
const KEY_LINES = 12
const OTHER_LINES = 6

/** Ranks in SQL, because requests may name any number of tags. */
const BY_TAG = `
WITH ${TAGGED},
  ranked AS (
    SELECT s.tag, ${SUMS}, row_number() OVER (ORDER BY sum(s.cost_pico) DESC, s.tag) AS rank, count(*) OVER () AS names
    FROM tagged s GROUP BY s.tag
  ),
  lines AS (SELECT CASE WHEN names <= ${OTHER_LINES} OR rank < ${OTHER_LINES} THEN tag END AS tag, decisions, tokens, cost, rank FROM ranked)
SELECT tag, count(*) AS names, sum(decisions) AS decisions, sum(tokens) AS tokens, sum(cost) AS cost
FROM lines GROUP BY tag ORDER BY min(rank)`

const NO_END = new Date("9999-12-31")
const EVERYTHING = { keyId: null, model: null }

/** Returns the balance before a time: the current balance minus all amounts since then. */
async function balanceBefore(snapshot: Snapshot, actor: AccountActor, from: Date): Promise<bigint> {
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
  others: KindRow[]
  keys: KeyRow[]
  models: ModelRow[]
  tags: TagRow[]
  labels: ReadonlyMap<string, string>
  accountName: string
}

const readMonth = (runtime: Runtime, actor: AccountActor, { start, end }: { start: Date; end: Date }): Promise<Month> =>
  readSnapshot(runtime, actor, async (snapshot) => {
    const values = spentValues(actor, { unit: "day", from: start, to: end }, snapshot, EVERYTHING)
    const [name] = await snapshot.rows<{ shown: string | null }>(NAME, [actor.accountId])
    return {
      asOf: snapshot.asOf,
      opening: await balanceBefore(snapshot, actor, start),
      others: await snapshot.rows<KindRow>(OTHERS, [actor.accountId, start, end]),
      keys: await snapshot.rows<KeyRow>(BY_KEY, values),
      models: await snapshot.rows<ModelRow>(BY_MODEL, values),
      tags: await snapshot.rows<TagRow>(BY_TAG, values),
      labels: await readKeyLabels(actor.accountId, snapshot.rows),
      accountName: name?.shown ?? "",
    }
  })

/** Returns the sums of the month by kind of entry, as pico-USD. Charges are negative, and last. */
function totalsOf({ others, models }: Month): { kind: EntryKind; amount: bigint }[] {
  const cost = models.reduce((sum, row) => sum + BigInt(row.cost), 0n)
  const totals = others.map(({ kind, amount }) => ({ kind, amount: BigInt(amount) }))
  return models.length === 0 ? totals : [...totals, { kind: "charge", amount: -cost }]
}

/**
 * Returns a month of the actor's account: issuer and addressee, the opening and closing balance, the sums of entries by kind, and of
 * charges by key, model, member and tag. Needs `billing.read`.
 */
export async function getStatement(runtime: Runtime, actor: AccountActor, { month }: MonthInput): Promise<Statement> {
  requireRight(actor, "billing.read")
  const { accountId } = actor
  const { start, end } = monthRange(month)
  const [read, details] = await Promise.all([
    readMonth(runtime, actor, { start, end }),
    readBillingDetails(runtime, accountId),
  ])
  const totals = totalsOf(read)
  const closing = totals.reduce((sum, { amount }) => sum + amount, read.opening)
  return {
    number: statementNumber(accountId, month),
    accountId: publicId("acc", accountId),
    issuer: readIssuer(runtime),
    addressee: { ...details, accountName: read.accountName },
    month,
    asOf: read.asOf.toISOString(),
    isOver: read.asOf >= end,
    openingUsd: usd12(pico(read.opening)),
    closingUsd: usd12(pico(closing)),
    totals: totals.map(({ kind, amount }) => ({ kind, amountUsd: usd12(pico(amount)) })),
    byKey: sumsBy(read.keys, KEY_LINES, ({ key }) => read.labels.get(key) ?? ""),
    byModel: sumsBy(read.models, OTHER_LINES, ({ model }) => model),
    byMember: sumsBy(read.keys, OTHER_LINES, ({ member }) => member ?? "Playground and keys without a creator"),
    byTag: read.tags.map((row) => chargeSum(row.tag ?? othersLabel(row.names), row)),
  }
}
