import { readFileSync } from "node:fs"
import { type OutgoingHttpHeaders, request } from "node:http"
import { expect, test } from "vitest"
import { publicRoutes } from "@/lib/server/api/public-routes"
import { runtime } from "@/lib/server/platform/runtime"
import { insertAccount, insertSession } from "@/test/insert-rows"
import { listHandlers, listPages } from "@/test/list-routes"
import { type ActionPayload, decodablePayloads, malformedPayloads } from "./action-payloads"
import { startConsole } from "./start-console"

// Each worker reads the list of actions itself. The end-to-end tests of actions run one process.
const server = await startConsole({ API_WORKERS: "2" })
const { accountId } = await insertAccount()
const cookie = await insertSession(accountId)
/** Where the requests come from. Next's requests to itself come from 127.0.0.1. */
const PEER = "127.0.0.2"

interface Answer {
  status: number | undefined
  isForeign: boolean
}

/** Posts an action as a page of the console does. */
function post(page: string, { action, type, body }: Omit<ActionPayload, "name">, more: OutgoingHttpHeaders = {}) {
  const origin = server.url
  const named = action === undefined ? {} : { "next-action": action }
  const length = Buffer.byteLength(body)
  const headers = { origin, "content-type": type, "content-length": length, ...named, ...more }
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(`${server.url}${page}`, { method: "POST", localAddress: PEER, headers }, (response) => {
      response.resume()
      const isForeign = response.headers["x-nextjs-action-not-found"] === "1"
      response.on("end", () => resolve({ status: response.statusCode, isForeign }))
    })
    sent.on("error", reject).end(body)
  })
}

interface BuiltAction {
  filename: string
  exportedName: string
  workers: Record<string, unknown>
}

const { node }: { node: Record<string, BuiltAction> } = JSON.parse(
  readFileSync(".next/server/server-reference-manifest.json", "utf8"),
)
const idOf = (name: string): string => Object.keys(node).find((id) => node[id]?.exportedName === name) ?? name
/** The addresses of the pages that have an action, such as `/keys/[id]`. */
const pagesOf = (id: string): string[] =>
  Object.keys(node[id]?.workers ?? {}).map((page) => page.replace(/^app|\/\([^/]+\)|\/page$/g, "") || "/")
const at = (page: string): string => page.replace(/\[\w+\]/g, "none")

/** Runs work and returns the lines that the service logged meanwhile above the level info. */
async function loggedBy(work: () => Promise<void>): Promise<string[]> {
  const before = server.written().length
  await work()
  const lines = server.written().slice(before).split("\n").filter(Boolean)
  return lines.filter((text) => !text.startsWith("{") || JSON.parse(text).level > 30)
}

test("every action is found on its own pages, and on every other page it is 404 without a warning", async () => {
  const ids = Object.keys(node)
  const pages = listPages()
  expect(ids.length).toBeGreaterThan(50)
  const wrong: string[] = []
  const logged = await loggedBy(async () => {
    for (const id of ids)
      for (const page of pages.filter((page) => !pagesOf(id).includes(page))) {
        const { status, isForeign } = await post(at(page), { action: id, type: "text/plain", body: "[]" }, { cookie })
        if (status !== 404 || !isForeign) wrong.push(`${node[id]?.exportedName} on ${page}: ${status}`)
      }
  })
  expect(logged).toEqual([])
  // Without arguments, an action refuses its input.
  for (const id of ids)
    for (const page of pagesOf(id)) {
      const { isForeign } = await post(at(page), { action: id, type: "text/plain", body: "[]" }, { cookie })
      if (isForeign) wrong.push(`${node[id]?.exportedName} is not on ${page}`)
    }
  expect(wrong).toEqual([])
})

test("an action that nobody has is 404 on every page without a warning", async () => {
  const logged = await loggedBy(async () => {
    for (const page of [...listPages(), "/nothing", "/keys/", "/_not-found"])
      for (const action of ["4".repeat(42), "", "__proto__", "a".repeat(2_000)])
        expect([page, await post(at(page), { action, type: "text/plain", body: "[]" }, { cookie })]).toEqual([
          page,
          { status: 404, isForeign: true },
        ])
  })
  expect(logged).toEqual([])
})

/** Addresses that are no page: route handlers, files, and what nothing has. The server answers its own routes without the console. */
const ownRoutes = new Set(publicRoutes({ ...runtime().env, SUPPORT_EMAIL: "help@example.com" }).map(({ path }) => path))
const handlers = listHandlers()
  .map((handler) => handler.split(" ")[1] ?? "/robots.txt")
  .filter((path) => !ownRoutes.has(path))
  .map((path) => path.replace(/\[\W*\w+\]/, "none"))
const NO_PAGES = [
  ...new Set(handlers),
  ...["/api", "/api/", "/api/nope", "/api/auth/nope/nope", "//api/nope", "/api/%6eope", "/apinope", "/API/nope"],
  ...["/_next/static/nope.js", "/_next/data/nope.json", "/_next/image", "/icon.svg", "/nothing/at/all"],
]

