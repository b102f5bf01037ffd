import "server-only"
import type { UserActor } from "../auth/user-actor"
import { ServiceError } from "../errors"
import { publicId } from "../ids"
import { pico, usd12 } from "../money"
import { runtime } from "../runtime"
import { ListEntriesInput } from "./schema"

export type EntryKind = "charge" | "welcome" | "credit" | "debit" | "topup" | "refund" | "dispute"

export interface Entry {
  id: string
  at: string
  kind: EntryKind
  /** Exact USD text: positive credits, negative charges and debits. */
  amountUsd: string
  /** The account's balance right after this entry. */
  balanceAfterUsd: string
  note: string | null
  /** Of a charge: what was charged for. */
  charge: { requestId: string; keyName: string; model: string; tokens: number } | null
}

export interface Entries {
  entries: Entry[]
  /** Give it as `before` for the next older page; null on the last. */
  next: string | null
}

const PAGE = 50

const find = (accountId: string, before: string | undefined) =>
  runtime().prisma.ledgerEntry.findMany({
    where: { accountId, ...(before ? { id: { lt: BigInt(before) } } : {}) },
    select: {
      id: true,
      createdAt: true,
      kind: true,
      amountPico: true,
      balanceAfterPico: true,
      note: true,
      holdId: true,
      modelId: true,
      tokens: true,
      key: { select: { name: true } },
    },
    orderBy: { id: "desc" },
    take: PAGE + 1,
  })

const entry = (row: Awaited<ReturnType<typeof find>>[number]): Entry => ({
  id: String(row.id),
  at: row.createdAt.toISOString(),
  kind: row.kind as EntryKind,
  amountUsd: usd12(pico(row.amountPico)),
  balanceAfterUsd: usd12(pico(row.balanceAfterPico)),
  note: row.note,
  charge: row.holdId
    ? {
        requestId: publicId("req", row.holdId),
        keyName: row.key?.name ?? "",
        model: row.modelId ?? "",
        tokens: Number(row.tokens),
      }
    : null,
})

/** The account's ledger with the balance after each entry, newest first, fifty to a page. For its owners. */
export async function listEntries(actor: UserActor, input: ListEntriesInput = {}): Promise<Entries> {
  if (actor.role !== "owner")
    throw new ServiceError("forbidden", { message: "Only an owner of this account can see its ledger." })
  const { before } = ListEntriesInput.parse(input)
  const rows = await find(actor.accountId, before)
  const page = rows.slice(0, PAGE)
  return { entries: page.map(entry), next: rows.length > PAGE ? String(page.at(-1)?.id) : null }
}
