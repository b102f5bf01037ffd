import { once } from "node:events"
import { request } from "node:http"
import { connect, type Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { afterEach, expect, test } from "vitest"
import { SHOWN_ACCOUNT } from "@/lib/shared/accounts/shown-account"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertAccount, insertFastKey, insertSession } from "@/test/insert-rows"
import { startConsole } from "./start-console"

const server = await startConsole({ API_WORKERS: "1" })
const { port, origin } = new URL(server.url)

const opened: Socket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})

/** Sends the head of a request and the begin of its body from an address of this machine, and no more. */
async function begin(path: string, bytes: number, headers: Record<string, string>, sent = "{", from = "127.0.0.1") {
  const socket = connect({ port: Number(port), host: "127.0.0.1", localAddress: from })
  opened.push(socket)
  socket.on("error", () => {})
  await once(socket, "connect")
  const fields = { host: "x", origin, "content-length": bytes, ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  await new Promise<void>((resolve) =>
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n${sent}`, () => resolve()),
  )
  return socket
}

/** Returns the status of a request from an address of this machine. */
const statusOf = (path: string, from: string, { method = "GET", headers = {}, body = "" } = {}) =>
  new Promise<number | undefined>((resolve, reject) => {
    const options = { method, localAddress: from, headers: { origin, ...headers } }
    const sent = request(`${server.url}${path}`, options, (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode))
    })
    sent.on("error", reject).end(body)
  })

test("pages and forms answer while four clients send 32 bodies each and never end them", async () => {
  const action = { "next-action": "4".repeat(42), "content-type": "text/plain" }
  for (const last of [2, 3, 4, 5])
    for (let n = 0; n < 32; n++)
      await begin("/models", 8_000, { "content-type": "multipart/form-data; boundary=a" }, "-", `127.0.0.${last}`)
  for (const path of ["/", "/sign-in", "/models"])
    expect([path, await statusOf(path, "127.0.1.6")]).toEqual([path, 200])
  // Also a client of the network that sends them, and the slow client itself.
  for (const from of ["127.0.0.7", "127.0.0.2"]) expect(await statusOf("/sign-in", from)).toBe(200)
  const form = {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "email=nobody",
  }
  expect(await statusOf("/api/auth/signin/email", "127.0.1.6", form)).toBe(303)
  expect(await statusOf("/models", "127.0.1.6", { method: "POST", headers: action, body: "[]" })).toBe(404)
})

const LARGE = 120_000
const text = JSON.stringify({
  model: ALIAS,
  state: "x".repeat(1_000),
  questions: { q: { type: "noul", instructions: "Is it?" } },
})
const body = text.padEnd(LARGE, " ")

/** A slow body is refused once another waits for it. */
const expectNoneRefused = () =>
  expect(opened.filter(({ bytesRead, destroyed }) => bytesRead > 0 || destroyed)).toEqual([])

/** Returns once the service has begun to read every body, and has refused none. */
async function untilReading(): Promise<void> {
  await sleep(1_000)
  expectNoneRefused()
}

test("large token counts of an account are answered while four others send theirs slowly", async () => {
  const signedIn = async () => {
    const { accountId } = await insertAccount()
    return { cookie: await insertSession(accountId), [SHOWN_ACCOUNT]: accountId, "content-type": "application/json" }
  }
  for (let n = 0; n < 4; n++) await begin("/playground/tokens", 200_000, await signedIn(), "{".padEnd(70_000))
  await untilReading()
  const headers = await signedIn()
  expect(await statusOf("/playground/tokens", "127.0.0.1", { method: "POST", headers, body })).toBe(200)
})

test("a body over 64 KiB waits for none of ten accounts that announce 28 MiB and send a byte", async () => {
  const ofKey = async () => ({
    authorization: `Bearer ${(await insertFastKey()).token}`,
    "content-type": "application/json",
  })
  for (let n = 0; n < 9; n++) await begin("/v1/decisions", 29_360_000, await ofKey())
  await begin("/v1/decisions", 4_100_000, await ofKey())
  await untilReading()
  expect(await statusOf("/v1/decisions", "127.0.0.1", { method: "POST", headers: await ofKey(), body })).toBe(200)
  expectNoneRefused()
})

test("a body over 64 KiB waits at most for seconds when ten accounts stop in the middle of their own", async () => {
  const ofKey = async () => ({
    authorization: `Bearer ${(await insertFastKey()).token}`,
    "content-type": "application/json",
  })
  for (let n = 0; n < 10; n++)
    await begin("/v1/decisions", n < 9 ? 29_360_000 : 4_100_000, await ofKey(), "{".padEnd(70_000))
  await untilReading()
  expect(await statusOf("/v1/decisions", "127.0.0.1", { method: "POST", headers: await ofKey(), body })).toBe(200)
})
