import fc from "fast-check"
import { SLACK_PICO } from "./ledger-model"

const DAY_MS = 86_400_000

const edge = fc.constantFrom(-1n, 0n, 1n)
const which = fc.nat(40)
const key = fc.nat(2)

/** How much to hold: a few tokens, an amount at the edge of a limit, or nothing. */
const size = fc.oneof(
  fc.record({
    to: fc.constant("tokens" as const),
    price: fc.constantFrom(1n, 20_000n, 100_000_000n),
    maxTokens: fc.bigInt(0n, 50n),
  }),
  fc.record({ to: fc.constantFrom("room" as const, "available" as const, "slack" as const), edge }),
  fc.record({ to: fc.constant("free" as const), maxTokens: fc.bigInt(0n, 9n) }),
)

/** The exact tokens of a hold by an upper bound, in tenths of it. Null: the tokens are exact. */
const exact = fc.option(fc.bigInt(0n, 10n))

const limit = fc.constantFrom(1n, 1_000_000n, 20_000_000_000n, 1_000_000_000_000n)
const tag = fc.constantFrom(null, "team=a", "team=b")
/** A budget of the account, of a tag, or of one of two members: the first created keys 0 and 1, the second key 2. */
const budget = fc.record({
  of: fc.constantFrom("account" as const, "first" as const, "second" as const, "team=a" as const),
  period: fc.constantFrom("daily" as const, "monthly" as const),
  limit,
})

const amount = fc.oneof(
  fc.constantFrom(1n, 1_000_000n, SLACK_PICO, 1_000_000_000_000n),
  fc.bigInt(1n, 3_000_000_000_000n),
)

const step = fc.oneof(
  { weight: 80, arbitrary: fc.record({ do: fc.constant("hold" as const), key, size, exact, tag }) },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("hold again" as const), which }) },
  {
    weight: 60,
    arbitrary: fc.record({
      do: fc.constant("capture" as const),
      which,
      tokens: fc.constantFrom("none" as const, "some" as const, "all" as const, "over" as const),
    }),
  },
  {
    weight: 30,
    arbitrary: fc.record({
      do: fc.constant("release" as const),
      which,
      how: fc.constantFrom("voided" as const, "expired" as const),
    }),
  },
  {
    weight: 20,
    arbitrary: fc.record({ do: fc.constant("post" as const), kind: fc.constantFrom("credit", "debit"), amount }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("post again" as const), which, edge }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("revoke" as const), key }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("set budget" as const), budget }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove budget" as const), which }) },
  {
    weight: 40,
    arbitrary: fc.record({
      do: fc.constant("clock" as const),
      to: fc.constantFrom(
        "+1",
        "+1000",
        "+149999",
        "+150000",
        "midnight-1",
        "midnight",
        "+86400000",
        "-1000",
        "-7200000",
      ),
    }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant("sweep" as const) }) },
)
export type BudgetSetting = typeof budget extends fc.Arbitrary<infer T> ? T : never
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const setup = fc.record({
  opening: fc.constantFrom(0n, 1n, SLACK_PICO, 100_000_000_000n, 2_000_000_000_000n),
  daily: limit,
  lifetime: limit,
  budgets: fc.array(budget, { maxLength: 3 }),
  startsBefore: fc.constantFrom(1, 60_000, 3_600_000),
  expiresAfter: fc.option(fc.constantFrom(1_000, 150_000, DAY_MS)),
})

/** A setup and up to `maxSteps` steps. The index that a step picks is taken modulo the number of items. */
export const sequence = (maxSteps: number) =>
  fc.record({ setup, steps: fc.array(step, { minLength: 5, maxLength: maxSteps, size: "max" }) })
export type Sequence = ReturnType<typeof sequence> extends fc.Arbitrary<infer T> ? T : never
