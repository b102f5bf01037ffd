import { readFileSync } from "node:fs"
import { expect, test } from "@playwright/test"
import { ACTIONS, HANDLERS, PAGES, QUERY_NAMES } from "@/e2e/support/route-table"
import { Service } from "@/e2e/support/service"
import { markOf, newPerson, newVictim, openSession, type Person, type Victim } from "@/e2e/support/victim"
import { listActions, listHandlers, listPages } from "@/test/list-routes"

test.describe.configure({ mode: "serial" })

let service: Service
let victim: Victim
let stranger: Person
test.beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "error", WELCOME_CREDIT_USD: "0" })
  victim = await newVictim(service)
  stranger = await newPerson(service, "stranger@example.com", "Stranger key", "5")
})
test.afterAll(() => service.destroy())

/** As a page and as the data that a link of ours loads. */
const KINDS: Record<string, string>[] = [{}, { rsc: "1" }]

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

interface Answer {
  asked: string
  status: number
  headers: Headers
  text: string
}

/** As somebody's browser, from another machine than this one. */
async function send(path: string, { cookie }: { cookie: string }, sent: Sent = {}): Promise<Answer> {
  const { method = "GET", headers, body = null } = sent
  const response = await fetch(`${service.url}${path}`, {
    method,
    redirect: "manual",
    headers: { cookie, origin: service.url, "x-forwarded-for": "192.0.2.1", ...headers },
    body,
  })
  const asked = `${method} ${path} ${JSON.stringify(headers ?? {})} ${body ?? ""}`
  return { asked, status: response.status, headers: response.headers, text: await response.text() }
}

/** Runs work six at a time. */
async function all<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += 6) results.push(...(await Promise.all(items.slice(at, at + 6).map(work))))
  return results
}

const fill = (address: string, id: string): string => address.replace(/\[[^\]]+\]/, encodeURIComponent(id))

/** Its address with an id wherever one could stand. */
const asking = (address: string, id: string): string =>
  `${fill(address, id)}?${new URLSearchParams(QUERY_NAMES.map((name) => [name, id]))}`

/** What an answer says of the victim beyond what it was asked with. */
function leaks({ asked, headers, text }: Answer): string[] {
  const said = `${JSON.stringify([...headers])} ${text}`
  const given = decodeURIComponent(asked)
  return victim.canaries
    .filter((canary) => said.includes(canary) && !given.includes(canary))
    .map((canary) => `${asked.slice(0, 200)} → ${canary}`)
}

const everyId = (): string[] => [...new Set(Object.values(victim.ids))]
const reads = (): string[] => [
  ...listPages(),
  ...listHandlers()
    .filter((door) => door.startsWith("GET "))
    .map((door) => door.slice(4)),
]

test("every page, handler and action is in the tables below", () => {
  expect(Object.keys(PAGES).toSorted()).toEqual(listPages())
  expect(Object.keys(HANDLERS).toSorted()).toEqual(listHandlers())
  expect(Object.keys(ACTIONS).toSorted()).toEqual(listActions())
})

test("the owner finds on these pages what the stranger is looked through for, but never a secret", async () => {
  const own = Object.values(PAGES).flatMap(({ one }) => (one ? [one.at(victim.ids[one.id] ?? "")] : []))
  const pages = [...reads().filter((door) => !door.includes("[")), ...own, `/usage?request=${victim.ids.request}`]
  const answers = await all(pages, (page) => send(page, victim))
  const seen = answers.map(({ text }) => text).join("\n")
  const { ids } = victim
  const shown = [ids.account, ids.key, ids.session, ids.request, ids.refusal, ids.topup, ids.email]
  const files = [ids["entry in the database"], "4321.987654", "4,321.98", "7,654.32", "Zqcanary key", "zqcanaryreceipt"]
  expect([...shown, ...files].filter((text) => !text || !seen.includes(text))).toEqual([])
  expect([victim.token, victim.cookie.slice(13)].filter((secret) => seen.includes(secret))).toEqual([])
})

test("a stranger finds nothing of another account by any id at any page or handler that reads", async () => {
  const before = await markOf(service, victim)
  const found: string[] = []
  for (const headers of KINDS) {
    const paths = reads().flatMap((door) => everyId().map((id) => asking(door, id)))
    const some = "rsc" in headers ? paths.filter((_path, index) => index % 7 === 0) : paths
    const answers = await all(some, (path) => send(path, stranger, { headers }))
    expect(answers.filter(({ status }) => status >= 500).map(({ asked }) => asked)).toEqual([])
    found.push(...answers.flatMap(leaks))
  }
  expect(found).toEqual([])
  for (const { one } of Object.values(PAGES)) {
    if (!one) continue
    const at = one.at(victim.ids[one.id] ?? "")
    expect([at, (await send(at, victim)).status, (await send(at, stranger)).status]).toEqual([at, 200, 404])
  }
  expect(await markOf(service, victim)).toBe(before)
})

test("a stranger spends, opens and changes nothing of another account at any door that is posted to", async () => {
  const before = await markOf(service, victim)
  const found: string[] = []
  for (const [door, knocks] of Object.entries(HANDLERS).filter(([name]) => name.startsWith("POST ")))
    for (const knock of knocks)
      for (const id of everyId()) {
        const { path = door.slice(5), headers, body } = knock(id, victim.ids)
        const key = { authorization: `Bearer ${stranger.token}`, ...headers }
        const answer = await send(path, stranger, { method: "POST", headers: key, ...(body ? { body } : {}) })
        const isOpened = answer.headers.getSetCookie().some((cookie) => cookie.startsWith("svcd-session="))
        if (isOpened || answer.status === 200 || answer.status >= 500) found.push(`${answer.asked} ${answer.status}`)
        found.push(...leaks(answer))
      }
  expect(found).toEqual([])
  expect(await markOf(service, victim)).toBe(before)
})

