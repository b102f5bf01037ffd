import { beforeEach, expect, it, vi } from "vitest"
import { memoryWindows } from "@/lib/server/limits/windows"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertFastKey } from "@/test/insert-rows"
import { IDLE } from "@/test/metrics-snapshot"
import { scriptedService } from "@/test/scripted-service"

const PATH = "/v1/systemone/batch"
const CANARY = "canary-51b3"
const ASKED = { model: ALIAS, questions: { q: { type: "noul", instructions: "Is it?" } } }
const TEN_CENTS = 100_000_000_000n

const scripted = scriptedService()

let lines: { message: string; fields: Record<string, unknown> }[]
beforeEach(() => {
  lines = []
  for (const level of ["info", "error"] as const)
    vi.spyOn(runtime().log, level).mockImplementation(
      (message, fields = {}) => void lines.push({ message, fields: { ...fields } }),
    )
})

const linesOf = (name: string) => lines.filter(({ message }) => message === name).map(({ fields }) => fields)

async function send(token: string, states: unknown[], headers: Record<string, string> = {}): Promise<Headers> {
  const response = await fetch(scripted.service.url + PATH, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify({ ...ASKED, states }),
  })
  await response.text()
  return response.headers
}

/** Returns how many requests the route has answered, by status. */
async function counted(): Promise<Record<string, number>> {
  const text = await runtime().metrics.render(IDLE)
  const found = text.matchAll(/^svc_requests_total\{route="\/v1\/systemone\/batch",status="(\d+)",.*\} (\d+)$/gm)
  return Object.fromEntries([...found].map(([, status = "", count]) => [status, Number(count)]))
}

async function eventsOf(accountId: string): Promise<unknown[]> {
  await runtime().events.flush()
  const of = "SELECT status, code FROM request_event WHERE account_id = $1 ORDER BY status"
  return (await runtime().pool.query(of, [accountId])).rows
}

it("each state is logged and counted like a request, and its content is nowhere", async () => {
  const { accountId, keyId, token } = await insertFastKey(10n * TEN_CENTS)
  const before = await counted()
  const batchId = (await send(token, [CANARY, 7, { [CANARY]: CANARY }])).get("x-request-id") ?? ""
  expect(linesOf("batch")).toMatchObject([
    { requestId: batchId, route: PATH, status: 200, count: 3, tokens: undefined },
  ])
  const charged = { route: PATH, status: 200, code: "ok", accountId, keyId, tokens: 1_000 }
  expect(linesOf("request").toSorted((a, b) => Number(a.status) - Number(b.status))).toMatchObject([
    charged,
    charged,
    { route: PATH, status: 400, code: "invalid_request", accountId, keyId },
  ])
  const ids = linesOf("request").map(({ requestId }) => String(requestId))
  expect(new Set([...ids, batchId]).size).toBe(4)
  expect(new Set(ids.map((id) => id.slice(0, -2)))).toEqual(new Set([batchId.slice(0, -2)]))
  expect(await eventsOf(accountId)).toEqual([{ status: 400, code: "invalid_request" }])
  expect(await counted()).toEqual({ 200: (before[200] ?? 0) + 2, 400: (before[400] ?? 0) + 1 })
  expect(JSON.stringify(lines)).not.toContain(CANARY)
})

it("a batch without an answer is logged, and only its states are counted", async () => {
  const { accountId, token } = await insertFastKey(0n)
  const before = await counted()
  await send(token, ["a", 7])
  expect(linesOf("batch")).toMatchObject([{ status: 402, code: "insufficient_balance", count: 2 }])
  expect(linesOf("request")).toHaveLength(2)
  expect(await eventsOf(accountId)).toEqual([
    { status: 400, code: "invalid_request" },
    { status: 402, code: "insufficient_balance" },
  ])
  expect(await counted()).toEqual({ ...before, 400: (before[400] ?? 0) + 1, 402: 1 })
})

it("a batch that its Idempotency-Key refuses is logged and counted as one request, also in the rate windows", async () => {
  vi.spyOn(runtime(), "rates", "get").mockReturnValue(memoryWindows(() => 1_000))
  const { accountId, token } = await insertFastKey(10n * TEN_CENTS)
  const key = { "idempotency-key": "k" }
  expect((await send(token, ["a", "b", "c"], key)).get("x-ratelimit-used")).toBe("3")
  lines = []
  const before = await counted()
  expect((await send(token, ["a", "b"], key)).get("x-ratelimit-used")).toBe("4")
  expect(linesOf("request")).toMatchObject([{ status: 400, code: "invalid_request", accountId }])
  expect(linesOf("batch")).toEqual([])
  expect(await eventsOf(accountId)).toEqual([{ status: 400, code: "invalid_request" }])
  expect(await counted()).toEqual({ ...before, 400: (before[400] ?? 0) + 1 })
})
