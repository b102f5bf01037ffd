import { recordAudit } from "@/lib/server/audit/record-audit"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { operatorFor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, pico } from "@/lib/shared/money"
import { findAccountId } from "./account-view"

export interface Adjustment {
  kind: "credit" | "debit"
  /** Above zero for both kinds. */
  amountPico: Pico
  note: string
}

const isOutOfRange = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "23514" || error.code === "22003")

/** Credits or debits an account as one ledger entry with its audit line. A debit may take the balance below zero. Answers its id. */
export async function adjustBalance(email: string, { kind, amountPico, note }: Adjustment): Promise<string> {
  const accountId = await findAccountId(email)
  const signed = kind === "credit" ? amountPico : pico(-amountPico)
  try {
    await inTransaction(runtime().pool, async (client) => {
      await postEntry(client, { accountId, kind, amountPico: signed, source: `operator:${newId()}`, note })
      await recordAudit(client, operatorFor(accountId), { action: `account.${kind}`, subject: accountId })
    })
  } catch (cause) {
    if (!isOutOfRange(cause)) throw cause
    throw new ServiceError("invalid_request", { message: "The balance would be more than the ledger can hold.", cause })
  }
  return accountId
}
