import { describe, expect, it } from "vitest"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { expectDescribed } from "@/test/contract"
import { insertFastKey, insertPayer, insertSession } from "@/test/insert-rows"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"

const REQUEST = { model: ALIAS, state: "Refund me.", questions: { refund: { type: "noul", instructions: "Refund?" } } }
const PATHS = ["/v1/decisions", "/v1/systemone"]

const service = await testService({}, { serve: "all" })

const post = (path: string, token: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  })

/** Sends a request to both paths, and returns both responses without what differs between any two requests. */
async function both(token: string, body: unknown, headers: Record<string, string> = {}) {
  const responses = []
  for (const path of PATHS) {
    const response = await post(path, token, body, headers)
    const json = await expectDescribed(response, path)
    const names = [...response.headers.keys()].filter((name) => name !== "date")
    responses.push({ status: response.status, names, json })
  }
  return responses
}

describe("POST /v1/systemone", () => {
  it.each([
    ["an answer", REQUEST, 200],
    ["a field that is wrong", { ...REQUEST, state: "" }, 400],
    ["an unknown model", { ...REQUEST, model: "none" }, 400],
    ["a malformed key of idempotency", REQUEST, 400, { "idempotency-key": "a b" }],
  ] as [string, object, number, Record<string, string>?][])(
    "responds like /v1/decisions: %s",
    async (_what, body, status, headers) => {
      const { accountId, token } = await insertFastKey()
      const [decisions, systemOne] = await both(token, body, headers)
      expect(systemOne).toEqual(decisions)
      expect(systemOne?.status).toBe(status)
      const { balance, charges } = await moneyOf(accountId)
      expect([balance > 0n, charges]).toEqual([true, status === 200 ? 2 : 0])
    },
  )

  it("refuses like /v1/decisions without a key, without credit, and with another method", async () => {
    const poor = await insertPayer({ balancePico: 0n })
    const [first, second] = await both(poor.token, REQUEST)
    expect(second).toEqual(first)
    expect(second?.status).toBe(402)
    const [unknown, alsoUnknown] = await both("svcd_unknown", REQUEST)
    expect([alsoUnknown, alsoUnknown?.status]).toEqual([unknown, 401])
    const other = await fetch(`${service.url}/v1/systemone`)
    expect([other.status, other.headers.get("allow")]).toEqual([405, "POST"])
  })

  it.each(PATHS)("names the request id twice on %s, in every response", async (path) => {
    const { token } = await insertFastKey()
    for (const [key, body] of [
      [token, REQUEST],
      [token, { ...REQUEST, state: "" }],
      ["svcd_unknown", REQUEST],
    ] as const) {
      const { headers } = await post(path, key, body)
      expect(headers.get("x-request-id")).toMatch(/^req_/)
      expect(headers.get("x-typesafe-request-id")).toBe(headers.get("x-request-id"))
    }
  })

  it("shares idempotency keys with /v1/decisions and the Playground", async () => {
    const { accountId, token } = await insertPayer()
    const keyed = { "idempotency-key": "order-1" }
    const replayed = []
    for (const path of PATHS)
      replayed.push((await post(path, token, REQUEST, keyed)).headers.get("idempotent-replayed"))
    const cookie = await insertSession(accountId)
    const playground = await fetch(`${service.url}/playground/decisions`, {
      method: "POST",
      headers: { ...keyed, "content-type": "application/json", origin: service.runtime.env.CONSOLE_URL, cookie },
      body: JSON.stringify(REQUEST),
    })
    expect(playground.status).toBe(200)
    expect([...replayed, playground.headers.get("idempotent-replayed")]).toEqual([null, "true", "true"])
    expect(await moneyOf(accountId)).toMatchObject({ charges: 1, held: 0n })
  })
})
