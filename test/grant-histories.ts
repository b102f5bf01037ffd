import fc from "fast-check"
import { SLACK_PICO } from "./ledger-model"

const PRICES = [1n, 7n, 20_000n]

const key = fc.nat(2)
const which = fc.nat(30)
const tag = fc.constantFrom(null, "team=a", "env=prod,team=a")
const price = fc.constantFrom(...PRICES)
const maxTokens = fc.bigInt(1n, 40n)
const used = fc.bigInt(0n, 41n)
/** The request that a charge is for: a new one (null), or an earlier one. */
const request = fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: which })

/**
 * Calls that processes may send, also mistaken ones: charges to ended grants, charges above the credit, charges for another grant's
 * requests, and repeated calls.
 */
const step = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      do: fc.constant("open" as const),
      key,
      tag,
      wanted: fc.bigInt(1n, 2_000n),
      smallest: fc.bigInt(1n, 40n),
    }),
  },
  { weight: 15, arbitrary: fc.record({ do: fc.constant("extend" as const), which, wanted: fc.bigInt(1n, 4_000n) }) },
  {
    weight: 50,
    arbitrary: fc.record({
      do: fc.constant("charge" as const),
      items: fc.array(fc.record({ which, request, price, maxTokens, used }), { minLength: 1, maxLength: 5 }),
    }),
  },
  { weight: 15, arbitrary: fc.record({ do: fc.constant("give up" as const), which, request, price, maxTokens }) },
  {
    weight: 15,
    arbitrary: fc.record({
      do: fc.constant("end" as const),
      which,
      items: fc.array(fc.record({ request, price, maxTokens }), { maxLength: 4 }),
    }),
  },
  { weight: 20, arbitrary: fc.record({ do: fc.constant("hold" as const), key, price, maxTokens, tag }) },
  { weight: 12, arbitrary: fc.record({ do: fc.constant("capture" as const), request: which, used }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("release" as const), request: which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("revoke" as const), key }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("debit" as const), amount: fc.bigInt(1n, 500n) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant("clock" as const),
      ms: fc.constantFrom(1_000, 6_000, 60_000, 150_000, -2_000),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("set budgets" as const) }) },
)
export type GrantStep = typeof step extends fc.Arbitrary<infer T> ? T : never
/** A balance, the limit of two of the three keys, and the budgets of the account and of one member, in pico-USD, and the calls of processes. */
export const grantHistory = fc.record({
  balance: fc.constantFrom(50n, 5_000n, 200_000n, 3n * SLACK_PICO),
  limit: fc.constantFrom(100n, 3_000n, 100_000n),
  budget: fc.constantFrom(null, 150n, 4_000n, 150_000n),
  tagBudget: fc.constantFrom(null, 120n, 2_000n, 90_000n),
  memberBudget: fc.constantFrom(null, 100n, 3_000n, 100_000n),
  steps: fc.array(step, { minLength: 10, maxLength: 60, size: "max" }),
})
export type GrantHistory = typeof grantHistory extends fc.Arbitrary<infer T> ? T : never
