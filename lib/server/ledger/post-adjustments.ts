import type { PoolClient } from "pg"
import type { Pico } from "@/lib/shared/money"

export interface Adjustment {
  accountId: string
  /** Above zero credits the account, below zero debits it. Never zero. */
  amountPico: Pico
  /** Unique in the whole ledger. */
  source: string
  note: string
}

/** Why a line keeps all lines from being posted, as a sentence. */
const FAULTS = {
  unknown: "There is no such account.",
  differs: "The reference was used for this account before, with another amount.",
  closed: "The account is closed, so it cannot be credited.",
  too_large: "The balance would be larger than the ledger can store.",
} as const

type Fault = keyof typeof FAULTS

/** `withheld`: another line has a fault. */
type Outcome = "posted" | "repeated" | "withheld" | Fault

/** Returns the sentence of an outcome that is a fault; null for any other. */
export const faultOf = (outcome: Outcome): string | null =>
  Object.hasOwn(FAULTS, outcome) ? FAULTS[outcome as Fault] : null

/**
 * Credits and debits accounts, all of them or, when one has a fault, none. Each source is posted once: posting the same again changes
 * nothing. Returns an outcome for each. The accounts are locked until the transaction of `client` ends.
 */
export async function postAdjustments(client: PoolClient, adjustments: readonly Adjustment[]): Promise<Outcome[]> {
  const { rows } = await client.query<{ outcome: Outcome }>(
    "SELECT outcome FROM post_adjustments($1, $2, $3, $4) AS outcome",
    [
      adjustments.map(({ accountId }) => accountId),
      adjustments.map(({ amountPico }) => amountPico),
      adjustments.map(({ source }) => source),
      adjustments.map(({ note }) => note),
    ],
  )
  return rows.map(({ outcome }) => outcome)
}
