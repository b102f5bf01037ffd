import { readKeyLabels } from "@/lib/server/keys/read-keys"
import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { type EntryKind, ListEntriesInput } from "@/lib/shared/billing/schema"
import { keyEnding } from "@/lib/shared/keys/label-keys"
import { pico, usd12 } from "@/lib/shared/money"
import { DAY_MS } from "@/lib/shared/time"

export interface Entry {
  id: string
  /** ISO text. */
  at: string
  kind: EntryKind
  /** Exact USD text: credits are positive, charges and debits negative. */
  amountUsd: string
  /** The account's balance after this entry. */
  balanceAfterUsd: string
  note: string | null
  /** `top_…` of a top-up, its refund or its dispute; else null. */
  topupId: string | null
  /** The request of a charge; else null. `keyLabel` distinguishes keys with equal names; `keyEnding` is null for a key without a secret. */
  charge: {
    requestId: string
    keyName: string
    keyLabel: string
    keyEnding: string | null
    model: string
    tokens: number
  } | null
}

export const ENTRY_LABELS: Record<EntryKind, string> = {
  charge: "Decision",
  welcome: "Welcome credit",
  credit: "Credit by the operator",
  debit: "Debit by the operator",
  topup: "Top-up",
  refund: "Refund",
  dispute: "Dispute",
}

/** Returns the label of an entry. A refund that adds to the balance has failed; a dispute that does was won. */
export function describeEntry({ kind, amountUsd }: { kind: EntryKind; amountUsd: string }): string {
  const isAdded = !amountUsd.startsWith("-")
  if (kind === "refund" && isAdded) return "Refund failed, credited again"
  if (kind === "dispute" && isAdded) return "Dispute ended, credited again"
  return ENTRY_LABELS[kind]
}

/** The columns that `toEntries` reads. */
export const ENTRY_FIELDS = {
  id: true,
  createdAt: true,
  kind: true,
  amountPico: true,
  balanceAfterPico: true,
  source: true,
  note: true,
  holdId: true,
  modelId: true,
  tokens: true,
  keyId: true,
} as const

interface EntryRow {
  id: bigint
  createdAt: Date
  kind: string
  amountPico: bigint
  balanceAfterPico: bigint
  source: string | null
  note: string | null
  holdId: string | null
  modelId: string | null
  tokens: bigint | null
  keyId: string | null
}

function topupOf(source: string | null): string | null {
  const uuid = /^topup:([0-9a-f-]{36})(?::|$)/.exec(source ?? "")?.[1]
  return uuid ? publicId("top", uuid) : null
}

type Names = ReadonlyMap<string, string>

type Keys = ReadonlyMap<string, { name: string; masked: string | null }>

const toEntry = (row: EntryRow, keys: Keys, keyLabels: Names): Entry => ({
  id: String(row.id),
  at: row.createdAt.toISOString(),
  kind: row.kind as EntryKind,
  amountUsd: usd12(pico(row.amountPico)),
  balanceAfterUsd: usd12(pico(row.balanceAfterPico)),
  note: row.note,
  topupId: topupOf(row.source),
  charge: row.holdId
    ? {
        requestId: publicId("req", row.holdId),
        keyName: keys.get(row.keyId ?? "")?.name ?? "",
        keyLabel: keyLabels.get(row.keyId ?? "") ?? "",
        keyEnding: keyEnding(keys.get(row.keyId ?? "")?.masked ?? null),
        model: row.modelId ?? "",
        tokens: Number(row.tokens),
      }
    : null,
})

/** Converts ledger rows of one account, with one query for the names and one for the labels of all keys. */
export async function toEntries(accountId: string, rows: EntryRow[]): Promise<Entry[]> {
  const ids = [...new Set(rows.map(({ keyId }) => keyId).filter((id) => id !== null))]
  if (ids.length === 0) return rows.map((row) => toEntry(row, new Map(), new Map()))
  const [keys, labels] = await Promise.all([
    runtime().prisma.apiKey.findMany({ where: { id: { in: ids } }, select: { id: true, name: true, masked: true } }),
    readKeyLabels(accountId),
  ])
  const byId = new Map(keys.map((key) => [key.id, key]))
  return rows.map((row) => toEntry(row, byId, labels))
}

export interface Entries {
  entries: Entry[]
  /** The `before` of the next older page; null on the last one. */
  next: string | null
}

const PAGE = 50

/** Returns the times of a range of UTC days. */
const timesOf = ({ from, to }: ListEntriesInput) => ({
  ...(from ? { gte: new Date(from) } : {}),
  ...(to ? { lt: new Date(Date.parse(to) + DAY_MS) } : {}),
})

/**
 * Returns a page of 50 ledger entries of the actor's account, newest first, of one kind and between two days if the input
 * names them. Needs `billing.read`.
 */
export async function listEntries(actor: UserActor, input: ListEntriesInput = {}): Promise<Entries> {
  requireRight(actor, "billing.read")
  const asked = parseInput(ListEntriesInput, input)
  const { before, kind } = asked
  const rows = await runtime().prisma.ledgerEntry.findMany({
    where: {
      accountId: actor.accountId,
      createdAt: timesOf(asked),
      ...(before ? { id: { lt: BigInt(before) } } : {}),
      // The second condition lets PostgreSQL use the index of everything but charges.
      ...(kind ? { AND: [{ kind }, kind === "charge" ? {} : { kind: { not: "charge" } }] } : {}),
    },
    select: ENTRY_FIELDS,
    orderBy: { id: "desc" },
    take: PAGE + 1,
  })
  const page = rows.slice(0, PAGE)
  return { entries: await toEntries(actor.accountId, page), next: rows.length > PAGE ? String(page.at(-1)?.id) : null }
}
