import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { decideAs, interceptPool, ONE_NOUL } from "@/test/decide-directly"
import { insertAccount, insertKey } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { gate, PLACES, type ScriptedEngine, scriptedEngine } from "@/test/scripted-engine"
import { type TestService, testService } from "@/test/service"
import { countRequest } from "./count-request"

const TEN_CENTS = 100_000_000_000n
const UNCHARGED = { balance: 10n * TEN_CENTS, held: 0n, charges: 0 }

let service: TestService
let engine: ScriptedEngine
beforeAll(async () => {
  service = await testService()
})
beforeEach(async () => {
  engine = await scriptedEngine()
})
afterEach(async () => {
  vi.restoreAllMocks()
  expect((await verifyLedger(runtime())).checks.filter((check) => !check.ok)).toEqual([])
})

const newActor = async (balancePico = 10n * TEN_CENTS) => {
  const { accountId } = await insertAccount(balancePico)
  return { accountId, ...(await insertKey(accountId)) }
}

describe("a hold", () => {
  it("whose reply is lost is released, and the request returns 500", async () => {
    const { accountId, token } = await newActor()
    interceptPool(async (name, run) => {
      const answer = await run()
      if (name === "place-holds") throw new Error("Connection terminated unexpectedly")
      return answer
    })
    expect((await service.decide(token, ONE_NOUL)).status).toBe(500)
    expect(await moneyOf(accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })

  it("is released when the engine fails, and the engine's error is returned", async () => {
    const { accountId, token } = await newActor()
    engine.waitBeforeAnswer = () => Promise.reject(new ServiceError("upstream_error"))
    expect((await service.decide(token, ONE_NOUL)).status).toBe(502)
    expect(await moneyOf(accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })

  it("is released when the client disconnects, and the engine's work is aborted", async () => {
    const { accountId, token } = await newActor()
    engine.waitBeforeAnswer = () => new Promise(() => {})
    const before = engine.aborted
    const client = new AbortController()
    const left = fetch(`${service.url}/v1/decisions`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(ONE_NOUL),
      signal: client.signal,
    }).catch(() => "left")
    await expect.poll(() => engine.working).toBe(1)
    client.abort()
    expect(await left).toBe("left")
    await expect.poll(() => engine.aborted).toBe(before + 1)
    await expect.poll(() => moneyOf(accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })

  it("is released when the engine exceeds the deadline", async () => {
    const actor = await newActor()
    const deadline = new AbortController()
    engine.waitBeforeAnswer = () => {
      setTimeout(() => deadline.abort(new ServiceError("upstream_timeout")), 50)
      return new Promise(() => {})
    }
    await expect(decideAs(actor, deadline.signal)).rejects.toMatchObject({ code: "upstream_timeout" })
    expect(await moneyOf(actor.accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })
})

describe("an engine's error before the hold", () => {
  beforeEach(() => {
    engine.countFailure = new ServiceError("upstream_error")
  })
  const codeFor = async (token: string) => {
    const response = await service.decide(token, ONE_NOUL)
    const { error } = (await response.json()) as { error: { code: string } }
    return [response.status, error.code]
  }

  it("is returned to an account that could pay, and nothing stays held", async () => {
    const { accountId, token } = await newActor()
    expect(await codeFor(token)).toEqual([502, "upstream_error"])
    expect(await moneyOf(accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })

  it("comes after the refusals for the key's limit and the balance", async () => {
    const { accountId } = await insertAccount(10n * TEN_CENTS)
    const limited = await insertKey(accountId, { limitPico: 1n })
    expect(await codeFor(limited.token)).toEqual([402, "key_limit_reached"])
    const poor = await insertAccount(0n)
    expect(await codeFor((await insertKey(poor.accountId)).token)).toEqual([402, "insufficient_balance"])
  })
})

describe("a place at the engine", () => {
  const never = () => new AbortController().signal

  it("is free again once the answer is there, however long tokens are counted", async () => {
    const actor = await newActor(20n * TEN_CENTS)
    const counted = gate()
    let counting = 0
    engine.waitBeforeCount = () => {
      counting++
      return counted.wait()
    }
    const waiting = Array.from({ length: PLACES }, () => decideAs(actor, never()))
    await expect.poll(() => counting).toBe(PLACES)
    engine.waitBeforeCount = () => {}
    expect(await decideAs(await newActor(), never())).toMatchObject({ tokens: 1_000 })
    counted.open()
    expect((await Promise.all(waiting)).map(({ tokens }) => tokens)).toEqual(Array(PLACES).fill(1_000))
  })

  it("is not needed to count a request's tokens", async () => {
    const actor = await newActor(20n * TEN_CENTS)
    const answered = gate()
    engine.waitBeforeAnswer = answered.wait
    const waiting = Array.from({ length: PLACES }, () => decideAs(actor, never()))
    await expect.poll(() => engine.working).toBe(PLACES)
    const body = Buffer.from(JSON.stringify(ONE_NOUL))
    const call = { body, isPlainJson: true, signal: never(), onModel: () => {}, accountId: actor.accountId }
    expect(await countRequest(runtime(), call)).toMatchObject({ input_tokens: 1_000 })
    answered.open()
    await Promise.all(waiting)
  })
})
