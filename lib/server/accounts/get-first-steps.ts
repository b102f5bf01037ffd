import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import type { FirstSteps } from "@/lib/shared/first-steps/steps"

/** How far the actor has come: a key of the account, an answered request of the account, an answer that this member read. */
export async function getFirstSteps({ accountId, userId }: UserActor): Promise<FirstSteps> {
  const { prisma } = runtime()
  const select = { id: true } as const
  const [member, key, charge] = await Promise.all([
    prisma.member.findUnique({
      where: { accountId_userId: { accountId, userId } },
      select: { answerReadAt: true, firstStepsHiddenAt: true },
    }),
    prisma.apiKey.findFirst({ where: { accountId, kind: "secret" }, select }),
    prisma.ledgerEntry.findFirst({ where: { accountId, kind: "charge" }, orderBy: { id: "desc" }, select }),
  ])
  return {
    keyCreated: key !== null,
    decisionSent: charge !== null,
    answerRead: (member?.answerReadAt ?? null) !== null,
    isHidden: (member?.firstStepsHiddenAt ?? null) !== null,
  }
}
