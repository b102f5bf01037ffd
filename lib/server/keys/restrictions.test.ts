import { afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { insertModel, insertSessionOf } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"
import { stopClock } from "@/test/stop-clock"
import { createKey } from "./create-key"
import { listKeys } from "./read-keys"
import { restrictKey } from "./restrictions"

const QUESTION = { state: "s", questions: { q: { type: "noul", instructions: "Is it?" } } }
const BODY = { model: ALIAS, ...QUESTION }
const OTHER_MODEL = "other-test-1"

// Requests come from a trusted proxy, which says where clients are.
const service = await testService({ TRUSTED_PROXY_HOPS: "1" }, { serve: "all" })
await insertModel(OTHER_MODEL)
beforeAll(() => loadCatalogue(runtime()))
afterEach(() => vi.restoreAllMocks())

let people = 0
async function newKey(only: { models?: string[]; routes?: string[]; networks?: string }) {
  const actor = await signUp(`restrict-${people++}@example.com`)
  const made = await createKey(runtime(), actor, { name: "CI", limit: null, expiresAt: null })
  const { models = [], routes = [], networks = "" } = only
  await restrictKey(runtime(), actor, {
    id: made.id,
    models,
    routes: routes as never,
    networks: networks.split(" ").filter((text) => text !== ""),
  })
  return { actor, ...made }
}

interface Refusal {
  code: string
  valid_models?: string[]
}

const isOfConsole = (route: string): boolean => route.startsWith("/playground") || route.startsWith("/evaluate")

type Key = Awaited<ReturnType<typeof newKey>>

/** Sends a decision to a route of the API, or to the playground as the key's owner. Returns status, code and `valid_models`. */
async function ask({ token, id, actor }: Key, route: string, body: unknown = BODY, address = "203.0.113.1") {
  const headers: Record<string, string> = isOfConsole(route)
    ? { cookie: await insertSessionOf(actor.userId), origin: service.runtime.env.CONSOLE_URL, "x-svc-key-id": id }
    : { authorization: `Bearer ${token}` }
  const response = await fetch(service.url + route, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address, ...headers },
    body: JSON.stringify(body),
  })
  const { error: sent } = (await response.json()) as { error?: Refusal & { metadata?: Refusal } }
  const error = sent?.metadata ?? sent
  return [response.status, ...(error ? [error.code] : []), ...(error?.valid_models ? [error.valid_models] : [])]
}

const BATCH = { model: ALIAS, questions: QUESTION.questions, states: ["s"] }
const ROUTES: [string, unknown][] = [
  ["/v1/decisions", BODY],
  ["/v1/systemone", BODY],
  ["/v1/systemone/batch", BATCH],
  ["/api/alpha/decisions", BODY],
  ["/api/v1/systemone", BODY],
  ["/api/v1/decisions", BODY],
  ["/openai/v1/decisions", { model: ALIAS, input: "s", questions: [{ type: "predicate", instructions: "Is it?" }] }],
  ["/playground/decisions", BODY],
  ["/evaluate/decisions", BODY],
]

describe.each(ROUTES)("at %s", (route, body) => {
  const with_ = (model: string) => ({ ...(body as object), model })

  it("a key restricted to a pinned id answers it, and refuses the alias with the models of this key", async () => {
    const key = await newKey({ models: [LEXICAL_BASELINE] })
    expect(await ask(key, route, with_(LEXICAL_BASELINE))).toEqual([200])
    const refused = [400, "invalid_model", [LEXICAL_BASELINE]]
    expect(await ask(key, route, with_(ALIAS))).toEqual(refused)
    expect(await ask(key, route, with_(OTHER_MODEL))).toEqual(refused)
    expect(await ask(key, route, with_("none"))).toEqual(refused)
  })

  it("a key restricted to addresses is refused from others", async () => {
    const key = await newKey({ networks: "203.0.113.0/25 2001:db8::/32 198.51.100.7" })
    for (const address of ["203.0.113.1", "203.0.113.127", "2001:db8::5", "198.51.100.7", "::ffff:203.0.113.9"])
      expect([address, await ask(key, route, body, address)]).toEqual([address, [200]])
    for (const address of ["203.0.113.128", "2001:db9::5", "198.51.100.8"])
      expect([address, (await ask(key, route, body, address))[0]]).toEqual([address, 401])
  })

  it("a key restricted to this route is refused at every other one", async () => {
    const nameOf = (one: string) => (isOfConsole(one) ? "console" : one)
    const own = nameOf(route)
    const key = await newKey({ routes: [own] })
    const others = ROUTES.filter(([other]) => nameOf(other) !== own)
    expect(await ask(key, route, body)).toEqual([200])
    for (const [other, itsBody] of others)
      expect([other, ...(await ask(key, other, itsBody))].slice(0, 3)).toEqual([other, 401, "invalid_api_key"])
  })
})

