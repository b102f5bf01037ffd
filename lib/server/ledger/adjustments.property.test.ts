import fc from "fast-check"
import { beforeAll, expect, it } from "vitest"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { testScale } from "@/test/scale"
import { signUp } from "@/test/sign-up"
import { postAdjustments } from "./post-adjustments"
import { verifyLedger } from "./verify-ledger"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "0" }))

const LIMIT = 9_000_000_000_000_000_000n
const ACCOUNTS = 3
/** The last account does not exist. */
const line = fc.record({
  account: fc.nat(ACCOUNTS),
  reference: fc.nat(3),
  amount: fc.oneof(
    fc.constantFrom(1n, -1n, 5n, -5n),
    fc.constantFrom(LIMIT, -LIMIT, LIMIT - 1n, 4_000_000_000_000_000_000n),
  ),
})
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ lines: fc.array(line, { minLength: 1, maxLength: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ close: fc.nat(ACCOUNTS - 1) }) },
)

/** Balances and references of accounts, kept by adding up. */
class Model {
  balances = Array<bigint>(ACCOUNTS).fill(0n)
  closed = new Set<number>()
  posted = new Map<string, bigint>()

  post(lines: readonly { account: number; reference: number; amount: bigint }[]): string[] {
    const after = [...this.balances]
    const outcomes = lines.map(({ account, reference, amount }) => {
      if (account === ACCOUNTS) return "unknown"
      const before = this.posted.get(`${account} ${reference}`)
      if (before !== undefined) return before === amount ? "repeated" : "differs"
      const sum = (after[account] ?? 0n) + amount
      after[account] = sum
      if (this.closed.has(account) && amount > 0n) return "closed"
      return sum > LIMIT || sum < -LIMIT ? "too_large" : "posted"
    })
    if (outcomes.some((outcome) => outcome !== "posted" && outcome !== "repeated"))
      return outcomes.map((outcome) => (outcome === "posted" ? "withheld" : outcome))
    for (const { account, reference, amount } of lines) this.posted.set(`${account} ${reference}`, amount)
    this.balances = after
    return outcomes
  }
}

/** Leaves one line of each account and reference: files with two are refused before. */
const distinct = <Line extends { account: number; reference: number }>(lines: Line[]): Line[] => [
  ...new Map(lines.map((one) => [`${one.account} ${one.reference}`, one])).values(),
]

it(
  "posts all lines or none, each reference once, like a model that only adds up",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const model = new Model()
        const ids = (await Promise.all(Array.from({ length: ACCOUNTS }, () => signUp()))).map((one) => one.accountId)
        ids.push(newId())
        for (const one of steps) {
          if ("close" in one) {
            model.closed.add(one.close)
            await runtime().pool.query("UPDATE account SET status = 'closed' WHERE id = $1", [ids[one.close]])
            continue
          }
          const lines = distinct(one.lines)
          const posted = await inTransaction(runtime().pool, (client) =>
            postAdjustments(
              client,
              lines.map(({ account, reference, amount }) => ({
                accountId: ids[account] ?? "",
                amountPico: pico(amount),
                source: `${ids[account]}:${reference}`,
                note: "x",
              })),
            ),
          )
          expect(posted).toEqual(model.post(lines))
        }
        const { rows } = await runtime().pool.query(
          "SELECT balance_pico FROM account a JOIN unnest($1::uuid[]) WITH ORDINALITY AS u(id, at) USING (id) ORDER BY at",
          [ids],
        )
        expect(rows.map((row) => BigInt(row.balance_pico))).toEqual(model.balances)
      }),
      { numRuns: 60 * testScale },
    )
    const { checks } = await verifyLedger(runtime(), { all: true })
    expect(checks.filter((check) => !check.ok)).toEqual([])
  },
  120_000 * testScale,
)
