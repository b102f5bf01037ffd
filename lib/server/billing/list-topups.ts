import { runtime } from "@/lib/server/platform/runtime"
import type { UserActor } from "@/lib/server/platform/user-actor"
import { requireOwner } from "./require-owner"
import { type Topup, toTopup } from "./topup"

const MOST = 100

/** An account's top-ups, newest first, at most a hundred. For a caller that has checked who asks. */
export async function findTopups(accountId: string): Promise<Topup[]> {
  const rows = await runtime().prisma.topup.findMany({
    where: { accountId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST,
  })
  return rows.map(toTopup)
}

/** The account's top-ups, newest first, at most a hundred. For its owners. */
export async function listTopups(actor: UserActor): Promise<Topup[]> {
  requireOwner(actor, "see its top-ups")
  return findTopups(actor.accountId)
}
