import type { UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"

export interface AccountSummary {
  /** `acc_…` */
  id: string
  role: "owner" | "developer"
  /** For all of the account's keys together. */
  requestsPerSecond: number
  requestsPerSecondPerKey: number
}

/** The actor's account: its public id and its rate limits. */
export async function getAccount(actor: UserActor): Promise<AccountSummary> {
  const { requestsPerSecond, requestsPerSecondPerKey } = await runtime().prisma.account.findUniqueOrThrow({
    where: { id: actor.accountId },
    select: { requestsPerSecond: true, requestsPerSecondPerKey: true },
  })
  return { id: publicId("acc", actor.accountId), role: actor.role, requestsPerSecond, requestsPerSecondPerKey }
}
