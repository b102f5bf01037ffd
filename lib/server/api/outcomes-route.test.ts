import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { createKey } from "@/lib/server/keys/create-key"
import { restrictKey } from "@/lib/server/keys/restrictions"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { memoryWindows } from "@/lib/server/limits/windows"
import { keepOutcomes } from "@/lib/server/outcomes/keep-outcomes"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { expectDescribed } from "@/test/contract"
import { moneyOf } from "@/test/ledger-state"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"

const service = await testService({}, { serve: "all" })
const { rates } = runtime()
beforeEach(() => void vi.spyOn(runtime().rates, "countAddress").mockReturnValue(true))
afterEach(() => {
  vi.restoreAllMocks()
  runtime().rates = rates
})

const QUESTIONS = {
  late: { type: "noul", instructions: "Is it late?" },
  topic: { type: "choice", instructions: "What is it about?", criteria: { delivery: null, billing: null } },
  anger: { type: "score", instructions: "How angry is it?", criteria: ["calm", "annoyed", "angry"] },
}

let people = 0
/** Signs up an account that keeps outcomes, and has one request with a question of each type answered. */
async function newClient() {
  const actor = await signUp(`outcomes-${people++}@example.com`)
  const key = await createKey(runtime(), actor, { name: "CI", limit: null, expiresAt: null })
  await keepOutcomes(runtime(), actor, { isOn: true })
  const answered = await service.decide(key.token, { model: ALIAS, state: "The parcel is late.", questions: QUESTIONS })
  expect(answered.status).toBe(200)
  return { actor, ...key, requestId: answered.headers.get("x-request-id") ?? "" }
}
type Client = Awaited<ReturnType<typeof newClient>>

