import { type SetAllowanceInput, setAllowance } from "@/lib/server/accounts/allowance-rules"
import { grantAllowances } from "@/lib/server/accounts/grant-allowances"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { query } from "./closing-fixture"
import { insertKey } from "./insert-rows"
import { chargeTenant, setClock } from "./tenant"

export const USD = 1_000_000_000_000n
const NOVEMBER = "2026-11-20T10:00:00Z"
export const DECEMBER = "2026-12-01T00:00:20Z"

/** The lines of `entriesOf` for an allowance of $20. */
export const OF_NOVEMBER = "credit 20 Allowance for November 2026"
export const OF_DECEMBER = "credit 20 Allowance for December 2026"

export const set = (target: string, usd: bigint, more: Partial<SetAllowanceInput> = {}) =>
  setAllowance(runtime(), OPERATOR, {
    target,
    per: "account",
    amountPico: pico(usd * USD),
    carriesOver: false,
    ...more,
  })

export const grant = () => grantAllowances(runtime())

/** Sets the clock of the ledger and runs the job. */
export async function run(at: string): Promise<void> {
  await setClock(at)
  await grant()
}

let domains = 0

/** Sets the clock to November and ends the rules of earlier tests. Returns a domain that no user has. */
export async function startMonth(): Promise<string> {
  await setClock(NOVEMBER)
  await query("UPDATE allowance_rule SET ended_at = now() WHERE ended_at IS NULL")
  return `company-${++domains}.example`
}

/** Charges whole dollars: 50 million tokens cost one. */
export async function spend({ accountId }: UserActor, usd: number): Promise<void> {
  const { keyId } = await insertKey(accountId)
  await chargeTenant({ actor: { accountId } as UserActor, keys: [] }, keyId, { tokens: usd * 50_000_000 })
}

export const credit = ({ accountId }: UserActor, usd: bigint) =>
  postEntry(runtime().pool, { accountId, kind: "credit", amountPico: pico(usd * USD), source: `test:${newId()}` })

/** Returns the entries that are no charges: the kind, whole dollars and the note. */
export async function entriesOf({ accountId }: UserActor): Promise<string[]> {
  const { rows } = await query(
    `SELECT kind, amount_pico / 1000000000000 AS usd, note FROM ledger_entry
     WHERE account_id = $1 AND kind <> 'charge' ORDER BY id`,
    [accountId],
  )
  return rows.map(({ kind, usd, note }) => `${kind} ${usd} ${note ?? ""}`.trim())
}
