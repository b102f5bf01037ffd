import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { type Pico, pico } from "@/lib/shared/money"
import { postEntry } from "./post-entry"

interface AdjustBalanceInput {
  kind: "credit" | "debit"
  /** Above zero for both kinds. */
  amountPico: Pico
  note: string
  /** A UUID. Repeating it with the same kind and amount changes nothing. */
  attempt?: string
}

const CHECK_VIOLATION = "23514"
const OUT_OF_RANGE = "22003"

const RAISED = "P0001"

/** Whether `post_entry` found another entry of the same source. */
const isPostedDifferently = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === RAISED && error.message.endsWith("was posted differently")

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === CHECK_VIOLATION || error.code === OUT_OF_RANGE)

/**
 * Credits or debits the actor's account with one ledger entry. A debit may make the balance negative. For the operator.
 * `isNew` is false for an attempt that was booked before. Throws `invalid_request` when the balance would exceed the range of the ledger,
 * and for an attempt with another kind or amount.
 */
export async function adjustBalance(
  { pool }: Runtime,
  actor: AccountActor,
  { kind, amountPico, note, attempt = newId() }: AdjustBalanceInput,
): Promise<{ isNew: boolean }> {
  requireRight(actor, "service.finance")
  const { accountId } = actor
  const signed = pico(kind === "credit" ? amountPico : -amountPico)
  try {
    return await inTransaction(pool, async (client) => {
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
          detail: formatExactUsd(amountPico),
        })
      return { isNew }
    })
  } catch (cause) {
    if (isPostedDifferently(cause))
      throw new ServiceError("invalid_request", {
        param: "reference",
        message: "This was booked before with another kind or amount.",
        cause,
      })
    if (!isOutOfRange(cause)) throw cause
    throw new ServiceError("invalid_request", {
      message: "The balance would be larger than the ledger can store.",
      cause,
    })
  }
}
