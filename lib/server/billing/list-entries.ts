import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ListEntriesInput } from "@/lib/shared/billing/schema"
import { ENTRY_FIELDS, type Entry, toEntries } from "./entry"

export interface Entries {
  entries: Entry[]
  /** Give it as `before` for the next older page; null on the last. */
  next: string | null
}

const PAGE = 50

/** The account's ledger with the balance after each entry, newest first, fifty to a page. For its owners. */
export async function listEntries(actor: UserActor, input: ListEntriesInput = {}): Promise<Entries> {
  requireRight(actor, "billing.read")
  const { before } = ListEntriesInput.parse(input)
  const rows = await runtime().prisma.ledgerEntry.findMany({
    where: { accountId: actor.accountId, ...(before ? { id: { lt: BigInt(before) } } : {}) },
    select: ENTRY_FIELDS,
    orderBy: { id: "desc" },
    take: PAGE + 1,
  })
  const page = rows.slice(0, PAGE)
  return { entries: await toEntries(page), next: rows.length > PAGE ? String(page.at(-1)?.id) : null }
}
