import { recordAudit } from "@/lib/server/audit/record-audit"
import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { type Pico, pico } from "@/lib/shared/money"
import { faultOf, postAdjustments } from "./post-adjustments"

interface AdjustBalanceInput {
  kind: "credit" | "debit"
  /** Above zero for both kinds. */
  amountPico: Pico
  note: string
  /** The operator's own id of the change, such as that of a ticket. An account has one change for each. Null for none. */
  reference?: string | null
  /** A UUID that takes its place without one. */
  attempt?: string
}

/** Returns the source of an account's ledger entry with a reference. It is the same for credits and debits. */
export const sourceOfReference = (accountId: string, reference: string): string => `reference:${accountId}:${reference}`

/** Returns what the audit log says of an adjustment: "$5.00, reference T-17". */
export const adjustmentDetail = (amountPico: Pico, reference: string | null): string =>
  `${formatExactUsd(amountPico)}${reference === null ? "" : `, reference ${reference}`}`

/**
 * Credits or debits the actor's account with one ledger entry. A debit may make the balance negative. Repeating it with the same
 * reference, kind and amount changes nothing: `isNew` is then false. For finance operators. Throws `invalid_request` for a reference
 * with another kind or amount, for a credit of a closed account, and when the balance would exceed the range of the ledger.
 */
export async function adjustBalance(
  { pool }: Runtime,
  actor: AccountActor,
  { kind, amountPico, note, reference = null, attempt = newId() }: AdjustBalanceInput,
): Promise<{ isNew: boolean }> {
  requireRight(actor, "service.finance")
  const { accountId } = actor
  const signed = pico(kind === "credit" ? amountPico : -amountPico)
  const source = reference === null ? `operator:${attempt}` : sourceOfReference(accountId, reference)
  return inTransaction(pool, async (client) => {
    const [outcome = "unknown"] = await postAdjustments(client, [{ accountId, amountPico: signed, source, note }])
    const fault = faultOf(outcome)
    if (fault)
      throw new ServiceError("invalid_request", {
        param: outcome === "differs" ? "reference" : undefined,
        message: fault,
      })
    if (outcome === "posted")
      await recordAudit(client, actor, {
        action: `account.${kind}`,
        subject: accountId,
        detail: adjustmentDetail(amountPico, reference),
      })
    return { isNew: outcome === "posted" }
  })
}
