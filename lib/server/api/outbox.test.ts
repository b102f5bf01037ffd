import { expect, test } from "vitest"
import { outboxPath } from "@/lib/server/auth/outbox-access"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { exchange } from "@/test/raw-http"
import { startEdge } from "@/test/service"

await testRuntime()
let shown: unknown
const { url } = await startEdge("all", ({ headers }, response) => {
  shown = headers["x-svc-outbox"]
  response.end("a page")
})

/** Sends a request as nginx does by default: the Host is the address behind `proxy_pass`, and no header names the client. */
async function get(path: string, ...headers: string[]) {
  shown = undefined
  const head = [`GET ${path} HTTP/1.1`, `host: ${new URL(url).host}`, ...headers, "", ""]
  return { ...(await exchange(url, head.join("\r\n"))), shown }
}

test("a visitor behind a proxy that adds no header cannot open the outbox", async () => {
  for (const path of ["/outbox", "/outbox?key=", "/outbox?key=a", "/sign-in/check"])
    expect((await get(path)).shown).toBe("0")
  expect((await get("/outbox", "cookie: svcd-outbox=a", "x-svc-outbox: 1")).shown).toBe("0")
})

test("the address that the start prints opens the outbox, and its secret moves into a cookie", async () => {
  const { status, headers } = await get(outboxPath(runtime().env))
  expect([status, headers.location]).toEqual([303, "/outbox"])
  expect(headers["set-cookie"]).toMatch(/^svcd-outbox=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
  const cookie = `cookie: ${headers["set-cookie"]?.split(";")[0]}`
  expect((await get("/outbox", cookie)).shown).toBe("1")
  expect((await get("/outbox", cookie, "x-forwarded-for: 203.0.113.9")).shown).toBe("0")
})

test("the address opens nothing for a request that passed a proxy", async () => {
  const { status, headers } = await get(outboxPath(runtime().env), "x-forwarded-for: 203.0.113.9")
  expect([status, headers["set-cookie"]]).toEqual([200, undefined])
})

test("another secret has another address", () => {
  const paths = ["a", "b"].map((AUTH_SECRET) => outboxPath({ AUTH_SECRET }))
  expect(new Set(paths).size).toBe(2)
})
