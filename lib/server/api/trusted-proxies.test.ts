import { expect, test } from "vitest"
import { exchange } from "@/test/raw-http"
import { startEdge, testService } from "@/test/service"

const TOKEN = "a-token-for-prometheus"

const clients: unknown[] = []
await testService({ TRUSTED_PROXY_HOPS: "1", METRICS_TOKEN: TOKEN })
const { url } = await startEdge("all", ({ headers }, response) => {
  clients.push(headers["x-svc-client"])
  response.end("a page")
})

async function get(path: string, ...headers: string[]) {
  clients.length = 0
  const head = [`GET ${path} HTTP/1.1`, "host: localhost", ...headers, "", ""]
  return { ...(await exchange(url, head.join("\r\n"))), client: clients[0] }
}

test.each([
  ["without X-Forwarded-For", []],
  ["with an empty one", ["x-forwarded-for:"]],
  ["with garbage in it", ["x-forwarded-for: 203.0.113.9, garbage"]],
])("a request %s is 400 on every path but the health checks", async (_case, headers) => {
  for (const path of ["/", "/outbox", "/metrics", "/v1/models", "/openapi.json", "/v1/nothing"]) {
    const { status, body, client } = await get(path, ...headers)
    expect([path, status, client]).toEqual([path, 400, undefined])
    expect(JSON.parse(body).error).toMatchObject({ code: "invalid_request" })
  }
  for (const path of ["/healthz", "/readyz"]) expect([path, (await get(path, ...headers)).status]).toEqual([path, 200])
})

test("a scraper with the metrics token needs no address", async () => {
  expect((await get("/metrics", `authorization: Bearer ${TOKEN}`)).status).toBe(200)
})

test("headers before X-Forwarded-For cannot hide it", async () => {
  const hiding = (count: number) => [...Array<string>(count).fill("a:b"), "x-forwarded-for: 203.0.113.9"]
  expect(await get("/", ...hiding(150))).toMatchObject({ status: 200, client: "203.0.113.9" })
  expect(await get("/", ...hiding(2_000))).toMatchObject({ status: 400, client: undefined })
  expect((await get("/metrics", "x-forwarded-for: 203.0.113.9")).status).toBe(404)
})
