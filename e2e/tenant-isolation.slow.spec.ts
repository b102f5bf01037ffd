import { readFileSync } from "node:fs"
import { type Answer, headFaults } from "@/e2e/support/head-faults"
import { markOf, newOwner, newPerson, type Owner, openSession, type Person } from "@/e2e/support/people"
import { ONE_QUESTION } from "@/e2e/support/requests"
import { HANDLERS, idsInAddress, idsOfAction, QUERY_NAMES } from "@/e2e/support/route-table"
import { Service } from "@/e2e/support/service"
import { expect, test } from "@/e2e/support/test"
import { PAGE_LIST } from "@/lib/shared/pages"
import { listActions, listHandlers, listOwnRoutes, listPages } from "@/test/list-routes"
import { ACTIONS, attempt } from "@/test/verb-register"

test.describe.configure({ mode: "serial" })

let service: Service
let owner: Owner
let other: Person
test.beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "error", WELCOME_CREDIT_USD: "0" })
  owner = await newOwner(service)
  other = await newPerson(service, "other@example.com", "Other key", "5")
  // Without a request, the page of usage shows a sample and looks for none.
  await service.decide(other.token, ONE_QUESTION)
})
test.afterAll(() => service.destroy())

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends a request as a browser on another machine does. */
async function send(path: string, { cookie }: { cookie: string }, sent: Sent = {}): Promise<Answer> {
  const { method = "GET", headers, body = null } = sent
  const response = await fetch(`${service.url}${path}`, {
    method,
    redirect: "manual",
    // Compression would cost the server and this process as much as some of the pages.
    headers: {
      cookie,
      origin: service.url,
      "accept-encoding": "identity",
      "x-forwarded-for": "192.0.2.1",
      ...headers,
    },
    body,
  })
  const asked = `${method} ${path} ${JSON.stringify(headers ?? {})} ${body ?? ""}`
  return { asked, status: response.status, headers: response.headers, text: await response.text() }
}

const load = (path: string, who: { cookie: string }): Promise<Answer> => send(path, who)

/** Loads the data of a page as a client-side navigation does. Next redirects such a request without `_rsc`. */
const navigate = (path: string, who: { cookie: string }): Promise<Answer> =>
  send(`${path}${path.includes("?") ? "&" : "?"}_rsc`, who, { headers: { rsc: "1" } })

/** Runs work on all items, six at a time. */
async function all<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += 6) results.push(...(await Promise.all(items.slice(at, at + 6).map(work))))
  return results
}

const fill = (address: string, id: string): string => address.replace(/\[[^\]]+\]/g, encodeURIComponent(id))

/** Returns the route's address with the id in its path and in every query parameter. */
const withId = (address: string, id: string): string =>
  `${fill(address, id)}?${new URLSearchParams(QUERY_NAMES.map((name) => [name, id]))}`

/** Returns the private texts of the owner in an answer, except those that the request itself contained. */
function leaks({ asked, headers, text: body }: Answer): string[] {
  const said = `${JSON.stringify([...headers])} ${body}`
  const given = decodeURIComponent(asked)
  return owner.privateTexts
    .filter((text) => said.includes(text) && !given.includes(text))
    .map((text) => `${asked.slice(0, 200)} → ${text}`)
}

const everyId = (): string[] => [...new Set(Object.values(owner.ids))]

/** Returns the ids with these names, and one of any kind: another one for each place, so that all are tried. */
const idsFor = (names: string[], place: number): string[] =>
  [...names, Object.keys(owner.ids)[place % Object.keys(owner.ids).length] ?? ""].map((name) => owner.ids[name] ?? "")

/** Returns the addresses of routes with ids in their paths and queries. */
const withIds = (routes: string[]): string[] =>
  routes.flatMap((route, at) => idsFor(idsInAddress(route), at).map((id) => withId(route, id)))
const readingHandlers = (): string[] =>
  listHandlers().flatMap((route) => (route.startsWith("GET ") ? [route.slice(4)] : []))

/** Pages that open for everyone with a session and say whether their id is for that person. */
const FOR_EVERYONE = ["/join/[id]", "/open/[id]"]

/** Returns the address of each page of one object, with the owner's object. */
const ownPages = (): string[] => [
  `/billing/top-up/return?session_id=${owner.ids["checkout in the database"]}`,
  ...PAGE_LIST.filter(({ path, access, id }) => id && access === "session" && !FOR_EVERYONE.includes(path)).map(
    ({ path, id = "" }) => fill(path, owner.ids[id === "req" ? "request" : id] ?? ""),
  ),
]

