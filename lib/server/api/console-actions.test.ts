import { once } from "node:events"
import type { Socket } from "node:net"
import { expect, test } from "vitest"
import { hashSessionToken, newSessionToken } from "@/lib/server/auth/session-cookie"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertFastKey, insertSession } from "@/test/insert-rows"
import { exchange, postHead, RawConnection } from "@/test/raw-http"
import { startEdge } from "@/test/service"

const ORIGIN = "http://localhost:3000"
const ACTION = "4".repeat(42)

await testRuntime()
const { accountId } = await insertFastKey()
const session = await insertSession(accountId)
const unknown = `svcd-session=${newSessionToken()}`
const reached: string[] = []
const { edge, url } = await startEdge("all", (request, response) => {
  reached.push(String(request.url))
  response.end("a page")
})

/** Sends the head of a request. Its body would follow. */
async function send(path: string, bytes: number, headers: Record<string, string>) {
  reached.length = 0
  const head = postHead({ origin: ORIGIN, "content-length": bytes, ...headers })
  const answer = await exchange(url, head.replace("/v1/decisions", path))
  return { ...answer, isReached: reached.length > 0 }
}

test("a server action without a session cookie is refused before its body, and Next's client goes to sign-in", async () => {
  for (const cookie of ["", "svcd-session=", "svcd-session=short"]) {
    const answer = await send("/keys?q=a", 1_000_000, { "next-action": ACTION, cookie })
    expect(answer).toMatchObject({ status: 413, isReached: false })
    const small = await send("/keys?q=a", 60_000, { "next-action": ACTION, cookie })
    expect(small).toMatchObject({
      status: 401,
      isReached: false,
      headers: { "x-action-redirect": "/sign-in?next=%2Fkeys;replace" },
    })
  }
})

test("a server action of more than 8 KiB needs a session that has not ended", async () => {
  const send60 = (cookie: string) => send("/keys", 60_000, { "next-action": ACTION, cookie })
  // The connection closes, so that a client cannot repeat this as fast as it is refused.
  expect(await send60(unknown)).toMatchObject({ status: 401, isReached: false, headers: { connection: "close" } })
  const ended = await insertSession(accountId)
  await runtime().pool.query("UPDATE session SET expires_at = now() - interval '1 s' WHERE token_hash = $1", [
    hashSessionToken(ended.split("=")[1]),
  ])
  expect(await send60(ended)).toMatchObject({ status: 401, isReached: false })
  expect(await send60(session)).toMatchObject({ status: 200, isReached: true })
  const small = await send("/keys", 8_192, { "next-action": ACTION, cookie: ended })
  expect(small).toMatchObject({ status: 200, isReached: true })
})

test("a form without a session cookie goes to sign-in", async () => {
  const answer = await send("/settings", 10, { "content-type": "multipart/form-data; boundary=a" })
  expect(answer).toMatchObject({ status: 303, isReached: false, headers: { location: "/sign-in?next=%2Fsettings" } })
})

test.each(["/operator", "/operator/accounts/acc_1"])(
  "actions and forms without a session do not exist at %s",
  async (path) => {
    expect(await send(path, 10, { "next-action": ACTION })).toMatchObject({ status: 404, isReached: false })
    expect(await send(path, 10, {})).toMatchObject({ status: 404, isReached: false })
    expect((await send("/operators", 10, {})).status).toBe(303)
  },
)

test("the price calculator's action needs no session", async () => {
  expect(await send("/models", 65_536, { "next-action": ACTION })).toMatchObject({ status: 200, isReached: true })
})

test.each(["/keys", "/models", "/api/auth/signin/email"])(
  "a body over 64 KiB at %s is 413 before it is sent",
  async (path) => {
    const headers = { "next-action": ACTION, cookie: session }
    expect(await send(path, 65_537, headers)).toMatchObject({ status: 413, isReached: false })
    expect(await send(path, 65_536, headers)).toMatchObject({ status: 200, isReached: true })
  },
)

test("Stripe's webhook takes up to 1 MiB", async () => {
  expect(await send("/api/stripe/webhook", 1_048_577, {})).toMatchObject({ status: 413, isReached: false })
  expect(await send("/api/stripe/webhook", 1_048_576, {})).toMatchObject({ status: 200, isReached: true })
})

test("a sign-in form needs no session", async () => {
  expect(await send("/api/auth/signin/email", 10, {})).toMatchObject({ status: 200, isReached: true })
})

test.each([
  ["of a declared length", (bytes: number) => ({ "content-length": bytes }), 413],
  ["of an undeclared length", () => ({ "transfer-encoding": "chunked" }), 401],
])("a large body %s is refused at once and not read", async (_, length, status) => {
  const bytes = 32 * 1024 * 1024
  const accepted = once(edge.server, "connection")
  const connection = new RawConnection(url)
  const [socket] = (await accepted) as [Socket]
  const head = [`POST /keys HTTP/1.1`, "host: x", `origin: ${ORIGIN}`, `next-action: ${ACTION}`]
  for (const [name, value] of Object.entries(length(bytes))) head.push(`${name}: ${value}`)
  connection.socket.write(`${head.join("\r\n")}\r\n\r\n`)
  if (status === 401) connection.socket.write(`${bytes.toString(16)}\r\n`)
  connection.socket.write(Buffer.alloc(bytes, "a"))
  const [answer] = await connection.awaitResponses()
  expect(answer).toMatchObject({ status, headers: { connection: "close" } })
  await connection.closed
  expect(socket.bytesRead).toBeLessThan(1024 * 1024)
})
