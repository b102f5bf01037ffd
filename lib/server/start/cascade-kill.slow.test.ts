import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, expect, it } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { ASKED, askedOf, CASCADE_PRICE, newCascade, startParts } from "@/test/cascade"
import { insertFastKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { sendDecision } from "@/test/send-decision"
import { startServer } from "@/test/server-process"
import { testService } from "@/test/service"

/** The server starts on a machine that may be busy. */
const SLOW_START_MS = 150_000
const DOLLAR = 1_000_000_000_000n
const QUESTION = { type: "noul", instructions: `${ASKED} angry?` }

const service = await testService()
const { small, big } = await startParts()
const model = await newCascade("svc-all-1", 1)
afterAll(() => Promise.all([small.stop(), big.stop()]))

const BODY = JSON.stringify({ model, state: "My parcel is broken.", questions: { angry: QUESTION } })

it("a server that is killed between the two calls of a cascade charges nothing, and a repeat with the same key charges once", async () => {
  const { accountId, token } = await insertFastKey(DOLLAR)
  const { token: probing } = await insertFastKey(DOLLAR)
  const killed = await startServer(service.databaseUrl, {}, SLOW_START_MS)
  afterAll(() => killed.signal("SIGKILL"))
  const ready = async () => (await sendDecision(killed.url, probing, BODY)).status
  await expect.poll(ready, { timeout: SLOW_START_MS, interval: 200 }).toBe(200)
  small.requests.length = 0
  big.requests.length = 0
  big.fault = { kind: "held", until: new Promise(() => {}), only: ASKED }
  const keyed = { "idempotency-key": "k" }
  const lost = sendDecision(killed.url, token, BODY, keyed).catch(() => null)
  await expect.poll(() => askedOf(big).length, { timeout: 20_000 }).toBe(1)
  expect(askedOf(small)).toHaveLength(1)
  expect(await moneyOf(accountId)).toMatchObject({ balance: DOLLAR, charges: 0 })
  killed.signal("SIGKILL")
  await killed.ended
  expect(await lost).toBeNull()
  big.fault = null
  expect(await moneyOf(accountId)).toMatchObject({ balance: DOLLAR, charges: 0 })
  /** Sends it to another process until the claim of the killed one keeps it waiting no longer. */
  const repeat = async () => {
    for (;;) {
      const response = await service.decide(token, BODY, keyed)
      if (response.status !== 429) return response
      await sleep(500)
    }
  }
  const answered = await repeat()
  expect([answered.status, answered.headers.get("idempotent-replayed")]).toEqual([200, null])
  const { usage } = (await answered.json()) as { usage: { input_tokens: number } }
  const cost = CASCADE_PRICE * BigInt(usage.input_tokens)
  expect(await moneyOf(accountId)).toMatchObject({ balance: DOLLAR - cost, charges: 1, held: 0n })
  expect((await repeat()).headers.get("idempotent-replayed")).toBe("true")
  expect(await moneyOf(accountId)).toMatchObject({ balance: DOLLAR - cost, charges: 1, held: 0n })
  expect((await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)).toEqual([])
}, 300_000)
