import fc from "fast-check"
import { afterAll, expect, it } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { ASKED, askedOf, BIG, CASCADE_PRICE, newCascade, SMALL, startParts } from "@/test/cascade"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testScale } from "@/test/scale"
import { testService } from "@/test/service"

const service = await testService()
const { small, big } = await startParts()
afterAll(() => Promise.all([small.stop(), big.stop()]))
const BOUNDS = [0.4, 0.5, 0.6, 0.75, 0.9, 0.99]
for (const bound of BOUNDS) await newCascade(`svc-below-${bound}`, bound)
const { accountId, token } = await insertFastKey(1_000_000_000_000_000n)

type Answer = { noul?: number; probabilities?: Record<string, number> }
type Body = { model: string; answers: Record<string, Answer>; usage: { input_tokens: number } }

async function ask(model: string, state: string, questions: object): Promise<Body> {
  const response = await service.decide(token, { model, state, questions })
  expect(response.status).toBe(200)
  return (await response.json()) as Body
}

/** The confidence that the documents state, from the numbers of a response. */
function sureness({ noul, probabilities }: Answer): number {
  return noul === undefined ? Math.max(...Object.values(probabilities ?? {})) : Math.max(noul, 1 - noul)
}

const criteria = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,6}$/), { minLength: 1, maxLength: 5 })
const question = fc.oneof(
  fc.record({
    type: fc.constant("noul"),
    instructions: fc.stringMatching(/^[a-z ]{0,20}$/).map((text) => ASKED + text),
  }),
  fc.record({
    type: fc.constant("choice"),
    instructions: fc.constant(ASKED),
    criteria: criteria.map((names) => Object.fromEntries(names.map((name) => [name, null]))),
  }),
  fc.record({ type: fc.constant("score"), instructions: fc.constant(ASKED), criteria }),
)

it(
  "each answer of a cascade is the small model's where it is sure enough, else the big one's",
  async () => {
    let [wentOn, stayed] = [0, 0]
    await fc.assert(
      fc.asyncProperty(
        fc.stringMatching(/^[a-z ]{1,60}$/),
        fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), question, { minKeys: 1, maxKeys: 6 }),
        fc.constantFrom(...BOUNDS),
        async (state, questions, bound) => {
          const [bySmall, byBig] = [await ask(SMALL, state, questions), await ask(BIG, state, questions)]
          const before = await moneyOf(accountId)
          big.requests.length = 0
          const { answers, usage, model } = await ask(`svc-below-${bound}`, state, questions)
          const names = Object.keys(bySmall.answers)
          const unsure = names.filter((name) => sureness(bySmall.answers[name] ?? {}) < bound)
          const expected = names.map((name) => [name, (unsure.includes(name) ? byBig : bySmall).answers[name]])
          expect([model, Object.entries(answers)]).toEqual([`svc-below-${bound}`, expected])
          expect(
            askedOf(big)
              .flatMap((asked) => asked.names)
              .toSorted(),
          ).toEqual(unsure.toSorted())
          expect(usage).toEqual(bySmall.usage)
          const after = await moneyOf(accountId)
          expect(before.balance - after.balance).toBe(CASCADE_PRICE * BigInt(usage.input_tokens))
          wentOn += unsure.length
          stayed += names.length - unsure.length
        },
      ),
      { numRuns: 60 * testScale, seed: 55 },
    )
    expect(Math.min(wentOn, stayed)).toBeGreaterThan(20)
    expect(runtime().engines.availability(BIG).available).toBe(true)
  },
  testScale * 300_000,
)