interface BuiltAction {
  filename: string
  exportedName: string
  workers: Record<string, unknown>
}

/** Every action that the build made an address for, by its name, with the page to send it to. */
function builtActions(): { name: string; id: string; page: string }[] {
  const manifest: { node: Record<string, BuiltAction> } = JSON.parse(
    readFileSync(".next/server/server-reference-manifest.json", "utf8"),
  )
  return Object.entries(manifest.node).map(([id, { filename, exportedName, workers }]) => {
    const [page = ""] = Object.keys(workers).toSorted((a, b) => a.length - b.length)
    const address = page.replace(/^app|\/\([^/]+\)|\/page$/g, "")
    return { name: `${filename} ${exportedName}`, id, page: fill(address, victim.ids.key ?? "") || "/" }
  })
}

test("no action does anything for a stranger with another account's id, nor for its owner from another origin", async () => {
  const before = await markOf(service, victim)
  const actions = builtActions()
  expect(actions.map(({ name }) => name).filter((name) => !ACTIONS[name])).toEqual([])
  const found: string[] = []
  for (const { name, id: action, page } of actions)
    for (const id of everyId()) {
      const body = JSON.stringify(ACTIONS[name]?.(id))
      const headers = { "next-action": action, "content-type": "text/plain;charset=UTF-8" }
      const answer = await send(page, stranger, { method: "POST", headers, body })
      const isDone = /"ok":true|"checkoutUrl"|"token"/.test(answer.text)
      if (isDone || answer.status >= 500) found.push(`${name} ${body} ${answer.status} ${answer.text.slice(0, 300)}`)
      found.push(...leaks(answer))
    }
  expect(found).toEqual([])
  for (const { name, id: action, page } of actions)
    for (const origin of ["", "null", "https://evil.example", service.url.replace("http:", "https:")]) {
      const headers = { "next-action": action, "content-type": "text/plain;charset=UTF-8", origin }
      const body = JSON.stringify(ACTIONS[name]?.(victim.ids.key ?? ""))
      expect([name, origin, (await send(page, victim, { method: "POST", headers, body })).status]).toEqual([
        name,
        origin,
        403,
      ])
    }
  expect(await markOf(service, victim)).toBe(before)
  // The same call from its owner's own page is taken: the refusals above were not for want of form.
  const revoke = actions.find(({ name }) => name.endsWith(" revokeKeyAction"))
  const headers = { "next-action": revoke?.id ?? "", "content-type": "text/plain;charset=UTF-8" }
  const body = JSON.stringify([{ id: victim.ids.key }])
  expect((await send("/keys", victim, { method: "POST", headers, body })).text).toContain('"ok":true')
})

/** What is wrong with the head of a page's answer, or with how its scripts and styles are let in. */
function headFaults({ asked, headers, text }: Answer): string[] {
  const csp = headers.get("content-security-policy") ?? ""
  const scripts = /script-src ([^;]*)/.exec(csp)?.[1] ?? ""
  const nonce = /'nonce-([^']+)'/.exec(scripts)?.[1] ?? "none"
  const faults = [
    [/unsafe-inline|unsafe-eval/.test(csp) || nonce === "none", "a policy that lets scripts in"],
    [!csp.includes("frame-ancestors 'none'") || headers.get("x-frame-options") !== "DENY", "can be framed"],
    [!csp.includes("base-uri 'none'") || !csp.includes("object-src 'none'"), "a policy with holes"],
    [headers.get("referrer-policy") !== "same-origin", "tells others where it was"],
    [headers.get("x-content-type-options") !== "nosniff", "may be taken for something else"],
    [!/\bno-store\b/.test(headers.get("cache-control") ?? ""), `cached: ${headers.get("cache-control")}`],
    [headers.has("x-powered-by"), "tells what it runs"],
    [
      (text.match(/<script\b[^>]*>/g) ?? []).some((tag) => !tag.includes(`nonce="${nonce}"`)),
      "a script without the nonce",
    ],
    [
      /<[a-z][^>]* (?:style|on[a-z]+)="/.test(text.replace(/<script\b[\s\S]*?<\/script>/g, "")),
      "a style or script attribute",
    ],
  ] as const
  return faults.filter(([is]) => is).map(([, what]) => `${asked.slice(0, 80)}: ${what}`)
}

test("every page, redirect, refusal and failure has a policy with its own nonce and is kept by nobody", async () => {
  const cookie = await openSession(service, "somebody@example.com")
  const isOurs = (door: string) => !["/healthz", "/metrics", "/openapi.json", "/readyz", "/v1/models"].includes(door)
  const paths = [
    ...reads()
      .filter(isOurs)
      .map((door) => fill(door, "none")),
    "/nothing",
    "/keys/",
    "/docs/none",
    "/%zz",
  ]
  const faults: string[] = []
  const policies = new Set<string | null>()
  for (const who of [{ cookie }, { cookie: "" }])
    for (const headers of KINDS) {
      const answers = await all(paths, (path) => send(path, who, { headers }))
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
