import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, test } from "vitest"
import { readEnv } from "@/lib/server/platform/env"
import { prepareForConsole } from "./console-request"

const PUBLIC = readEnv({
  CONSOLE_URL: "https://console.example",
  AUTH_SECRET: "0123456789abcdef0123456789abcdef",
  EMAIL_SERVER: "smtp://127.0.0.1:25",
  EMAIL_FROM: "a@console.example",
})

function prepared(headers: Record<string, string>, env = PUBLIC) {
  const request = new IncomingMessage(new Socket())
  Object.assign(request.headers, headers)
  const response = new ServerResponse(request)
  prepareForConsole(request, response, env)
  return { request: request.headers, response }
}

test.each([
  ["/api/auth/%zz", "/api/auth/%25zz"],
  ["/keys/%ff?next=%zz", "/keys/%25ff?next=%zz"],
  ["/keys/a%20b?q=50%25", "/keys/a%20b?q=50%25"],
])("an address that spells no text is taken literally: %s", (url, seen) => {
  const request = new IncomingMessage(new Socket())
  request.url = url
  prepareForConsole(request, new ServerResponse(request), PUBLIC)
  expect(request.url).toBe(seen)
})

test("a form of the console is known as its own behind a proxy that rewrites the host", () => {
  expect(prepared({ host: "127.0.0.1:3000" }).request).toMatchObject({ "x-forwarded-host": "console.example" })
})

test("on this machine a form may come from any of its names, and from nowhere else", () => {
  const local = readEnv({ PORT: "3000" })
  const host = "127.0.0.1:3000"
  expect(prepared({ host, origin: "http://127.0.0.1:3000" }, local).request["x-forwarded-host"]).toBe("127.0.0.1:3000")
  expect(prepared({ host, origin: "http://127.0.0.1:4000" }, local).request["x-forwarded-host"]).toBe("localhost:3000")
  expect(prepared({ host, origin: "https://evil.example" }, local).request["x-forwarded-host"]).toBe("localhost:3000")
})

test("what only the service may say of a request cannot be sent by a client", () => {
  const { request } = prepared({
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    "x-svc-local": "1",
    "x-svc-client": "127.0.0.1",
    "x-middleware-subrequest": "middleware",
    "content-security-policy": "script-src 'nonce-known'",
  })
  expect(request).toMatchObject({ "x-forwarded-host": "console.example", "x-svc-local": "0", "x-svc-client": "" })
  expect(request).not.toHaveProperty("x-middleware-subrequest")
  expect(request["content-security-policy"]).not.toContain("nonce-known")
})
