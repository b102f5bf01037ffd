import { beforeEach, expect, it, vi } from "vitest"
import type { LogFields } from "@/lib/server/platform/log"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { testRuntime } from "@/test/database"
import { IDLE } from "@/test/metrics-snapshot"
import { startEdge } from "@/test/service"

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
const TRACED = { traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }
const CANARY = "canary-31f0"

await testRuntime()
let named: unknown
const { url } = await startEdge("all", (request, response) => {
  named = request.headers["x-svc-request-id"]
  if (request.url?.includes("large")) throw new ServiceError("request_too_large", { param: "body" })
  response.statusCode = request.url?.includes("missing") ? 404 : 200
  response.end("page")
})

let lines: LogFields[] = []
beforeEach(() => {
  lines = []
  for (const level of ["info", "error"] as const)
    vi.spyOn(runtime().log, level).mockImplementation((_message, fields = {}) => void lines.push(fields))
})

async function get(path: string, headers: Record<string, string> = {}): Promise<string | null> {
  const response = await fetch(url + path, { headers })
  await response.text()
  return response.headers.get("x-request-id")
}

const counted = async (labels: string) => {
  const text = await runtime().metrics.render(IDLE)
  return Number(text.split(`svc_requests_total{${labels}} `)[1]?.split("\n")[0] ?? 0)
}

it("a page is logged once with its request and trace id, and without its path", async () => {
  const requestId = await get(`/keys/${CANARY}?q=${CANARY}`, TRACED)
  await expect.poll(() => lines.length).toBe(1)
  expect(lines[0]).toMatchObject({
    requestId,
    traceId: TRACE,
    route: "console",
    method: "GET",
    status: 200,
    code: "ok",
  })
  expect(JSON.stringify(lines)).not.toContain(CANARY)
})

it("the console receives the id of the response, and none that a client sent", async () => {
  const requestId = await get("/keys", { "x-svc-request-id": CANARY })
  expect(requestId).toMatch(/^req_/)
  expect(named).toBe(requestId)
})

it("pages are counted by status, and a refused request is counted once", async () => {
  await get("/missing")
  await expect.poll(() => counted('route="console",status="404",code="console_error"')).toBe(1)
  await get("/large")
  await expect.poll(() => counted('route="none",status="413",code="request_too_large"')).toBe(1)
  expect(await counted('route="console",status="413",code="console_error"')).toBe(0)
  expect(lines).toHaveLength(2)
})

it("a static file is counted and not logged", async () => {
  await get("/_next/static/a.js")
  await expect.poll(() => counted('route="static",status="200",code="ok"')).toBe(1)
  expect(lines).toEqual([])
})

it("an API request is logged with the trace id of a well-formed traceparent only", async () => {
  const ids = [await get("/v1/models", TRACED), await get("/v1/models", { traceparent: CANARY })]
  expect(lines.map(({ requestId, traceId }) => [requestId, traceId])).toEqual([
    [ids[0], TRACE],
    [ids[1], undefined],
  ])
  expect(JSON.stringify(lines)).not.toContain(CANARY)
})
