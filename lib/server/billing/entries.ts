import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { EntryKind, ListEntriesInput } from "@/lib/shared/billing/schema"
import { keyEnding, labelKeys } from "@/lib/shared/keys/label-keys"
import { pico, usd12 } from "@/lib/shared/money"
import { DAY_MS } from "@/lib/shared/time"
import type { ApiKey } from "@/prisma/client/client"

export interface Entry {
  id: string
  /** ISO text. */
  at: string
  kind: EntryKind
  /** Exact USD text: credits are positive, charges and debits negative. */
  amountUsd: string
  balanceAfterUsd: string
  note: string | null
  /** Whether the service itself credited back the charge of a request whose answer was not sent. */
  isReversal: boolean
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
    tags: string[]
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
export function describeEntry({
  kind,
  amountUsd,
  isReversal,
}: Pick<Entry, "kind" | "amountUsd" | "isReversal">): string {
  if (isReversal) return "Charge reversed"
  const isAdded = !amountUsd.startsWith("-")
  if (kind === "refund" && isAdded) return "Refund failed, credited again"
  if (kind === "dispute" && isAdded) return "Dispute ended, credited again"
  return ENTRY_LABELS[kind]
}

/** The columns that `toEntries` reads. */
export const ENTRY_COLUMNS =
  "id, created_at, kind, amount_pico, balance_after_pico, source, note, hold_id, model_id, tokens, key_id, tags"

export type EntryRow = Row<
  "LedgerEntry",
  | "id"
  | "created_at"
  | "amount_pico"
  | "balance_after_pico"
  | "source"
  | "note"
  | "hold_id"
  | "model_id"
  | "tokens"
  | "key_id"
> &
  Nullable<Row<"LedgerEntry", "tags">> & { kind: EntryKind }

function topupOf(source: string | null): string | null {
  const uuid = /^topup:([0-9a-f-]{36})(?::|$)/.exec(source ?? "")?.[1]
  return uuid ? publicId("top", uuid) : null
}

type Names = ReadonlyMap<string, string>

type Keys = ReadonlyMap<string, Pick<ApiKey, "name" | "masked">>

const toEntry = (row: EntryRow, keys: Keys, keyLabels: Names): Entry => ({
  id: row.id,
  at: row.created_at.toISOString(),
  kind: row.kind,
  amountUsd: usd12(pico(row.amount_pico)),
  balanceAfterUsd: usd12(pico(row.balance_after_pico)),
  note: row.note,
  isReversal: row.source?.startsWith("undo:") ?? false,
  topupId: topupOf(row.source),
  charge: row.hold_id
    ? {
        requestId: publicId("req", row.hold_id),
        keyName: keys.get(row.key_id ?? "")?.name ?? "",
        keyLabel: keyLabels.get(row.key_id ?? "") ?? "",
        keyEnding: keyEnding(keys.get(row.key_id ?? "")?.masked ?? null),
        model: row.model_id ?? "",
        tokens: Number(row.tokens),
        tags: row.tags ?? [],
      }
    : null,
})

/** Converts ledger rows of one account, with one query for its keys. */
export async function toEntries(runtime: Runtime, accountId: string, rows: EntryRow[]): Promise<Entry[]> {
  if (!rows.some(({ key_id }) => key_id !== null)) return rows.map((row) => toEntry(row, new Map(), new Map()))
  const keys = await prisma(runtime).apiKey.findMany({
    where: { accountId },
    select: { id: true, name: true, masked: true },
  })
  const [byId, labels] = [new Map(keys.map((key) => [key.id, key])), labelKeys(keys)]
  return rows.map((row) => toEntry(row, byId, labels))
}

export interface Entries {
  entries: Entry[]
  /** The `before` of the next older page; null on the last one. */
  next: string | null
}

const PAGE = 50

// The last condition lets PostgreSQL use the index of everything but charges.
const LIST = `
  SELECT ${ENTRY_COLUMNS} FROM ledger_entry
  WHERE account_id = $1 AND ($2::timestamptz IS NULL OR created_at >= $2) AND ($3::timestamptz IS NULL OR created_at < $3)
    AND ($4::bigint IS NULL OR id < $4) AND ($5::text IS NULL OR kind = $5)
    AND ($5::text IS NULL OR $5 = 'charge' OR kind <> 'charge')
  ORDER BY id DESC LIMIT ${PAGE + 1}`

/**
 * Returns a page of 50 ledger entries of the actor's account, newest first. The input can limit the kind and the days. Needs
 * `billing.read`.
 */
export async function listEntries(
  runtime: Runtime,
  actor: AccountActor,
  { from, to, before, kind }: ListEntriesInput = {},
): Promise<Entries> {
  requireRight(actor, "billing.read")
  const start = from ? new Date(from) : null
  const end = to ? new Date(Date.parse(to) + DAY_MS) : null
  const { rows } = await runtime.pool.query<EntryRow>(LIST, [actor.accountId, start, end, before ?? null, kind ?? null])
  const page = rows.slice(0, PAGE)
  const next = rows.length > PAGE ? (page.at(-1)?.id ?? null) : null
  return { entries: await toEntries(runtime, actor.accountId, page), next }
}
