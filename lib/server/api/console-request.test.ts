import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, test } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { exchange, RawConnection } from "@/test/raw-http"
import { startEdge } from "@/test/service"
import { prepareForConsole } from "./console-request"

const PUBLIC = readEnv({
  CONSOLE_URL: "https://console.example",
  AUTH_SECRET: "0123456789abcdef0123456789abcdef",
  EMAIL_SERVER: "smtp://127.0.0.1:25",
  EMAIL_FROM: "a@console.example",
})

/** A socket with a peer. */
const connected = (): Socket => Object.defineProperty(new Socket(), "remoteAddress", { value: "203.0.113.9" })

function prepared(headers: Record<string, string>, env = PUBLIC) {
  const request = new IncomingMessage(connected())
  Object.assign(request.headers, headers)
  const response = new ServerResponse(request)
  prepareForConsole(request, response, env)
  return { request: request.headers, response }
}

test.each([
  ["/api/auth/%zz", "/api/auth/%25zz"],
  ["/keys/%ff?next=%zz", "/keys/%25ff?next=%zz"],
  ["/keys/a%20b?q=50%25", "/keys/a%20b?q=50%25"],
])("escapes the percent signs of a path that cannot be decoded: %s", (url, seen) => {
  const request = new IncomingMessage(connected())
  request.url = url
  prepareForConsole(request, new ServerResponse(request), PUBLIC)
  expect(request.url).toBe(seen)
})

test("recognises the console's own form behind a proxy that rewrites the host", () => {
  expect(prepared({ host: "127.0.0.1:3000" }).request).toMatchObject({ "x-forwarded-host": "console.example" })
})

test("on this machine accepts a form from any loopback name, and from no other origin", () => {
  const local = readEnv({ PORT: "3000" })
  const host = "127.0.0.1:3000"
  expect(prepared({ host, origin: "http://127.0.0.1:3000" }, local).request["x-forwarded-host"]).toBe("127.0.0.1:3000")
  expect(prepared({ host, origin: "http://127.0.0.1:4000" }, local).request["x-forwarded-host"]).toBe("localhost:3000")
  expect(prepared({ host, origin: "https://evil.example" }, local).request["x-forwarded-host"]).toBe("localhost:3000")
})

test("a client cannot send the headers that only the service sets", () => {
  const { request } = prepared({
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-svc-outbox": "1",
    "x-svc-local": "1",
    "x-svc-client": "127.0.0.1",
    "x-middleware-subrequest": "middleware",
    "x-action-forwarded": "1",
    "x-forwarded-proto": "https",
    "content-security-policy": "script-src 'nonce-known'",
  })
  expect(request).toMatchObject({
    "x-forwarded-host": "console.example",
    "x-svc-outbox": "0",
    "x-svc-client": "203.0.113.9",
  })
  expect(request["x-svc-local"]).toBe("0")
  for (const name of ["x-middleware-subrequest", "x-action-forwarded", "x-forwarded-proto"])
    expect(request).not.toHaveProperty(name)
  expect(request["content-security-policy"]).not.toContain("nonce-known")
})

test("a request whose client has left is refused before it reaches a page", () => {
  const request = new IncomingMessage(new Socket())
  expect(() => prepareForConsole(request, new ServerResponse(request), PUBLIC)).toThrow("The connection was closed.")
})

const SECURE = {
  CONSOLE_URL: "https://console.example",
  EMAIL_SERVER: "smtp://127.0.0.1:25",
  EMAIL_FROM: "a@console.example",
}

await testRuntime(SECURE)
const reached: string[] = []
const { url } = await startEdge("all", (request, response) => {
  reached.push(`${request.method} ${request.url}`)
  response.end("a page")
})

