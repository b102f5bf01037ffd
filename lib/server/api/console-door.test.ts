import type { AddressInfo } from "node:net"
import { afterAll, expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { createEdge } from "./edge"

const SECURE = {
  CONSOLE_URL: "https://console.example",
  EMAIL_SERVER: "smtp://127.0.0.1:25",
  EMAIL_FROM: "a@console.example",
}

await testRuntime(SECURE)
const reached: string[] = []
const edge = createEdge("all", (request, response) => {
  reached.push(`${request.method} ${request.url}`)
  response.end("a page")
})
await edge.listen({ port: 0, host: "127.0.0.1" })
afterAll(() => edge.close())
const url = `http://127.0.0.1:${(edge.server.address() as AddressInfo).port}`

/** Sends it; with whether a page or action of Next's would have run. */
async function send(path: string, method: string, origin?: string) {
  reached.length = 0
  const headers = { "next-action": "4".repeat(42), ...(origin === undefined ? {} : { origin }) }
  const response = await fetch(`${url}${path}`, { method, headers, redirect: "manual" })
  return { status: response.status, isReached: reached.length > 0, response, text: await response.text() }
}

test.each([
  undefined,
  "null",
  "https://evil.example",
  "http://console.example",
  "https://console.example:444",
  "zqcanary",
])(
  "what would change something from origin %j reaches no page, action or handler, and is not echoed",
  async (origin) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const path of ["/", "/keys", "/settings?x=1", "/api/auth/signout", "/api/stripe/webhook/", "/nothing"]) {
        const { status, isReached, text } = await send(path, method, origin)
        expect([method, path, status, isReached]).toEqual([method, path, 403, false])
        expect(JSON.parse(text).error).toMatchObject({
          code: "forbidden",
          message: "This was not sent from a page of the console at https://console.example.",
        })
      }
  },
)

test("our own pages send to every path, and anyone may read", async () => {
  expect(await send("/keys", "POST", "https://console.example")).toMatchObject({ status: 200, isReached: true })
  for (const method of ["GET", "HEAD"])
    expect(await send("/keys", method, "https://evil.example")).toMatchObject({ status: 200, isReached: true })
})

test("Stripe's events come from elsewhere: the webhook judges them by their signature", async () => {
  expect(await send("/api/stripe/webhook", "POST")).toMatchObject({ status: 200, isReached: true })
  expect(await send("/api/stripe/webhook?x=1", "POST", "https://evil.example")).toMatchObject({ isReached: true })
})

test("nothing of the console is kept by anyone on its way but its static files", async () => {
  for (const path of ["/", "/keys/", "/nothing", "/usage/requests.csv", "/_next/image"])
    expect([path, (await send(path, "GET")).response.headers.get("cache-control")]).toEqual([path, "private, no-store"])
  expect((await send("/_next/static/chunks/a.js", "GET")).response.headers.get("cache-control")).toBeNull()
  expect((await send("/keys", "POST")).response.headers.get("cache-control")).toBe("no-store")
})

test("over https every answer asks for https from then on, and is what it says it is", async () => {
  const { CONSOLE_URL } = runtime().env
  for (const [path, method, origin] of [
    ["/", "GET"],
    ["/keys", "POST", "https://evil.example"],
    ["/playground/decisions", "POST", CONSOLE_URL],
    ["/playground/tokens", "POST"],
    ["/healthz", "GET"],
    ["/v1/nothing", "GET"],
  ] as const) {
    const { headers } = (await send(path, method, origin)).response
    expect([path, headers.get("strict-transport-security"), headers.get("x-content-type-options")]).toEqual([
      path,
      "max-age=31536000",
      "nosniff",
    ])
  }
})