test("every action is 404 without a warning at every address that is no page, signed in and signed out", async () => {
  expect(handlers).toContain("/api/stripe/webhook")
  expect(handlers).toContain("/docs/search.json")
  const wrong: string[] = []
  const logged = await loggedBy(async () => {
    for (const id of Object.keys(node))
      for (const path of NO_PAGES)
        for (const more of [{ cookie }, {}]) {
          const { status, isForeign } = await post(path, { action: id, type: "text/plain", body: "[]" }, more)
          if (status !== 404 || !isForeign) wrong.push(`${node[id]?.exportedName} on ${path}: ${status}`)
        }
  })
  expect([wrong, logged]).toEqual([[], []])
})

test("an action that could run does not at an address that is no page, in any form of request", async () => {
  const create = { name: "A key", limit: { amountUsd: "1", period: "lifetime" }, expiresAt: null }
  const fetched = { action: idOf("createKeyAction"), type: "text/plain", body: JSON.stringify([create]) }
  const forms = decodablePayloads(idOf("setTheme")).filter(({ type }) => type.startsWith("multipart"))
  expect(forms.length).toBeGreaterThan(1)
  const wrong: string[] = []
  const logged = await loggedBy(async () => {
    for (const path of NO_PAGES)
      for (const payload of [fetched, ...forms])
        for (const more of [{ cookie }, {}]) {
          const { status } = await post(path, payload, more)
          // Without an action's name in its headers, a signed-out form goes to sign-in before its body is read.
          const isSignIn = status === 303 && more.cookie === undefined && payload !== fetched
          if (status !== 404 && !isSignIn) wrong.push(`${path}: ${status}`)
        }
  })
  expect([wrong, logged]).toEqual([[], []])
  const { rows } = await runtime().pool.query("SELECT count(*)::int FROM audit_event WHERE action = 'key.create'")
  expect(rows).toEqual([{ count: 0 }])
  expect(await post("/keys", fetched, { cookie })).toMatchObject({ status: 200 })
  const created = await runtime().pool.query("SELECT client_address FROM audit_event WHERE action = 'key.create'")
  expect(created.rows).toEqual([{ client_address: PEER }])
})

test("another page's action is 404 also for a signed-out client", async () => {
  const rename = { action: idOf("renameAccountAction"), type: "text/plain", body: "[]" }
  expect(await post("/usage", rename)).toEqual({ status: 404, isForeign: true })
  expect(await post("/settings", rename)).toEqual({ status: 401, isForeign: false })
})

test("the audit log has the address of the peer, whatever the headers claim", async () => {
  const rename = { action: idOf("renameAccountAction"), type: "text/plain", body: '[{"name":"Attacked"}]' }
  const claims = {
    "x-forwarded-for": "203.0.113.9",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
    "x-action-forwarded": "1",
  }
  const audited = async () => {
    const { rows } = await runtime().pool.query(
      "SELECT client_address FROM audit_event WHERE account_id = $1 AND action = 'account.rename' ORDER BY id",
      [accountId],
    )
    return rows.map(({ client_address }) => client_address)
  }
  for (const page of ["/usage", "/models", "/webhooks"])
    for (const more of [{}, claims]) await post(page, rename, { cookie, ...more })
  expect(await audited()).toEqual([])
  expect(await post("/settings", rename, { cookie })).toMatchObject({ status: 200 })
  expect(await post("/settings", rename, { cookie, ...claims })).toMatchObject({ status: 200 })
  expect(await audited()).toEqual([PEER, PEER])
})

test("a body that cannot be decoded is 400 without a warning, for everyone and every kind of action", async () => {
  const echo = idOf("echoInput")
  const wrong: string[] = []
  const logged = await loggedBy(async () => {
    for (const payload of malformedPayloads(echo)) {
      const { status } = await post("/models", payload)
      if (status !== 400) wrong.push(`${payload.name}: ${status}`)
    }
  })
  expect(wrong).toEqual([])
  expect(logged).toEqual([])
})

test("a body that can be decoded is answered", async () => {
  for (const payload of decodablePayloads(idOf("echoInput")))
    expect([payload.name, (await post("/models", payload)).status]).toEqual([payload.name, 200])
  for (const payload of decodablePayloads(idOf("setTheme")).filter(({ name }) => name.endsWith("and state")))
    expect((await post("/settings", payload, { cookie })).status).toBe(200)
})

test("an action that redirects is answered without a warning behind a proxy that speaks https", async () => {
  const accept = { action: idOf("acceptInvitationAction"), type: "text/plain", body: "[]" }
  const logged = await loggedBy(async () => {
    expect((await post("/join/none", accept, { cookie, "x-forwarded-proto": "https" })).status).toBe(200)
  })
  expect(logged).toEqual([])
})
