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

function withoutDetail(json: unknown): unknown {
  const { detail: _detail, ...rest } = json as Record<string, unknown>
  return rest
}

/** Sends a request to both paths, and returns both responses without what differs between any two requests. */
async function both(token: string, body: unknown, headers: Record<string, string> = {}) {
  const responses = []
  for (const path of PATHS) {
    const response = await post(path, token, body, headers)
    const json = await expectDescribed(response, path)
    const names = [...response.headers.keys()].filter((name) => name !== "date")
    responses.push({ status: response.status, names, json: withoutDetail(json) })
  }
  return responses
}

describe("POST /v1/systemone", () => {
  it.each([
    ["an answer", REQUEST, 200],
    ["a field that is wrong", { ...REQUEST, state: 1 }, 400],
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
      [token, { ...REQUEST, state: 1 }],
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

const asked = async (body: unknown, token: string) => {
  const response = await post("/v1/systemone", token, body)
  return {
    status: response.status,
    json: (await expectDescribed(response, "/v1/systemone")) as Record<string, unknown>,
  }
}
describe("a request that only System One's clients send", () => {
  it("is answered under its own names of model and questions, and charged once", async () => {
    const { accountId, token } = await insertPayer()
    const questions = { "order.refund": REQUEST.questions.refund, 질문: REQUEST.questions.refund }
    const { status, json } = await asked({ model: "jev-latest", state: "", questions, session_id: "s" }, token)
    expect(status).toBe(200)
    expect(Object.keys(json.answers as object)).toEqual(["order.refund", "질문"])
    expect(json.model).toBe(service.runtime.catalogue.resolve(ALIAS)?.id)
    expect(await moneyOf(accountId)).toMatchObject({ charges: 1, held: 0n })
  })

  it("may have 128 questions, more than its model takes, and is charged once", async () => {
    const { accountId, token } = await insertPayer()
    const questions = Object.fromEntries(Array.from({ length: 128 }, (_, i) => [`q.${i}`, REQUEST.questions.refund]))
    const { status, json } = await asked({ ...REQUEST, questions }, token)
    expect([status, Object.keys(json.answers as object).length]).toEqual([200, 128])
    expect(await moneyOf(accountId)).toMatchObject({ charges: 1, held: 0n })
  })

  it("names a model that works when its own is unknown, and another dialect's name is unknown", async () => {
    const { token } = await insertFastKey()
    for (const model of ["jev-0", "gpt-6-luna"]) {
      const { status, json } = await asked({ ...REQUEST, model }, token)
      const message = "There is no model with this name. Use jev-latest."
      expect([status, json.detail]).toEqual([400, { error_type: "api_usage_error", message }])
      expect(json.error).toMatchObject({ code: "invalid_model", message })
    }
  })

  it("names the field of a question whose name has dots, in parts", async () => {
    const { token } = await insertFastKey()
    const options = Object.fromEntries(Array.from({ length: 256 }, (_, i) => [`o${i}`, null]))
    for (const [question, loc] of [
      [{ type: "guess" }, ["body", "questions", "order.refund", "type"]],
      [{ type: "choice", criteria: options }, ["body", "questions", "order.refund", "criteria"]],
      [{ type: "score", criteria: ["calm", 1] }, ["body", "questions", "order.refund", "criteria", 1]],
    ] as const) {
      const { status, json } = await asked({ ...REQUEST, questions: { "order.refund": question } }, token)
      expect([status, (json.detail as { loc: unknown }[])[0]?.loc]).toEqual([400, loc])
      expect(json.error).toMatchObject({ param: loc.slice(1).join(".") })
    }
  })

  it("is refused at /v1/decisions, whose valid models have none of the names", async () => {
    const { token } = await insertFastKey()
    const response = await post("/v1/decisions", token, { ...REQUEST, model: "jev-latest" })
    const { error } = (await response.json()) as { error: { code: string; valid_models: string[] } }
    expect([response.status, error.code]).toEqual([400, "invalid_model"])
    expect(error.valid_models).toEqual(service.runtime.catalogue.callableIds())
    expect(error.valid_models).not.toContain("jev-latest")
  })

  it("finds its own names in the models half of the list only", async () => {
    const list = (await (await fetch(`${service.url}/v1/models`)).json()) as {
      data: { id: string }[]
      models: { name: string }[]
    }
    expect(list.models.map(({ name }) => name)).toContain("jev-latest")
    expect(list.models.map(({ name }) => name)).not.toContain("gpt-6-luna")
    expect(list.data.map(({ id }) => id)).not.toContain("jev-latest")
  })
})
