import { z } from "zod"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { pico } from "@/lib/shared/money"
import { postEntry } from "./post-entry"

/** `amountPico` is above zero for both kinds. */
export const AdjustBalanceInput = z.strictObject({
  kind: z.enum(["credit", "debit"]),
  amountPico: z.bigint().positive(),
  note: z.string(),
})
export type AdjustBalanceInput = z.output<typeof AdjustBalanceInput>

const CHECK_VIOLATION = "23514"
const OUT_OF_RANGE = "22003"

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === CHECK_VIOLATION || error.code === OUT_OF_RANGE)

/**
 * Credits or debits the actor's account with one ledger entry. A debit may make the balance negative. For the operator.
 * Throws `invalid_request` when the balance would exceed the range of the ledger.
 */
export async function adjustBalance(actor: AccountActor, input: AdjustBalanceInput): Promise<void> {
  requireRight(actor, "service.operate")
  const { kind, amountPico, note } = parseInput(AdjustBalanceInput, input)
  const { accountId } = actor
  const signed = pico(kind === "credit" ? amountPico : -amountPico)
  try {
    await inTransaction(runtime().pool, async (client) => {
      await postEntry(client, { accountId, kind, amountPico: signed, source: `operator:${newId()}`, note })
      await recordAudit(client, actor, { action: `account.${kind}`, subject: accountId })
    })
  } catch (cause) {
    if (!isOutOfRange(cause)) throw cause
    throw new ServiceError("invalid_request", {
      message: "The balance would be larger than the ledger can store.",
      cause,
    })
  }
}
