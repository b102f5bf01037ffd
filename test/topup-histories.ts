import fc from "fast-check"

const which = fc.nat(20)
const percent = fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 }))

const FAULTS = [
  "request lost",
  "response lost",
  "completed late",
  "response late",
  "response late",
  "error-before",
  "error-after",
  "rate-limited",
] as const

const ask = fc.oneof(
  fc.record({ do: fc.constant("page" as const), which }),
  fc.record({ do: fc.constant("press" as const), which }),
  fc.record({ do: fc.constant("reconcile" as const), which }),
  fc.record({ do: fc.constant("poll" as const) }),
  fc.record({
    do: fc.constant("deliver" as const),
    percent,
    copies: fc.integer({ min: 1, max: 3 }),
    order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
  }),
)

const pay = fc.record({
  do: fc.constant("pay" as const),
  which,
  how: fc.constantFrom("card" as const, "card" as const, "card" as const, "later" as const, "fail" as const),
})

const atStripe = fc.oneof(
  { weight: 6, arbitrary: pay },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("settle" as const), which, ok: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("expire" as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("refund" as const), which, percent, isPending: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("end refund" as const), which, ok: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("dispute" as const), which, percent, isWithdrawn: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("withdraw" as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("decide" as const), which, won: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("lose events" as const), percent }) },
)

const fault = fc.option(fc.record({ on: fc.constantFrom("GET", "POST"), fault: fc.constantFrom(...FAULTS) }), {
  freq: 4,
  nil: null,
})

const atService = fc.record({
  do: fc.constant("service" as const),
  what: fc.oneof(
    { weight: 3, arbitrary: fc.record({ do: fc.constant("buy" as const), amount: fc.nat(4) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("operator refund" as const), which, percent }) },
    { weight: 5, arbitrary: ask },
  ),
  /** Concurrent calls, each in its own process or all in one. */
  concurrent: fc.array(ask, { maxLength: 3 }),
  inOwnProcesses: fc.boolean(),
  fault,
  /** A step at Stripe just before one of the service's requests. */
  meanwhile: fc.option(fc.record({ request: fc.nat(8), step: atStripe }), { freq: 2, nil: null }),
  crashAfter: fc.option(fc.nat(30), { freq: 3, nil: null }),
})

export type Ask = typeof ask extends fc.Arbitrary<infer Value> ? Value : never
export type AtStripe = typeof atStripe extends fc.Arbitrary<infer Value> ? Value : never
export type AtService = typeof atService extends fc.Arbitrary<infer Value> ? Value : never

export interface History {
  taxPercent: number
  steps: (AtService | AtStripe)[]
}

const BUY: AtService = {
  do: "service",
  what: { do: "buy", amount: 1 },
  concurrent: [],
  inOwnProcesses: false,
  fault: null,
  meanwhile: null,
  crashAfter: null,
}

export const history = (maxSteps: number): fc.Arbitrary<History> =>
  fc.record({
    taxPercent: fc.constantFrom(0, 0, 19, 8.25),
    steps: fc
      .array(fc.oneof({ weight: 4, arbitrary: atStripe }, { weight: 4, arbitrary: atService }), {
        minLength: 4,
        maxLength: maxSteps,
        size: "max",
      })
      .map((steps) => [BUY, ...steps]),
  })
