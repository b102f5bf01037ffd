import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico, usd12 } from "@/lib/shared/money"
import type { EntryKind } from "./describe-entry"

export interface Entry {
  id: string
  at: string
  kind: EntryKind
  /** Exact USD text: positive credits, negative charges and debits. */
  amountUsd: string
  /** The account's balance right after this entry. */
  balanceAfterUsd: string
  note: string | null
  /** Of a top-up, its refund or its dispute: `top_…`. */
  topupId: string | null
  /** Of a charge: what was charged for. */
  charge: { requestId: string; keyName: string; model: string; tokens: number } | null
}

/** What `toEntries` needs of a row. */
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

const toEntry = (row: EntryRow, keyNames: ReadonlyMap<string, string>): Entry => ({
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
        keyName: keyNames.get(row.keyId ?? "") ?? "",
        model: row.modelId ?? "",
        tokens: Number(row.tokens),
      }
    : null,
})

/** Rows of one account's ledger as the console shows them. The names of their keys are read once for all. */
export async function toEntries(rows: EntryRow[]): Promise<Entry[]> {
  const ids = [...new Set(rows.map(({ keyId }) => keyId).filter((id) => id !== null))]
  const keys =
    ids.length === 0
      ? []
      : await runtime().prisma.apiKey.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } })
  const keyNames = new Map(keys.map(({ id, name }) => [id, name]))
  return rows.map((row) => toEntry(row, keyNames))
}
