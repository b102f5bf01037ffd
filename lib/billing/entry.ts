import "server-only"
import { publicId } from "../ids"
import { pico, usd12 } from "../money"
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

/** What `toEntry` needs of a row. */
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
  key: { select: { name: true } },
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
  key: { name: string } | null
}

function topupOf(source: string | null): string | null {
  const uuid = /^topup:([0-9a-f-]{36})(?::|$)/.exec(source ?? "")?.[1]
  return uuid ? publicId("top", uuid) : null
}

/** A row of the ledger as the console shows it. */
export const toEntry = (row: EntryRow): Entry => ({
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
        keyName: row.key?.name ?? "",
        model: row.modelId ?? "",
        tokens: Number(row.tokens),
      }
    : null,
})
