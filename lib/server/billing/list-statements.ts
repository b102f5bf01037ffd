import { type AccountActor, requireRight } from "@/lib/server/platform/actor"
import type { Runtime } from "@/lib/server/platform/runtime"
import { readSnapshot } from "@/lib/server/usage/read-snapshot"
import { LIVE, spent, spentValues } from "@/lib/server/usage/spent"
import { pico, usd12 } from "@/lib/shared/money"
import { monthOf, monthRange, monthsBetween, statementNumber } from "./months"

/** A month of an account in a list. Amounts are exact USD texts. */
export interface StatementLine {
  month: string
  number: string
  /** What was charged, zero or below. */
  chargedUsd: string
  /** What everything else changed: credit less refunds, disputes and debits. */
  creditedUsd: string
  closingUsd: string
}

interface MonthRow {
  month: string
  amount: string
}

const monthSql = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM')`

const OTHERS = `
SELECT ${monthSql("created_at")} AS month, sum(amount_pico) AS amount FROM ledger_entry
WHERE account_id = $1 AND kind <> 'charge' GROUP BY 1`

const CHARGES = `
WITH ${LIVE} SELECT ${monthSql("s.start")} AS month, -sum(s.cost_pico) AS amount FROM ${spent("start")} s GROUP BY 1`

/** The service has no entries before. */
const EPOCH = new Date("2000-01-01")
const NO_END = new Date("9999-12-31")

/** Returns every month from the account's first ledger entry until now, newest first. Needs `billing.read`. */
export async function listStatements(runtime: Runtime, actor: AccountActor): Promise<StatementLine[]> {
  requireRight(actor, "billing.read")
  const range = { unit: "day" as const, from: EPOCH, to: NO_END }
  const { asOf, others, charges } = await readSnapshot(runtime, actor, async (snapshot) => ({
    asOf: snapshot.asOf,
    others: await snapshot.rows<MonthRow>(OTHERS, [actor.accountId]),
    charges: await snapshot.rows<MonthRow>(CHARGES, spentValues(actor, range, snapshot, { keyId: null, model: null })),
  }))
  const amountsOf = (rows: MonthRow[]) => new Map(rows.map(({ month, amount }) => [month, BigInt(amount)]))
  const [credited, charged] = [amountsOf(others), amountsOf(charges)]
  const first = [...credited.keys(), ...charged.keys()].toSorted()[0]
  if (first === undefined) return []
  let balance = 0n
  return monthsBetween(monthRange(first).start, monthRange(monthOf(asOf)).start)
    .toReversed()
    .map((month) => {
      const [plus, minus] = [credited.get(month) ?? 0n, charged.get(month) ?? 0n]
      balance += plus + minus
      return {
        month,
        number: statementNumber(actor.accountId, month),
        chargedUsd: usd12(pico(minus)),
        creditedUsd: usd12(pico(plus)),
        closingUsd: usd12(pico(balance)),
      }
    })
    .toReversed()
}
