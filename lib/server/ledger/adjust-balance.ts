import { z } from "zod"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { pico } from "@/lib/shared/money"
import { Note } from "@/lib/shared/operator/forms"
import { postEntry } from "./post-entry"

/** `amountPico` is above zero for both kinds. Repeating an `attempt` with the same kind and amount changes nothing. */
export const AdjustBalanceInput = z.strictObject({
  kind: z.enum(["credit", "debit"]),
  amountPico: z.bigint().positive(),
  note: Note,
  attempt: z.uuid().optional(),
})
export type AdjustBalanceInput = z.input<typeof AdjustBalanceInput>

const CHECK_VIOLATION = "23514"
const OUT_OF_RANGE = "22003"

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === CHECK_VIOLATION || error.code === OUT_OF_RANGE)

/**
 * Credits or debits the actor's account with one ledger entry. A debit may make the balance negative. For the operator.
 * Throws `invalid_request` when the balance would exceed the range of the ledger.
 */
export async function adjustBalance({ pool }: Runtime, actor: AccountActor, input: AdjustBalanceInput): Promise<void> {
  requireRight(actor, "service.operate")
  const { kind, amountPico, note, attempt = newId() } = parseInput(AdjustBalanceInput, input)
  const { accountId } = actor
  const signed = pico(kind === "credit" ? amountPico : -amountPico)
  try {
    await inTransaction(pool, async (client) => {
      const isNew = await postEntry(client, {
        accountId,
        kind,
        amountPico: signed,
        source: `operator:${attempt}`,
        note,
      })
      if (isNew)
        await recordAudit(client, actor, {
          action: `account.${kind}`,
          subject: accountId,
          detail: formatExactUsd(pico(amountPico)),
        })
    })
  } catch (cause) {
    if (!isOutOfRange(cause)) throw cause
    throw new ServiceError("invalid_request", {
      message: "The balance would be larger than the ledger can store.",
      cause,
    })
  }
}
