import { z } from "zod"
import type { UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"

export const MarkFirstStepsInput = z.enum(["answer-read", "hidden", "shown"])
export type MarkFirstStepsInput = z.infer<typeof MarkFirstStepsInput>

/** Notes that the actor has read an answer, or has put the first steps away or fetched them back. */
export async function markFirstSteps(
  { accountId, userId }: UserActor,
  what: MarkFirstStepsInput,
): Promise<{ marked: MarkFirstStepsInput }> {
  const { member } = runtime().prisma
  const where = { accountId, userId }
  if (what === "answer-read")
    await member.updateMany({ where: { ...where, answerReadAt: null }, data: { answerReadAt: new Date() } })
  else await member.updateMany({ where, data: { firstStepsHiddenAt: what === "hidden" ? new Date() : null } })
  return { marked: what }
}