/** Sends a request. `isReached` is true when Next would have run a page or an action. */
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
  "a request that could change something from origin %j reaches no page, action or handler, and is not echoed",
  async (origin) => {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"])
      for (const path of ["/", "/keys", "/settings?x=1", "/api/auth/signout", "/api/stripe/webhook/", "/nothing"]) {
        const { status, isReached, text } = await send(path, method, origin)
        expect([method, path, status, isReached]).toEqual([method, path, 403, false])
        expect(JSON.parse(text).error).toMatchObject({
          code: "forbidden",
          message: "The request was not sent from a page of the console at https://console.example.",
        })
      }
  },
)

test("the console's own pages may send to every path, and anyone may read", async () => {
  expect(await send("/models", "POST", "https://console.example")).toMatchObject({ status: 200, isReached: true })
  for (const method of ["GET", "HEAD"])
    expect(await send("/keys", method, "https://evil.example")).toMatchObject({ status: 200, isReached: true })
})

test.each(["/api/stripe/webhook", "/api/auth/backchannel-logout"])(
  "%s accepts other origins, because it checks a signature",
  async (path) => {
    expect(await send(path, "POST")).toMatchObject({ status: 200, isReached: true })
    expect(await send(`${path}?x=1`, "POST", "https://evil.example")).toMatchObject({ isReached: true })
  },
)

test("caches may keep only the console's static files", async () => {
  for (const path of ["/", "/keys/", "/nothing", "/usage/requests.csv", "/_next/image"])
    expect([path, (await send(path, "GET")).response.headers.get("cache-control")]).toEqual([path, "private, no-store"])
  expect((await send("/_next/static/chunks/a.js", "GET")).response.headers.get("cache-control")).toBeNull()
  expect((await send("/keys", "POST")).response.headers.get("cache-control")).toBe("no-store")
})

test.each([
  "/_next/static/../../billing",
  "/_next/static/%2e%2E/../billing",
  "/_next/static/..%2f..%2Fbilling",
  "/_next/static/..\\..\\billing",
  "/_next/static/..%5c..%5cbilling",
  "/./billing",
  "/billing/..",
])("a path with dot segments reaches no page: %s", async (path) => {
  reached.length = 0
  const { status, headers } = await exchange(url, `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
  expect([status, headers["cache-control"], reached]).toEqual([404, "no-store", []])
})

test("dots inside a segment are no dot segment", async () => {
  for (const path of ["/llms.txt", "/a..b", "/...", "/_next/static/a/..b.js"])
    expect([path, (await send(path, "GET")).status]).toEqual([path, 200])
})

test.each(["/models", "/keys"])("an upload to %s that never ends is cut after the total time", async (path) => {
  const slow = await startEdge("all", () => {}, { deadlines: { answerMs: 50, totalMs: 100 } })
  const connection = new RawConnection(slow.url)
  await connection.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\norigin: ${SECURE.CONSOLE_URL}\r\ncontent-length: 9\r\n\r\n{`,
  )
  await connection.closed
})

test("no browser runs or frames a JSON response", async () => {
  for (const path of ["/healthz", "/v1/models", "/v1/nothing"]) {
    const { headers } = (await send(path, "GET")).response
    expect([path, headers.get("content-security-policy")]).toEqual([path, "default-src 'none'; frame-ancestors 'none'"])
  }
})

test("over https every response has HSTS and nosniff", async () => {
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
      "max-age=31536000; includeSubDomains",
      "nosniff",
    ])
  }
})

test("a page shares its window with no other origin, and no script in it uses what the console does not", async () => {
  const { headers } = (await send("/", "GET")).response
  expect([headers.get("cross-origin-opener-policy"), headers.get("permissions-policy")]).toEqual([
    "same-origin",
    "camera=(), display-capture=(), geolocation=(), hid=(), microphone=(), midi=(), payment=(), serial=(), usb=()",
  ])
})

test("HSTS can leave the hosts below alone", async () => {
  await testRuntime({ ...SECURE, HSTS_SUBDOMAINS: "0" })
  const { url } = await startEdge("all", (_request, response) => void response.end("a page"))
  const { headers } = await fetch(`${url}/healthz`)
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000")
})
