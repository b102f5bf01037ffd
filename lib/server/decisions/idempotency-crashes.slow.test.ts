import { expect, it, vi } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { claimKey } from "@/lib/server/ledger/idempotency-claims"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { decideAs, interceptPool, ONE_NOUL } from "@/test/decide-directly"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { gate } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"
import { hashKey, requireWellFormed } from "./idempotency"

const TEN_CENTS = 100_000_000_000n
const CHARGED = { balance: 9n * TEN_CENTS, held: 0n, states: ["captured"], charges: 1 }

const scripted = scriptedService()

const never = new AbortController().signal
const broken = () => new Error("Connection terminated unexpectedly")
const newActor = (balancePico = 10n * TEN_CENTS) => insertPayer({ balancePico })

it("a retry after a crash between hold and charge releases that hold and is charged", async () => {
  const actor = await newActor(TEN_CENTS)
  const key = requireWellFormed(await hashKey(runtime(), "k", actor, Buffer.from(JSON.stringify(ONE_NOUL))))
  if (!key) throw new Error("there is a key")
  const crashed = newId()
  expect(await claimKey(runtime(), key, actor.keyId, crashed)).toMatchObject({ outcome: "claimed", previous: null })
  await placeHold(runtime(), {
    id: crashed,
    actor,
    modelId: LEXICAL_BASELINE,
    pricePico: pico(100_000_000n),
    maxTokens: 1_000,
  })
  runtime().claims.end(crashed)
  await setLedgerClock("clock_timestamp() + interval '7 s'")
  // The balance pays for one request only, so it must be free again.
  expect(await decideAs(actor, never, { idempotencyKey: "k" })).toMatchObject({ tokens: 1_000 })
  expect(await moneyOf(actor.accountId)).toEqual({ balance: 0n, held: 0n, states: ["voided", "captured"], charges: 1 })
})

it("a charge whose reply is lost is charged once, and the retry computes the answer again", async () => {
  const actor = await newActor()
  let losses = 0
  interceptPool(async (name, run) => {
    const answer = await run()
    if (name === "charge-holds-once" && losses++ < 2) throw broken()
    return answer
  })
  expect(await decideAs(actor, never, { idempotencyKey: "k" })).toMatchObject({ tokens: 1_000 })
  expect(await decideAs(actor, never, { idempotencyKey: "k" })).toMatchObject({ tokens: null })
  expect(await moneyOf(actor.accountId)).toEqual(CHARGED)
})

it("of two requests that both answer, because a claim was lost, one is charged and the other says when to retry", async () => {
  const actor = await newActor()
  const { wait, open } = gate()
  scripted.engine.waitBeforeAnswer = wait
  const first = decideAs(actor, never, { idempotencyKey: "k" })
  await expect.poll(() => scripted.engine.working).toBe(1)
  await runtime().pool.query("DELETE FROM idempotency_key WHERE account_id = $1", [actor.accountId])
  const second = decideAs(actor, never, { idempotencyKey: "k" })
  await expect.poll(() => scripted.engine.working).toBe(2)
  open()
  const settled = await Promise.allSettled([first, second])
  const refused = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []))
  expect(refused).toEqual([expect.objectContaining({ code: "capacity_exceeded", retryAfterSeconds: 1 })])
  expect(await decideAs(actor, never, { idempotencyKey: "k" })).toMatchObject({ tokens: null })
  expect(await moneyOf(actor.accountId)).toMatchObject({ balance: 9n * TEN_CENTS, held: 0n, charges: 1 })
})

/** Fails a keyed request so that it stays unknown whether it was charged. Returns a function that ends the outage. */
async function failUnknown(actor: { accountId: string; keyId: string }): Promise<() => void> {
  const deadline = new AbortController()
  let isGone = true
  interceptPool(async (name, run) => {
    if (name === "release" && isGone) throw broken()
    const answer = await run()
    if (name !== "charge-holds-once" || !isGone) return answer
    // A deadline by time could come before the charge.
    deadline.abort(new ServiceError("upstream_timeout"))
    throw broken()
  })
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, "timeout").mockImplementationOnce((ms) => timeout(ms / 50))
  await expect(decideAs(actor, deadline.signal, { idempotencyKey: "k" })).rejects.toMatchObject({
    code: "internal_error",
  })
  expect(await moneyOf(actor.accountId)).toEqual(CHARGED)
  return () => {
    isGone = false
  }
}

it("a charge of a request that failed is reversed with its key, so that the retry is charged", async () => {
  const actor = await newActor()
  const end = await failUnknown(actor)
  end()
  await expect.poll(async () => (await moneyOf(actor.accountId)).balance).toBe(10n * TEN_CENTS)
  expect(await decideAs(actor, never, { idempotencyKey: "k" })).toMatchObject({ tokens: 1_000 })
  expect(await moneyOf(actor.accountId)).toMatchObject({ balance: 9n * TEN_CENTS, held: 0n })
})

it("a charge of a request that failed stays when a retry has received its answer", async () => {
  const actor = await newActor()
  const end = await failUnknown(actor)
  expect(await decideAs(actor, never, { idempotencyKey: "k" })).toMatchObject({ tokens: null })
  const warned = vi.spyOn(runtime().log, "warn")
  end()
  await expect
    .poll(() => warned.mock.calls.flat())
    .toContain("The charge of a failed request stays: a retry with its idempotency key receives the answer")
  expect(await moneyOf(actor.accountId)).toEqual(CHARGED)
})
