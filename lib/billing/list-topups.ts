import "server-only"
import type { UserActor } from "../auth/user-actor"
import { ServiceError } from "../errors"
import { runtime } from "../runtime"
import { type Topup, toTopup } from "./topup"

const MOST = 100

/** The account's top-ups, newest first, at most a hundred. For its owners. */
export async function listTopups(actor: UserActor): Promise<Topup[]> {
  if (actor.role !== "owner")
    throw new ServiceError("forbidden", { message: "Only an owner of this account can see its top-ups." })
  const rows = await runtime().prisma.topup.findMany({
    where: { accountId: actor.accountId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: MOST,
  })
  return rows.map(toTopup)
}
