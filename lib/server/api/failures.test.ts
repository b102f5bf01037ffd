import { beforeEach, describe, expect, it, vi } from "vitest"
import { LexicalEngine } from "@/lib/server/engines/lexical/lexical-engine"
import type { LogFields } from "@/lib/server/platform/log"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { type TestService, testService } from "@/test/service"

const SECRET = "a-secret-of-the-request"
const BODY = { model: ALIAS, state: SECRET, questions: { q: { type: "noul", instructions: "Is it?" } } }

const service: TestService = await testService()
const { runtime } = service

let token: string
let logged: { message: string; fields: LogFields | undefined }[]
beforeEach(async () => {
  token = (await insertFastKey()).token
  logged = []
  vi.spyOn(runtime.log, "error").mockImplementation((message, fields) => void logged.push({ message, fields }))
  return () => vi.restoreAllMocks()
})

class Broken extends Error {
  override name = "Broken"
}
const broken = () => {
  throw new Broken(`it broke on ${SECRET}`)
}

/** Expects a 500 that reveals nothing. Returns its request id. */
async function expect500(response: Response): Promise<string> {
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({
    error: {
      message: "Something failed on our side. Retry with backoff.",
      type: "api_error",
      code: "internal_error",
    },
  })
  const id = response.headers.get("x-request-id") ?? ""
  expect(id).toMatch(/^req_[0-9a-z]{26}$/)
  return id
}

async function expectNextWorks(): Promise<void> {
  vi.restoreAllMocks()
  expect((await service.decide(token, BODY)).status).toBe(200)
  expect(service.inFlight.count).toBe(0)
}

describe("a crash inside a handler is 500 with its own id, its kind is logged, and the next request works:", () => {
  it.each<[string, () => void]>([
    ["the key lookup throws", () => vi.spyOn(runtime.keys, "get").mockImplementation(broken)],
    ["the database refuses", () => vi.spyOn(runtime.pool, "query").mockImplementation(broken)],
    ["the rate windows throw", () => vi.spyOn(runtime.rates, "count").mockImplementation(broken)],
    ["the reader rejects", () => vi.spyOn(runtime.reader, "read").mockRejectedValue(new Broken(SECRET))],
    ["the catalogue throws", () => vi.spyOn(runtime.catalogue, "resolve").mockImplementation(broken)],
    ["the engine throws", () => vi.spyOn(LexicalEngine.prototype, "answer").mockImplementation(broken)],
    ["the engine rejects", () => vi.spyOn(LexicalEngine.prototype, "answer").mockRejectedValue(new Broken(SECRET))],
    ["the engine cannot count", () => vi.spyOn(LexicalEngine.prototype, "countTokens").mockImplementation(broken)],
  ])("%s", async (_name, breakIt) => {
    breakIt()
    const requestId = await expect500(await service.decide(token, BODY))
    expect(logged).toMatchObject([{ message: "request", fields: { requestId, code: "internal_error" } }])
    expect(logged[0]?.fields?.cause).toBeInstanceOf(Broken)
    await expectNextWorks()
    const { rows } = await runtime.pool.query("SELECT DISTINCT state FROM hold WHERE state = 'held'")
    expect(rows).toEqual([])
  })

  it("a handler throws a value that is not an Error", async () => {
    vi.spyOn(runtime.catalogue, "resolve").mockImplementation(() => {
      throw SECRET
    })
    await expect500(await service.decide(token, BODY))
    await expectNextWorks()
  })

  it("another route throws", async () => {
    vi.spyOn(runtime.rates, "countAddress").mockImplementation(broken)
    await expect500(await fetch(`${service.url}/v1/models`))
    expect(logged[0]?.fields?.cause).toBeInstanceOf(Broken)
    vi.restoreAllMocks()
    expect((await fetch(`${service.url}/v1/models`)).status).toBe(200)
  })
})

describe("a log that throws", () => {
  it("does not change a response", async () => {
    vi.spyOn(runtime.log, "info").mockImplementation(broken)
    vi.spyOn(runtime.log, "error").mockImplementation(broken)
    expect((await service.decide(token, BODY)).status).toBe(200)
    expect((await service.decide(null, BODY)).status).toBe(401)
    vi.spyOn(runtime.catalogue, "resolve").mockImplementation(broken)
    await expect500(await service.decide(token, BODY))
    await expectNextWorks()
  })

  it("does not keep the room of a body", async () => {
    vi.spyOn(runtime.log, "info").mockImplementation(broken)
    const large = `${JSON.stringify(BODY)}${" ".repeat(1_000_000)}`
    expect((await service.decide(token, large)).status).toBe(200)
    await expect.poll(() => service.inFlight.bodies.used).toBe(0)
  })
})