test("every handler and action has a row in its table", () => {
  expect(Object.keys(HANDLERS).toSorted()).toEqual(listHandlers())
  expect(Object.keys(ACTIONS).toSorted()).toEqual(listActions())
})

test("the owner sees the markers that other accounts are searched for, but never a secret", async () => {
  const one = (route: string) => !route.includes("[")
  const pages = [...listPages().filter(one), ...ownPages(), `/requests/${owner.ids.refusal}`]
  const loads = await all([...pages, ...readingHandlers().filter(one)], (page) => load(page, owner))
  const navigations = await all(pages, (page) => navigate(page, owner))
  const seen = loads.map(({ text }) => text).join("\n")
  const read = navigations.map(({ text }) => text).join("\n")
  const { ids } = owner
  const shown = [ids.account, ids.key, ids.session, ids.request, ids.refusal, ids.topup, ids.email]
  const texts = [...shown, ids["entry in the database"], "4,321.98", "7,654.32", "Zqcanary key", "zqcanaryreceipt"]
  expect([...texts, "4321.987654"].filter((text) => !text || !seen.includes(text))).toEqual([])
  expect(texts.filter((text) => !text || !read.includes(text))).toEqual([])
  const types = navigations.map(({ headers }) => headers.get("content-type"))
  expect(new Set(types)).toEqual(new Set(["text/x-component"]))
  expect([owner.token, owner.cookie.slice(13)].filter((secret) => `${seen}${read}`.includes(secret))).toEqual([])
})

test("no page or handler that reads shows another account's data, by its ids", async () => {
  const before = await markOf(service, owner)
  // What a page shows is in its data, which costs half as much to load. So the whole page is loaded with one id only.
  const wholePages = listPages().flatMap((route, at) => idsFor([], at).map((id) => withId(route, id)))
  const answers = [
    ...(await all(withIds(listPages()), (path) => navigate(path, other))),
    ...(await all([...wholePages, ...withIds(readingHandlers())], (path) => load(path, other))),
  ]
  expect(answers.filter(({ status }) => status >= 500).map(({ asked }) => asked)).toEqual([])
  expect(answers.flatMap(leaks)).toEqual([])
  for (const at of ownPages())
    expect([at, (await load(at, owner)).status, (await load(at, other)).status]).toEqual([at, 200, 404])
  expect(await markOf(service, owner)).toBe(before)
})

test("no route that is posted to spends, opens or changes anything of another account", async () => {
  const before = await markOf(service, owner)
  const found: string[] = []
  for (const [route, { attempts }] of Object.entries(HANDLERS).filter(([name]) => name.startsWith("POST ")))
    for (const requestWith of attempts ?? [])
      for (const id of everyId()) {
        const { path = route.slice(5), headers, body } = requestWith(id, owner.ids)
        const key = { authorization: `Bearer ${other.token}`, ...headers }
        const answer = await send(path, other, { method: "POST", headers: key, ...(body ? { body } : {}) })
        const isOpened = answer.headers.getSetCookie().some((cookie) => cookie.startsWith("svcd-session="))
        if (isOpened || answer.status === 200 || answer.status >= 500) found.push(`${answer.asked} ${answer.status}`)
        found.push(...leaks(answer))
      }
  expect(found).toEqual([])
  expect(await markOf(service, owner)).toBe(before)
  // The owner's own requests are served, so the refusals above were not malformed requests.
  const [ownKey] = HANDLERS["POST /playground/decisions"]?.attempts ?? []
  const { headers, body } = ownKey?.(owner.ids.key ?? "", owner.ids) ?? {}
  expect((await send("/playground/decisions", owner, { method: "POST", headers, body })).status).toBe(200)
  expect(await markOf(service, owner)).not.toBe(before)
})

interface BuiltAction {
  filename: string
  exportedName: string
  workers: Record<string, unknown>
}

/** Returns every action of the build with its id and a page to send it to. */
function builtActions(): { name: string; id: string; page: string }[] {
  const manifest: { node: Record<string, BuiltAction> } = JSON.parse(
    readFileSync(".next/server/server-reference-manifest.json", "utf8"),
  )
  return Object.entries(manifest.node).map(([id, { filename, exportedName, workers }]) => {
    const [page = ""] = Object.keys(workers).toSorted((a, b) => a.length - b.length)
    const address = page.replace(/^app|\/\([^/]+\)|\/page$/g, "")
    return { name: `${filename} ${exportedName}`, id, page: fill(address, owner.ids.key ?? "") || "/" }
  })
}

