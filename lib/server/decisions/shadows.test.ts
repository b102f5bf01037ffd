import { setTimeout as delay } from "node:timers/promises"
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import type { Engine } from "@/lib/server/engines/engine"
import { EngineEntry } from "@/lib/server/engines/engine-entry"
import { EngineGroup } from "@/lib/server/engines/engine-group"
import { FairQueue } from "@/lib/server/engines/fair-queue"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { RELIED_ON_MS } from "@/lib/server/platform/authority"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { setTakingPart } from "@/lib/server/shadows/refuse-shadows"
import { endShadow, startShadow } from "@/lib/server/shadows/run-shadow"
import { findShadow } from "@/lib/server/shadows/shadow-report"
import { ServiceError } from "@/lib/shared/errors"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { type Pico, pico } from "@/lib/shared/money"
import { columnsWith } from "@/test/closing-fixture"
import { insertModel, insertPayer } from "@/test/insert-rows"
import { roundTripsOf } from "@/test/round-trips"
import { gate } from "@/test/scripted-engine"
import { testService } from "@/test/service"
import { ownerOf } from "@/test/sign-up"
import { stopClock } from "@/test/stop-clock"
import { LEXICAL } from "@/test/system-one-model"

const CANDIDATE = "candidate-1"
const QUESTIONS = {
  late: { type: "noul", instructions: "Is the mark-in-a-question parcel late?" },
  team: { type: "choice", instructions: "Who?", criteria: { sales: "Buy", support: "Help", other: null } },
}
const BODY = { model: ALIAS, state: "mark-in-a-state: my parcel is late.", questions: QUESTIONS }
/** 100 tokens of the candidate cost $0.0001. */
const PRICE = pico(1_000_000n)

const service = await testService()
const query = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

/** What the candidate does, and how often it was asked. */
const nothing = async (): Promise<void> => {}
const candidate = { asked: 0, check: nothing, work: nothing }
const engine: Engine = {
  maxTokens: () => 100,
  countTokens: async () => ({ state: 60, questions: [20, 20] }),
  check: () => candidate.check(),
  answer: async (_request, _signal, _take, caller) => {
    await caller?.authorize?.()
    candidate.asked++
    await candidate.work()
    return [
      { type: "noul", yes: 0.99 },
      { type: "choice", probabilities: [0.98, 0.01, 0.01] },
    ]
  },
  isAlive: async () => true,
  probe: async () => ({ available: true }),
  close: async () => {},
}

beforeAll(async () => {
  await query("INSERT INTO model (id, kind, engine, price_pico) VALUES ($1, 'pinned', 'lexical', $2)", [
    CANDIDATE,
    PRICE,
  ])
  await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(20_000n) })
  await loadCatalogue(runtime())
})

afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await settled()
  await query("DELETE FROM shadow")
  await loadCatalogue(runtime())
  Object.assign(candidate, { asked: 0, check: nothing, work: nothing })
})

/** Has the candidate asked about all requests to the alias. */
async function shadow(budgetPico: Pico | null = null): Promise<void> {
  const entry = new EngineEntry(engine, new FairQueue(16), null)
  const group = new EngineGroup(LEXICAL, () => entry)
  const { engines } = runtime()
  const get = engines.get.bind(engines)
  vi.spyOn(engines, "get").mockImplementation((id) => (id === CANDIDATE ? group : get(id)))
  await startShadow(runtime(), OPERATOR, { aliasId: ALIAS, toId: CANDIDATE, share: 1, until: null, budgetPico })
  await loadCatalogue(runtime())
}

/** Waits until no request is in flight to the candidate, and saves the figures. */
async function settled(): Promise<void> {
  await expect.poll(() => runtime().shadows.inFlight, { interval: 5, timeout: 20_000 }).toBe(0)
  await runtime().shadows.save(runtime())
}

const report = async () => {
  await settled()
  return findShadow(runtime(), OPERATOR, { aliasId: ALIAS })
}

/** Sends a request and returns the body of its 200. */
async function decided(token: string, body: unknown = BODY): Promise<string> {
  const response = await service.decide(token, body)
  expect(response.status).toBe(200)
  return response.text()
}

const chargesOf = async (accountId: string) =>
  (
    await query(
      "SELECT kind, amount_pico, tokens, model_id FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
      [accountId],
    )
  ).rows

