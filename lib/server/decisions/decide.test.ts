import { beforeEach, describe, expect, it } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { decideAs, ONE_NOUL } from "@/test/decide-directly"
import { insertPayer } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { gate, PLACES } from "@/test/scripted-engine"
import { scriptedService } from "@/test/scripted-service"
import { countRequest } from "./count-request"

const TEN_CENTS = 100_000_000_000n
const UNCHARGED = { balance: 10n * TEN_CENTS, held: 0n, charges: 0 }

const scripted = scriptedService()

const newActor = (balancePico = 10n * TEN_CENTS) => insertPayer({ balancePico })

describe("an engine's error before the hold", () => {
  beforeEach(() => {
    scripted.engine.countFailure = new ServiceError("upstream_error")
  })
  const codeFor = async (token: string) => {
    const response = await scripted.service.decide(token, ONE_NOUL)
    const { error } = (await response.json()) as { error: { code: string } }
    return [response.status, error.code]
  }

  it("is returned to an account that could pay, and nothing stays held", async () => {
    const { accountId, token } = await newActor()
    expect(await codeFor(token)).toEqual([502, "upstream_error"])
    expect(await moneyOf(accountId)).toMatchObject({ ...UNCHARGED, states: ["voided"] })
  })

  it("comes after the refusals for the key's limit and the balance", async () => {
    const [limited, poor] = [await insertPayer({ limitPico: 1n }), await newActor(0n)]
    expect(await codeFor(limited.token)).toEqual([402, "key_limit_reached"])
    expect(await codeFor(poor.token)).toEqual([402, "insufficient_balance"])
  })

  it.each(["before", "during"])("comes after the end of authority %s the count, and nothing is held", async (when) => {
    const actor = await newActor()
    let checks = 0
    const authorize = async () => {
      if (++checks > (when === "before" ? 0 : 1)) throw new ServiceError("signed_out")
    }
    await expect(decideAs(actor, new AbortController().signal, { authorize })).rejects.toThrow(
      expect.objectContaining({ code: "signed_out" }),
    )
    expect(await moneyOf(actor.accountId)).toMatchObject({ ...UNCHARGED, states: [] })
  })
})

describe("a place at the engine", () => {
  const never = () => new AbortController().signal

  it("is free again once the answer is there, however long tokens are counted", async () => {
    const actor = await newActor(20n * TEN_CENTS)
    const counted = gate()
    let counting = 0
    scripted.engine.waitBeforeCount = () => {
      counting++
      return counted.wait()
    }
    const waiting = Array.from({ length: PLACES }, () => decideAs(actor, never()))
    await expect.poll(() => counting).toBe(PLACES)
    scripted.engine.waitBeforeCount = () => {}
    expect(await decideAs(await newActor(), never())).toMatchObject({ tokens: 1_000 })
    counted.open()
    expect((await Promise.all(waiting)).map(({ tokens }) => tokens)).toEqual(Array(PLACES).fill(1_000))
  })

  it("is not needed to count a request's tokens", async () => {
    const actor = await newActor(20n * TEN_CENTS)
    const answered = gate()
    scripted.engine.waitBeforeAnswer = answered.wait
    const waiting = Array.from({ length: PLACES }, () => decideAs(actor, never()))
    await expect.poll(() => scripted.engine.working).toBe(PLACES)
    const body = Buffer.from(JSON.stringify(ONE_NOUL))
    const call = { body, mediaFault: null, signal: never(), onModel: () => {}, ...actor, authorize: () => undefined }
    expect(await countRequest(runtime(), call)).toMatchObject({ input_tokens: 1_000 })
    answered.open()
    await Promise.all(waiting)
  })
})
