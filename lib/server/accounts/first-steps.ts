import { z } from "zod"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { FirstSteps } from "@/lib/shared/first-steps/steps"

const STEPS = `
  SELECT answer_read_at IS NOT NULL OR answered > 1 AS "answerRead", first_steps_hidden_at IS NOT NULL AS "isHidden",
    EXISTS (SELECT FROM api_key k WHERE k.account_id = m.account_id AND k.kind = 'secret') AS "keyCreated",
    answered > 0 AS "decisionSent"
  FROM member m, LATERAL (
    SELECT count(*) AS answered FROM (
      SELECT FROM ledger_entry e WHERE e.account_id = m.account_id AND e.kind = 'charge' ORDER BY id DESC LIMIT 2
    ) latest
  ) charges
  WHERE account_id = $1 AND user_id = $2`

/**
 * Returns which first steps are done: the account created a key, the account was charged, this member read an answer. A second
 * charge completes the last one, too: a member who uses only the API has read the first answer by then. Null for a role that cannot
 * take the steps, and for a user who is no longer a member.
 */
export async function getFirstSteps({ pool }: Runtime, actor: UserActor): Promise<FirstSteps | null> {
  if (!hasRight(actor, "keys.manage")) return null
  const { accountId, userId } = actor
  const { rows } = await pool.query<FirstSteps>(STEPS, [accountId, userId])
  return rows[0] ?? null
}

export const MarkFirstStepsInput = z.enum(["answer-read", "hidden", "shown"])
export type MarkFirstStepsInput = z.infer<typeof MarkFirstStepsInput>

/** Records that the member read an answer, or hid or showed the first steps. Not audited: it changes only this member's view. */
export async function markFirstSteps(
  runtime: Runtime,
  { accountId, userId }: UserActor,
  marked: MarkFirstStepsInput,
): Promise<{ marked: MarkFirstStepsInput }> {
  const now = new Date()
  const data = {
    "answer-read": { answerReadAt: now },
    hidden: { firstStepsHiddenAt: now },
    shown: { firstStepsHiddenAt: null },
  }[marked]
  const where = { accountId, userId, ...(marked === "answer-read" && { answerReadAt: null }) }
  await prisma(runtime).member.updateMany({ where, data })
  return { marked }
}