it.each([
  ["/api/v1/key", "/api/v1/decisions"],
  ["/openai/v1/models", "/openai/v1/decisions"],
])("%s can be read with a key for %s from its addresses, and with no other", async (path, route) => {
  const read = async ({ token }: Key) => {
    const headers = { authorization: `Bearer ${token}`, "x-forwarded-for": "203.0.113.1" }
    return (await fetch(service.url + path, { headers })).status
  }
  expect(await read(await newKey({ routes: [route], networks: "203.0.113.0/24" }))).toBe(200)
  expect(await read(await newKey({ routes: ["/v1/decisions"] }))).toBe(401)
  expect(await read(await newKey({ networks: "198.51.100.7" }))).toBe(401)
})

it("the models of a key are the valid_models of its refusal, in the order of the list", async () => {
  const key = await newKey({ models: [OTHER_MODEL, LEXICAL_BASELINE] })
  const [, , valid] = await ask(key, "/v1/decisions")
  expect([...(valid as string[])].toSorted()).toEqual([OTHER_MODEL, LEXICAL_BASELINE].toSorted())
})

describe("a restriction", () => {
  it("applies here at once, and on another process 1.5 s later", async () => {
    const key = await newKey({})
    const pass = stopClock()
    expect(await ask(key, "/v1/decisions")).toEqual([200])
    const made = await createRuntime(service.runtime.env, service.runtime.pool, { role: "command" })
    installRuntime(made.runtime)
    await loadCatalogue(made.runtime)
    await restrictKey(runtime(), key.actor, { id: key.id, models: [], routes: ["console"], networks: [] })
    installRuntime(service.runtime)
    pass(1_500)
    expect(await ask(key, "/v1/decisions")).toEqual([401, "invalid_api_key"])
    await restrictKey(runtime(), key.actor, { id: key.id, models: [], routes: [], networks: [] })
    expect(await ask(key, "/v1/decisions")).toEqual([200])
    await made.close()
  })

  it("is shown, recorded and lifted, and a new key can begin with it", async () => {
    const only = { models: [ALIAS], routes: ["/v1/decisions" as const], networks: ["203.0.113.0/24"] }
    const { actor, id } = await newKey({})
    const copy = await createKey(runtime(), actor, { name: "Copy", limit: null, expiresAt: null, ...only })
    await restrictKey(runtime(), actor, { id, ...only })
    const shown = (await listKeys(runtime(), actor)).filter(({ kind }) => kind === "secret")
    expect(shown.map(({ id, models, routes, networks }) => ({ id, models, routes, networks }))).toEqual([
      { id: copy.id, ...only },
      { id, ...only },
    ])
    const { rows } = await runtime().pool.query(
      "SELECT action FROM audit_event WHERE subject = $1 ORDER BY audit_event.id",
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual(["key.create", "key.restrict", "key.restrict"])
  })

  it("to a model that the service does not have is refused", async () => {
    const { actor, id } = await newKey({})
    const to = restrictKey(runtime(), actor, { id, models: ["none"], routes: [], networks: [] })
    await expect(to).rejects.toMatchObject({ code: "invalid_request", param: "models" })
  })
})