test("no action accepts another account's id, nor its owner's call from another origin", async () => {
  const before = await markOf(service, owner)
  const actions = builtActions()
  expect(actions.map(({ name }) => name).filter((name) => !ACTIONS[name])).toEqual([])
  const bodyOf = (name: string, id: string) => JSON.stringify(ACTIONS[name] ? [attempt(ACTIONS[name], id)] : [])
  const found: string[] = []
  for (const [at, { name, id: action, page }] of actions.entries())
    for (const id of idsFor(idsOfAction(name), at)) {
      const body = bodyOf(name, id)
      const headers = { "next-action": action, "content-type": "text/plain;charset=UTF-8" }
      const answer = await send(page, other, { method: "POST", headers, body })
      // An action without an id may change the caller's own account.
      const isDone = ACTIONS[name]?.[2]?.of !== undefined && answer.text.includes('"ok":true')
      if (isDone || answer.status >= 500) found.push(`${name} ${body} ${answer.status} ${answer.text.slice(0, 300)}`)
      found.push(...leaks(answer))
    }
  expect(found).toEqual([])
  for (const { name, id: action, page } of actions)
    for (const origin of ["", "null", "https://evil.example", service.url.replace("http:", "https:")]) {
      const headers = { "next-action": action, "content-type": "text/plain;charset=UTF-8", origin }
      const body = bodyOf(name, owner.ids.key ?? "")
      expect([name, origin, (await send(page, owner, { method: "POST", headers, body })).status]).toEqual([
        name,
        origin,
        403,
      ])
    }
  expect(await markOf(service, owner)).toBe(before)
  // The same call from the owner's page succeeds, so the refusals above were not malformed requests.
  const revoke = actions.find(({ name }) => name.endsWith(" revokeKeysAction"))
  const headers = { "next-action": revoke?.id ?? "", "content-type": "text/plain;charset=UTF-8" }
  const body = JSON.stringify([{ ids: [owner.ids.key] }])
  expect((await send("/keys", owner, { method: "POST", headers, body })).text).toContain('"ok":true')
})

test("every page, redirect, refusal and failure has a policy with its own nonce and is never cached", async () => {
  const cookie = await openSession(service, "somebody@example.com")
  // These have a policy of their own, under which nothing runs.
  const others = [...listOwnRoutes(), "GET /logo/[file]"]
  const isOurs = (route: string) => !others.includes(`GET ${route}`)
  const paths = [
    ...[...listPages(), ...readingHandlers()].filter(isOurs).map((route) => fill(route, "none")),
    "/nothing",
    "/keys/",
    "/docs/none",
    "/%zz",
  ]
  const bare = { asked: "/", status: 200, headers: new Headers(), text: "<script>" }
  expect(headFaults(bare)).toHaveLength(9)
  const faults: string[] = []
  const policies = new Set<string | null>()
  for (const who of [{ cookie }, { cookie: "" }])
    for (const request of [load, navigate]) {
      const answers = await all(paths, (path) => request(path, who))
      faults.push(...answers.flatMap(headFaults))
      for (const answer of answers) policies.add(answer.headers.get("content-security-policy"))
    }
  expect(policies.size).toBe(paths.length * 4)
  await service.sql("ALTER TABLE topup RENAME TO topup_away")
  const failed = await send("/billing", { cookie })
  await service.sql("ALTER TABLE topup_away RENAME TO topup")
  expect(failed.text).not.toMatch(/topup_away|relation|prisma/i)
  const reference = /digest\\*":\\*"(\d+)/.exec(failed.text)?.[1]
  await expect.poll(() => service.printed).toContain(`"reference":"${reference}"`)
  expect(service.printed).not.toMatch(/topup_away|relation|invocation/i)
  faults.push(...headFaults(failed))
  expect(faults).toEqual([])
  for (const path of ["/playground/decisions", "/playground/tokens", "/v1/models", "/healthz", "/v1/nothing"])
    for (const method of ["GET", "POST"]) {
      const { headers } = await send(path, { cookie: "" }, { method })
      expect([path, headers.get("cache-control"), headers.get("x-content-type-options")]).toEqual([
        path,
        "no-store",
        "nosniff",
      ])
    }
})
