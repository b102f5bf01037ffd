import fc from "fast-check"

const percent = fc.integer({ min: 1, max: 100 })
const outcome = fc.constantFrom("ok" as const, "ok" as const, "declined" as const, "authentication_required" as const)

const FAULTS = [
  "request lost",
  "response lost",
  "completed late",
  "response late",
  "error-before",
  "error-after",
  "rate-limited",
  "unavailable",
] as const

/** What an owner or the bank does while the service works. */
const outside = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("spend" as const), usd: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("bank" as const), outcome }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("refund" as const), percent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("dispute" as const), percent }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("detach" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("lose events" as const) }) },
)

const work = fc.oneof(
  { weight: 14, arbitrary: fc.record({ do: fc.constant("watch" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("poll" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("deliver" as const), percent, copies: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("turn on" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("turn off" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("enter card" as const), outcome }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove card" as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pay and save card" as const) }) },
)

const service = fc.record({
  do: fc.constant("service" as const),
  /** They run at the same time, each in its own process. */
  works: fc.array(work, { minLength: 1, maxLength: 4 }),
  fault: fc.option(fc.record({ on: fc.constantFrom("GET", "POST"), fault: fc.constantFrom(...FAULTS) }), { nil: null }),
  /** What happens just before one of the service's requests to Stripe. */
  meanwhile: fc.option(fc.record({ request: fc.nat(8), step: outside }), { nil: null }),
  crashAfter: fc.option(fc.nat(40), { nil: null }),
})

const wait = fc.record({
  do: fc.constant("wait" as const),
  minutes: fc.oneof(
    { weight: 4, arbitrary: fc.constant(10) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 70 }) },
    { weight: 1, arbitrary: fc.constant(31 * 24 * 60) },
  ),
})

type Value<Made> = Made extends fc.Arbitrary<infer Inner> ? Inner : never
export type Work = Value<typeof work>
export type Outside = Value<typeof outside>
export type Service = Value<typeof service>
type Step = Service | Outside | Value<typeof wait>

export interface AutoHistory {
  capUsd: string
  steps: Step[]
}

export const autoHistory = (maxSteps: number): fc.Arbitrary<AutoHistory> =>
  fc.record({
    capUsd: fc.constantFrom("25", "60", "110"),
    steps: fc.array(
      fc.oneof({ weight: 6, arbitrary: service }, { weight: 3, arbitrary: outside }, { weight: 4, arbitrary: wait }),
      { minLength: 4, maxLength: maxSteps, size: "max" },
    ),
  })
