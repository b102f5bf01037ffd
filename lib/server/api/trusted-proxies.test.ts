import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, test } from "vitest"
import { RawConnection } from "@/test/raw-http"
import { testService } from "@/test/service"
import { createEdge, type Edge } from "./edge"

const TOKEN = "a-token-for-prometheus"

let edge: Edge
let url: string
const clients: unknown[] = []
beforeAll(async () => {
  await testService({ TRUSTED_PROXY_HOPS: "1", METRICS_TOKEN: TOKEN })
  edge = createEdge("all", ({ headers }, response) => {
    clients.push(headers["x-svc-client"])
    response.end("a page")
  })
  await edge.listen({ port: 0, host: "127.0.0.1" })
  url = `http://127.0.0.1:${(edge.server.address() as AddressInfo).port}`
})
afterAll(() => edge.close())

async function get(path: string, ...headers: string[]) {
  clients.length = 0
  const connection = new RawConnection(url)
  await connection.write([`GET ${path} HTTP/1.1`, "host: localhost", ...headers, "", ""].join("\r\n"))
  const [answer] = await connection.awaitResponses()
  connection.socket.destroy()
  return { status: answer?.status, body: answer?.body, client: clients[0] }
}

test.each([
  ["without X-Forwarded-For", []],
  ["with an empty one", ["x-forwarded-for:"]],
  ["with garbage in it", ["x-forwarded-for: 203.0.113.9, garbage"]],
])("a request %s is 400 on every path but the health checks", async (_case, headers) => {
  for (const path of ["/", "/outbox", "/metrics", "/v1/models", "/openapi.json", "/v1/nothing"]) {
    const { status, body, client } = await get(path, ...headers)
    expect([path, status, client]).toEqual([path, 400, undefined])
    expect(JSON.parse(body ?? "").error).toMatchObject({ code: "invalid_request" })
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
