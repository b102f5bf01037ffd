import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { beforeEach, expect, it } from "vitest"
import { createLog } from "@/lib/server/platform/log"
import { installRuntime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertPayer } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { RequestRecord } from "./request-record"

const CANARY = "canary-9d20"
const BODY = { model: ALIAS, state: CANARY, questions: { late: { type: "noul", instructions: CANARY } } }

const lines: string[] = []
const service = await testService()
const log = createLog("info", { write: (line) => void lines.push(line) })
installRuntime({ ...service.runtime, log })
const key = await insertPayer()
beforeEach(() => {
  lines.length = 0
})

/** Returns the one line of the request that was just answered, without its time. */
function lineOf(response: Response): Record<string, unknown> {
  expect(lines).toHaveLength(1)
  expect(lines.join("")).not.toContain(CANARY)
  const { time, latencyMs, ...line } = JSON.parse(lines[0] ?? "")
  expect(line.requestId).toBe(response.headers.get("x-request-id"))
  return { ...line, latencyMs: typeof latencyMs }
}

it("a 200 is one line with account, key, model and billed tokens", async () => {
  const response = await service.decide(key.token, BODY)
  const { usage } = (await response.json()) as { usage: { input_tokens: number } }
  expect(lineOf(response)).toEqual({
    level: 30,
    msg: "request",
    requestId: expect.stringMatching(/^req_/),
    route: "/v1/decisions",
    status: 200,
    code: "ok",
    latencyMs: "number",
    accountId: key.accountId,
    keyId: key.keyId,
    model: "svc-lexical-baseline-1",
    tokens: usage.input_tokens,
  })
})

it("a refusal is one line with what was known by then", async () => {
  const broken = await service.decide(key.token, { ...BODY, [CANARY]: CANARY })
  expect(lineOf(broken)).toMatchObject({ level: 30, status: 400, code: "invalid_request", keyId: key.keyId })
  lines.length = 0
  const unknown = await service.decide(`svcd_${CANARY}`, BODY, { "user-agent": CANARY, [`x-${CANARY}`]: "1" })
  expect(Object.keys(lineOf(unknown)).toSorted()).toEqual([
    "code",
    "latencyMs",
    "level",
    "msg",
    "requestId",
    "route",
    "status",
  ])
})

it("the list of models is one line", async () => {
  const response = await fetch(`${service.url}/v1/models?${CANARY}`, { headers: { authorization: CANARY } })
  expect(lineOf(response)).toMatchObject({ route: "/v1/models", status: 200, code: "ok", latencyMs: "number" })
})

it("a request without a route is one line without its path", async () => {
  const lost = await fetch(`${service.url}/v1/${CANARY}?${CANARY}`)
  expect(lineOf(lost)).toMatchObject({ method: "GET", status: 404, code: "not_found" })
  lines.length = 0
  const wrong = await fetch(`${service.url}/v1/decisions`, { method: "PUT", body: CANARY })
  expect(lineOf(wrong)).toMatchObject({ method: "PUT", status: 405, code: "method_not_allowed" })
})

it("a failure of the service is one line with the place of its cause and none of its text", async () => {
  const { reader } = service.runtime
  const read = reader.read
  reader.read = async () => {
    throw new Error(CANARY)
  }
  const response = await service.decide(key.token, BODY)
  reader.read = read
  expect(lineOf(response)).toMatchObject({
    level: 50,
    status: 500,
    code: "internal_error",
    cause: { name: "Error", place: expect.arrayContaining([expect.stringContaining("request-record.test.ts")]) },
  })
})

it("a request that was refused at its deadline is not recorded again when its work ends", () => {
  const record = new RequestRecord("/v1/decisions", new ServerResponse(new IncomingMessage(new Socket())))
  record.end(504, "upstream_timeout")
  record.end(200, "ok")
  expect(lines.map((line) => JSON.parse(line).code)).toEqual(["upstream_timeout"])
})