describe("a shadow", () => {
  it("asks the candidate after the answer, and stores numbers alone", async () => {
    const { token, accountId } = await insertPayer()
    const alone = await decided(token)
    const [charge] = await chargesOf(accountId)
    await shadow()
    expect(await decided(token)).toBe(alone)
    expect(await report()).toMatchObject({
      alias: ALIAS,
      from: LEXICAL_BASELINE,
      to: CANDIDATE,
      accounts: 1,
      answered: 1,
      failed: 0,
      skipped: 0,
      tokens: 100,
      spentUsd: "0.000100000000",
      questions: [
        { type: "choice", options: 3, compared: 1, changed: 1 },
        { type: "noul", options: 2, compared: 1, changed: 1 },
      ],
    })
    expect(await chargesOf(accountId)).toEqual([charge, charge])
    expect(await columnsWith("mark-in-a-")).toEqual([])
  })

  it("neither delays nor fails an answer", async () => {
    const { token } = await insertPayer()
    await shadow()
    const { wait, open } = gate()
    candidate.work = async () => {
      await wait()
      throw new ServiceError("upstream_error")
    }
    await decided(token)
    await expect.poll(() => candidate.asked, { interval: 5, timeout: 20_000 }).toBe(1)
    expect(runtime().shadows.inFlight).toBe(1)
    open()
    expect(await report()).toMatchObject({ answered: 0, failed: 1, skipped: 0, questions: [] })
  })

  it("asks nothing about requests to a pinned id", async () => {
    const { token } = await insertPayer()
    await shadow()
    await decided(token, { ...BODY, model: LEXICAL_BASELINE })
    expect(await report()).toMatchObject({ accounts: 0, answered: 0 })
    expect(candidate.asked).toBe(0)
  })

  it("costs no statement and no call while there is none", async () => {
    // The clock is stopped, so the key stays cached.
    stopClock()
    const { token } = await insertPayer()
    await decided(token)
    const both = () => decided(token).then(settled)
    expect(await roundTripsOf(both)).toBe(2)
    await shadow()
    // Whether the account takes part, and the transaction of the figures.
    expect(await roundTripsOf(both)).toBeGreaterThan(2)
    expect(candidate.asked).toBe(1)
  })
})

describe("a candidate is not asked", () => {
  it("for an account that refuses", async () => {
    const { token, accountId } = await insertPayer()
    await shadow()
    await setTakingPart(runtime(), ownerOf(accountId), { takesPart: false })
    await decided(token)
    expect(await report()).toMatchObject({ accounts: 0, answered: 0, failed: 0, skipped: 0 })
    expect(candidate.asked).toBe(0)
    await setTakingPart(runtime(), ownerOf(accountId), { takesPart: true })
    await decided(token)
    expect(await report()).toMatchObject({ accounts: 1, answered: 1 })
  })

  it("once the key was revoked while the request waited", async () => {
    const { token, accountId, keyId } = await insertPayer()
    await shadow()
    const { wait, open } = gate()
    candidate.check = wait
    await decided(token)
    await revokeKey(runtime(), ownerOf(accountId), { id: publicId("key", keyId) })
    await delay(RELIED_ON_MS)
    open()
    expect(await report()).toMatchObject({ answered: 0, failed: 0 })
    expect(candidate.asked).toBe(0)
  })

  it("once the shadow has ended", async () => {
    const { token } = await insertPayer()
    await shadow()
    await endShadow(runtime(), OPERATOR, { aliasId: ALIAS })
    await decided(token)
    expect(await report()).toMatchObject({ accounts: 0, endedAt: expect.any(String) })
    expect(candidate.asked).toBe(0)
  })

  it("about an answer of another model than the one that it is compared with", async () => {
    const { token } = await insertPayer()
    const other = await insertModel("other-1")
    await shadow()
    // As a process of an earlier version moves the alias.
    const move = async (to: string) => {
      await query("UPDATE model SET target_id = $2 WHERE id = $1", [ALIAS, to])
      await loadCatalogue(runtime())
    }
    await move(other)
    const answer = await decided(token)
    await move(LEXICAL_BASELINE)
    expect(JSON.parse(answer)).toMatchObject({ model: other })
    expect(await report()).toMatchObject({ accounts: 0, answered: 0, failed: 0, skipped: 0 })
    expect(candidate.asked).toBe(0)
  })

  it("about an answer of the earlier model on which an account keeps the alias", async () => {
    const { token, accountId } = await insertPayer()
    const earlier = await insertModel("earlier-1")
    await query(
      "INSERT INTO alias_stay (account_id, alias_id, model_id, until_at) VALUES ($1, $2, $3, now() + interval '1 day')",
      [accountId, ALIAS, earlier],
    )
    await shadow()
    const answer = await decided(token)
    expect(JSON.parse(answer)).toMatchObject({ model: earlier })
    expect(await report()).toMatchObject({ accounts: 0, answered: 0, failed: 0, skipped: 0 })
    expect(candidate.asked).toBe(0)
  })

  it("beyond the budget", async () => {
    const { token } = await insertPayer()
    await shadow(pico(100n * PRICE))
    await decided(token)
    await settled()
    await decided(token)
    expect(await report()).toMatchObject({ answered: 1, spentUsd: "0.000100000000", budgetUsd: "0.000100000000" })
    await loadCatalogue(runtime())
    await decided(token)
    await settled()
    expect(candidate.asked).toBe(1)
  })

  it("about a body that is too large to keep", async () => {
    const { token } = await insertPayer()
    await shadow()
    await decided(token, JSON.stringify(BODY) + " ".repeat(300_000))
    expect(await report()).toMatchObject({ answered: 0, failed: 0, skipped: 1 })
    expect(candidate.asked).toBe(0)
  })

  it("when 64 requests are in flight", async () => {
    const payers = await Promise.all(Array.from({ length: 9 }, () => insertPayer()))
    await shadow()
    const { wait, open } = gate()
    candidate.work = wait
    for (const { token } of payers) await Promise.all(Array.from({ length: 8 }, () => decided(token)))
    open()
    expect(await report()).toMatchObject({ answered: 64, failed: 0, skipped: 8 })
  })
})
