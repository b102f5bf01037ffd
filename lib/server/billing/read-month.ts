import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ENTRY_FIELDS, type Entry, toEntries } from "./entry"
import { monthRange } from "./month"

const BATCH = 1_000

/** Every entry of an account's month, oldest first, a thousand at a time: a month may hold millions. For its owners. */
export async function* readMonth(actor: UserActor, month: string): AsyncGenerator<Entry[]> {
  requireRight(actor, "billing.read")
  const { start, end } = monthRange(month)
  for (let after = 0n; ; ) {
    const rows = await runtime().prisma.ledgerEntry.findMany({
      where: { accountId: actor.accountId, createdAt: { gte: start, lt: end }, id: { gt: after } },
      select: ENTRY_FIELDS,
      orderBy: { id: "asc" },
      take: BATCH,
    })
    if (rows.length > 0) yield await toEntries(rows)
    if (rows.length < BATCH) return
    after = rows.at(-1)?.id ?? after
  }
}
