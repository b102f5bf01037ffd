import { recordAudit } from "@/lib/server/audit/record-audit"
import { adjustmentDetail, sourceOfReference } from "@/lib/server/ledger/adjust-balance"
import { faultOf, postAdjustments } from "@/lib/server/ledger/post-adjustments"
import { type OperatorActor, requireRight } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, pico } from "@/lib/shared/money"
import type { CreditLine } from "@/lib/shared/operator/credits-file"
import { operatorForNamed } from "./find-account"

export interface CreditedAccounts {
  /** How many lines were credited, and the sum. */
  credited: number
  creditedPico: Pico
  /** How many lines had been credited before. */
  repeated: number
}

type Found = CreditLine & { accountId: string }

/** The faults of a file, by line. At most this many are named. */
const MAX_NAMED = 5

/** Throws `invalid_request` with the lines that have a fault. Returns if there is none. */
function refuseFaults(faults: readonly { line: number; fault: string }[]): void {
  if (faults.length === 0) return
  const named = faults.slice(0, MAX_NAMED).map(({ line, fault }) => `Line ${line}: ${fault}`)
  const more = faults.length > MAX_NAMED ? ` ${faults.length - MAX_NAMED} more lines have a fault.` : ""
  throw new ServiceError("invalid_request", { message: `${named.join(" ")}${more} Nothing was credited.` })
}

/** Finds the account of each line. Throws for lines whose account is unknown or not clear, or that repeat a line of the file. */
async function findAll(runtime: Runtime, lines: readonly CreditLine[]): Promise<Found[]> {
  const found: Found[] = []
  const faults: { line: number; fault: string }[] = []
  const seen = new Map<string, number>()
  for (const one of lines) {
    try {
      const { accountId } = await operatorForNamed(runtime, one.account)
      const source = sourceOfReference(accountId, one.reference)
      const earlier = seen.get(source)
      if (earlier !== undefined)
        faults.push({ line: one.line, fault: `It has the account and the reference of line ${earlier}.` })
      seen.set(source, one.line)
      found.push({ ...one, accountId })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      faults.push({ line: one.line, fault: error.message })
    }
  }
  refuseFaults(faults)
  return found
}

/**
 * Credits the accounts of all lines in one transaction, or none of them. A line whose account has its reference with the same amount was
 * credited before, and is not credited again. For finance operators. Throws `invalid_request`, which names up to five lines with a
 * fault: an unknown or closed account, a reference with another amount, one that the file has twice, or too large a balance.
 */
export async function creditAccounts(
  runtime: Runtime,
  actor: OperatorActor,
  { lines }: { lines: readonly CreditLine[] },
): Promise<CreditedAccounts> {
  requireRight(actor, "service.finance")
  const found = await findAll(runtime, lines)
  return inTransaction(runtime.pool, async (client) => {
    const outcomes = await postAdjustments(
      client,
      found.map(({ accountId, amountPico, reference, note }) => ({
        ...{ accountId, amountPico, note },
        source: sourceOfReference(accountId, reference),
      })),
    )
    refuseFaults(
      found.flatMap(({ line }, at) => {
        const fault = faultOf(outcomes[at] ?? "unknown")
        return fault ? [{ line, fault }] : []
      }),
    )
    const posted = found.filter((_, at) => outcomes[at] === "posted")
    for (const { accountId, amountPico, reference } of posted)
      await recordAudit(
        client,
        { ...actor, accountId },
        {
          action: "account.credit",
          subject: accountId,
          detail: adjustmentDetail(amountPico, reference),
        },
      )
    const creditedPico = pico(posted.reduce((sum, { amountPico }) => sum + amountPico, 0n))
    return { credited: posted.length, creditedPico, repeated: found.length - posted.length }
  })
}
