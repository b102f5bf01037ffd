import { requireRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
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
  requireRight(actor, "billing.read")
  return findTopups(actor.accountId)
}
