import { z } from "zod"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import type { FirstSteps } from "@/lib/shared/first-steps/steps"

/**
 * Returns which first steps are done: the account created a key, the account was charged, this member read an answer. They are
 * hidden from roles that cannot take them.
 */
export async function getFirstSteps(actor: UserActor): Promise<FirstSteps> {
  const { accountId, userId } = actor
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
    isHidden: (member?.firstStepsHiddenAt ?? null) !== null || !hasRight(actor, "keys.manage"),
  }
}

export const MarkFirstStepsInput = z.enum(["answer-read", "hidden", "shown"])
export type MarkFirstStepsInput = z.infer<typeof MarkFirstStepsInput>

/** Records that the member read an answer, or hid or showed the first steps. Not audited: it changes only this member's view. */
export async function markFirstSteps(
  { accountId, userId }: UserActor,
  input: MarkFirstStepsInput,
): Promise<{ marked: MarkFirstStepsInput }> {
  const marked = parseInput(MarkFirstStepsInput, input)
  const { member } = runtime().prisma
  const where = { accountId, userId }
  if (marked === "answer-read")
    await member.updateMany({ where: { ...where, answerReadAt: null }, data: { answerReadAt: new Date() } })
  else await member.updateMany({ where, data: { firstStepsHiddenAt: marked === "hidden" ? new Date() : null } })
  return { marked }
}
