import { createHash } from "node:crypto"
import fc from "fast-check"
import { expect, it, vi } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { brokenChecks, moneyOf } from "@/test/ledger-state"
import { testScale } from "@/test/scale"
import { capture, placeHold, releaseHold } from "./hold"
import { claimKey, endClaim, type IdempotencyKey } from "./idempotency-claims"

const LEASE = 6
const DAY = 86_400
const FACTS = { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } }

await testRuntime()
const modelId = await insertModel()
await runtime().pool.query(`
  CREATE TABLE test_clock (start timestamptz, seconds bigint); INSERT INTO test_clock VALUES (date_trunc('day', now()), 0);
  CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT start + seconds * interval '1 s' FROM test_clock $$`)
// The histories have a clock of their own, but claims are renewed by the real one.
vi.spyOn(runtime().claims, "hold").mockImplementation(() => {})

/** One step of a history. `of` picks one of the requests that are running. A crash ends a request without any call. */
type Step =
  | { do: "send"; key: number; body: number }
  | { do: "finish" | "fail" | "crash"; of: number }
  | { do: "wait"; seconds: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("send"), key: fc.nat(1), body: fc.constantFrom(0, 0, 0, 1) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("finish"), of: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("fail", "crash"), of: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("wait"), seconds: fc.constantFrom(1, LEASE, 150, DAY) }) },
)

interface Row {
  body: number
  running: { id: string; until: number } | null
  charge: { id: string; until: number; again: number } | null
}

/** What the SQL functions must do, in a few lines: the rows by key, and the number of charges. */
class Model {
  readonly rows = new Map<number, Row>()
  charges = 0

  claim(key: number, body: number, id: string, now: number): string {
    const row = this.rows.get(key)
    const running = { id, until: now + LEASE }
    const isOver = !row || (row.charge ? row.charge.until <= now : (row.running?.until ?? 0) <= now)
    if (isOver) {
      this.rows.set(key, { body, running, charge: null })
      return "claimed"
    }
    if (row.body !== body) return "other_body"
    if (row.running && row.running.until > now) return "running"
    if (!row.charge) throw new Error("a row without a charge is running")
    if (row.charge.again === 5) return "used_up"
    row.charge.again++
    row.running = running
    return "charged"
  }

  charge(key: number, body: number, id: string, now: number): string {
    const { charge } = this.rows.get(key) ?? {}
    if (charge && charge.id !== id && charge.until > now) return "charged_before"
    this.rows.set(key, { body, running: null, charge: { id, until: now + DAY, again: 0 } })
    this.charges++
    return "captured"
  }

  end(key: number, id: string, isFailed: boolean): void {
    const row = this.rows.get(key)
    if (!row || row.running?.id !== id) return
    row.running = null
    if (!row.charge) this.rows.delete(key)
    else if (isFailed) row.charge.again--
  }
}

const sha256 = (text: string) => createHash("sha256").update(text).digest()

interface Running {
  id: string
  key: number
  body: number
  outcome: string
}

async function play(history: Step[]) {
  const actor = await insertPayer()
  const { accountId } = actor
  const model = new Model()
  const running: Running[] = []
  const actual: string[] = []
  const expected: string[] = []
  let now = 0
  const keyOf = ({ key, body }: { key: number; body: number }): IdempotencyKey => ({
    accountId,
    keySha256: sha256(`key ${key}`),
    bodyHmacs: [sha256(`body ${body}`)],
  })

  const finish = async ({ id, key, body, outcome }: Running) => {
    if (outcome === "charged") {
      await endClaim(runtime(), keyOf({ key, body }), id, false)
      return model.end(key, id, false)
    }
    const hold = { id, accountId }
    await placeHold(runtime(), { id, actor, modelId, pricePico: pico(1n), maxTokens: 10, isKeyed: true })
    const state = await capture(runtime(), hold, FACTS, keyOf({ key, body }))
    // A capture whose reply was lost is sent again.
    actual.push(state, await capture(runtime(), hold, FACTS, keyOf({ key, body })))
    const should = model.charge(key, body, id, now)
    expected.push(should, should)
    if (state !== "captured") await releaseHold(runtime(), hold)
  }

  for (const one of history) {
    if (one.do === "wait") {
      now += one.seconds
      await runtime().pool.query("UPDATE test_clock SET seconds = $1", [now])
    } else if (one.do === "send") {
      const id = newId()
      const { outcome } = await claimKey(runtime(), keyOf(one), actor.keyId, id)
      actual.push(outcome)
      expected.push(model.claim(one.key, one.body, id, now))
      if (outcome === "claimed" || outcome === "charged") running.push({ id, key: one.key, body: one.body, outcome })
    } else {
      const [request] = running.splice(one.of % Math.max(1, running.length), 1)
      if (!request) continue
      if (one.do === "finish") await finish(request)
      if (one.do === "fail") {
        await endClaim(runtime(), keyOf(request), request.id, true)
        model.end(request.key, request.id, true)
      }
      runtime().claims.end(request.id)
    }
  }
  for (const { id } of running) runtime().claims.end(id)
  await runtime().pool.query("UPDATE test_clock SET seconds = 0")
  const { charges, held } = await moneyOf(accountId)
  return { actual, expected, charges, held, modelCharges: model.charges }
}

it(
  "keys are claimed and charged as a model says, through random histories of retries, crashes and waits",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (history) => {
        const { actual, expected, charges, held, modelCharges } = await play(history)
        expect(actual).toEqual(expected)
        expect([charges, held]).toEqual([modelCharges, 0n])
      }),
      { numRuns: 100 * testScale },
    )
    expect(await brokenChecks()).toEqual([])
  },
  240_000 * testScale,
)