const post = (token: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${service.url}/v1/outcomes`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })

/** Sends a body as the document describes it. Returns the status, and the code and field of an error. */
async function report(token: string, body: unknown) {
  const response = await post(token, body)
  const json = (await expectDescribed(response, "/v1/outcomes")) as {
    stored?: number
    error?: { code: string; param?: string; message: string }
  }
  return { status: response.status, stored: json.stored, ...json.error }
}

const noul = ({ requestId }: Client, more: object = {}) => ({
  ...{ request_id: requestId, question: "late", type: "noul", predicted: 0.875, outcome: true },
  ...more,
})

async function storedOf({ actor }: Client) {
  const { rows } = await service.runtime.pool.query(
    `SELECT question, type, model_id, predicted, score, outcome, sampled_share, known_at FROM outcome
     WHERE account_id = $1 ORDER BY question`,
    [actor.accountId],
  )
  return rows
}

describe("outcomes of an account that keeps them", () => {
  it("are stored as numbers with the model of the charge, and cost nothing", async () => {
    const client = await newClient()
    const { balance, charges } = await moneyOf(client.actor.accountId)
    const outcomes = [
      noul(client, { at: "2099-01-01T00:00:00Z" }),
      noul(client, { at: new Date(Date.now() - 1_000).toISOString() }),
      noul(client, { question: "topic", type: "choice", predicted: 0.5, outcome: false }),
      noul(client, { question: "anger", type: "score", predicted: { score: 1.25, within_one: 0.75 }, outcome: 2 }),
    ]
    expect(await report(client.token, { outcomes })).toMatchObject({ status: 400, param: "outcomes.0.at" })
    const body = { outcomes: outcomes.slice(1), sampled_share: 0.25 }
    expect(await report(client.token, body)).toEqual({ status: 200, stored: 3 })
    const common = { model_id: LEXICAL_BASELINE, sampled_share: 0.25, known_at: expect.any(Date) }
    expect(await storedOf(client)).toEqual([
      { question: "anger", type: "score", predicted: 0.75, score: 1.25, outcome: 2, ...common },
      { question: "late", type: "noul", predicted: 0.875, score: null, outcome: 1, ...common },
      { question: "topic", type: "choice", predicted: 0.5, score: null, outcome: 0, ...common },
    ])
    expect(await moneyOf(client.actor.accountId)).toMatchObject({ balance, charges })
  })

  it("replace the earlier ones of the same question and request, also within one body", async () => {
    const client = await newClient()
    expect(await report(client.token, { outcomes: [noul(client)] })).toEqual({ status: 200, stored: 1 })
    const again = [noul(client), noul(client, { predicted: 0.25, outcome: false })]
    expect(await report(client.token, { outcomes: again })).toEqual({ status: 200, stored: 1 })
    expect(await storedOf(client)).toMatchObject([{ predicted: 0.25, outcome: 0 }])
  })

  it("may be reported with another key of the account", async () => {
    const client = await newClient()
    const other = await createKey(runtime(), client.actor, { name: "Jobs", limit: null, expiresAt: null })
    expect(await report(other.token, { outcomes: [noul(client)] })).toEqual({ status: 200, stored: 1 })
  })
})

describe("a body with a fault", () => {
  let client: Client
  beforeAll(async () => {
    client = await newClient()
  })

  const unknown = "req_00000000000000000000000000"
  const FAULTS: [name: string, of: (client: Client) => unknown, param: string][] = [
    ["no JSON", () => "{", "body"],
    ["no object", () => "[]", "body"],
    ["no outcomes", () => ({}), "outcomes"],
    ["an empty list", () => ({ outcomes: [] }), "outcomes"],
    ["1,001 outcomes", (one) => ({ outcomes: Array.from({ length: 1_001 }, () => noul(one)) }), "outcomes"],
    ["a field beside the list", (one) => ({ outcomes: [noul(one)], zqmark: 1 }), "body"],
    ["a text", (one) => ({ outcomes: [noul(one, { zqmark: "zqmark" })] }), "outcomes.0"],
    ["an unknown type", (one) => ({ outcomes: [noul(one, { type: "zqmark" })] }), "outcomes.0.type"],
    [
      "a prediction above 1",
      (one) => ({ outcomes: [noul(one), noul(one, { predicted: 1.01 })] }),
      "outcomes.1.predicted",
    ],
    ["a prediction below 0", (one) => ({ outcomes: [noul(one, { predicted: -0.01 })] }), "outcomes.0.predicted"],
    ["a prediction in a text", (one) => ({ outcomes: [noul(one, { predicted: "0.5" })] }), "outcomes.0.predicted"],
    ["an outcome that is no truth value", (one) => ({ outcomes: [noul(one, { outcome: 1 })] }), "outcomes.0.outcome"],
    [
      "a level that no score has",
      (one) => ({ outcomes: [noul(one, { type: "score", predicted: { score: 1, within_one: 1 }, outcome: 10 })] }),
      "outcomes.0.outcome",
    ],
    [
      "a name of 257 characters",
      (one) => ({ outcomes: [noul(one, { question: "n".repeat(257) })] }),
      "outcomes.0.question",
    ],
    [
      "a name with a control character",
      (one) => ({ outcomes: [noul(one, { question: "a\u0000" })] }),
      "outcomes.0.question",
    ],
    [
      "a time before the request",
      (one) => ({ outcomes: [noul(one, { at: "2020-01-01T00:00:00Z" })] }),
      "outcomes.0.at",
    ],
    ["a share of 0", (one) => ({ outcomes: [noul(one)], sampled_share: 0 }), "sampled_share"],
    ["an id of another form", (one) => ({ outcomes: [noul(one, { request_id: "zqmark" })] }), "outcomes.0.request_id"],
    [
      "an unknown request",
      (one) => ({ outcomes: [noul(one), noul(one, { request_id: unknown })] }),
      "outcomes.1.request_id",
    ],
    [
      "more yes/no questions than asked",
      (one) => ({ outcomes: [noul(one), noul(one, { question: "b" })] }),
      "outcomes.1.type",
    ],
  ]

  it.each(FAULTS)("is refused, stores nothing and is not repeated: %s", async (_name, bodyOf, param) => {
    const refused = await report(client.token, bodyOf(client))
    expect(refused).toMatchObject({ status: 400, code: "invalid_request", param })
    expect(JSON.stringify(refused)).not.toContain("zqmark")
    expect(await storedOf(client)).toEqual([])
  })

  it("is refused for a request of another account in the words of an unknown one", async () => {
    const other = await newClient()
    const [foreign, none] = [
      await report(client.token, { outcomes: [noul(other)] }),
      await report(client.token, { outcomes: [noul(client, { request_id: unknown })] }),
    ]
    expect(foreign).toEqual(none)
    expect(foreign).toMatchObject({ status: 400, param: "outcomes.0.request_id" })
  })

  it("is refused for a type that the request did not have", async () => {
    const one = { model: ALIAS, state: "Late.", questions: { late: QUESTIONS.late } }
    const answered = await service.decide(client.token, one)
    const item = noul({ ...client, requestId: answered.headers.get("x-request-id") ?? "" }, { type: "choice" })
    expect(await report(client.token, { outcomes: [item] })).toMatchObject({ status: 400, param: "outcomes.0.type" })
  })

  it("is 413 above 1 MiB", async () => {
    const body = JSON.stringify({ outcomes: [noul(client)] })
    expect(await report(client.token, body + " ".repeat(1024 * 1024))).toMatchObject({ status: 413, param: "body" })
    expect(await report(client.token, body + " ".repeat(1024 * 1024 - body.length))).toMatchObject({ status: 200 })
  })

  it("is refused when it is not declared as JSON", async () => {
    const body = { outcomes: [noul(client)] }
    const response = await post(client.token, body, { "content-type": "text/plain" })
    expect(await expectDescribed(response, "/v1/outcomes")).toMatchObject({ error: { param: "body" } })
  })
})

describe("nobody stores outcomes", () => {
  it("for an account that does not keep them, before and after it did", async () => {
    const client = await newClient()
    expect(await report(client.token, { outcomes: [noul(client)] })).toMatchObject({ status: 200 })
    await keepOutcomes(runtime(), client.actor, { isOn: false })
    expect(await storedOf(client)).toEqual([])
    const refused = await report(client.token, { outcomes: [noul(client)] })
    expect(refused).toMatchObject({ status: 400, code: "invalid_request" })
    expect(refused.param).toBeUndefined()
    expect(refused.message).toBe("This account keeps no outcomes. An owner can turn that on in the settings.")
    expect(await storedOf(client)).toEqual([])
  })

  it("with a key that is unknown, revoked, or restricted to other routes", async () => {
    const client = await newClient()
    const body = { outcomes: [noul(client)] }
    expect(await report("svcd_unknown", body)).toMatchObject({ status: 401 })
    const elsewhere = { models: [], routes: ["/v1/decisions" as const], networks: [] }
    await restrictKey(runtime(), client.actor, { id: client.id, ...elsewhere })
    expect(await report(client.token, body)).toMatchObject({ status: 401, code: "invalid_api_key" })
    await restrictKey(runtime(), client.actor, { id: client.id, ...elsewhere, routes: ["/v1/outcomes"] })
    expect(await report(client.token, body)).toMatchObject({ status: 200 })
    await revokeKey(runtime(), client.actor, { id: client.id })
    expect(await report(client.token, body)).toMatchObject({ status: 401 })
  })

  it("more than 5 times a second in an account, whatever its keys, while decisions go on", async () => {
    vi.restoreAllMocks()
    runtime().rates = memoryWindows(() => 0)
    const [client, other] = [await newClient(), await newClient()]
    const second = await createKey(runtime(), client.actor, { name: "Jobs", limit: null, expiresAt: null })
    const statuses: number[] = []
    for (const token of [client.token, client.token, client.token, second.token, second.token, second.token])
      statuses.push((await report(token, { outcomes: [noul(client)] })).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect(await report(other.token, { outcomes: [noul(other)] })).toMatchObject({ status: 200 })
    expect((await service.decide(client.token, { model: ALIAS, state: "s", questions: QUESTIONS })).status).toBe(200)
  })
})
