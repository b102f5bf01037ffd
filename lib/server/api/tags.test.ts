import { beforeAll, describe, expect, it } from "vitest"
import { changeKey } from "@/lib/server/keys/change-key"
import { createKey } from "@/lib/server/keys/create-key"
import { findKey } from "@/lib/server/keys/read-keys"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { insertSessionOf } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"

const QUESTION = { state: "s", questions: { q: { type: "noul", instructions: "Is it?" } } }
const BODY = { model: ALIAS, ...QUESTION }

const service = await testService({}, { serve: "all" })
beforeAll(() => loadCatalogue(runtime()))

let people = 0
async function newKey(tags: string[]) {
  const actor = await signUp(`tags-${people++}@example.com`)
  const made = await createKey(runtime(), actor, { name: "CI", limit: null, expiresAt: null, tags })
  return { actor, ...made }
}

type Key = Awaited<ReturnType<typeof newKey>>

/** Sends a decision with this header. Returns the status and, for a refusal, its code and `param`. */
async function ask({ token, id, actor }: Key, route: string, header: string | null, body: unknown = BODY) {
  const isOfConsole = route.startsWith("/playground") || route.startsWith("/evaluate")
  const headers: Record<string, string> = isOfConsole
    ? { cookie: await insertSessionOf(actor.userId), origin: service.runtime.env.CONSOLE_URL, "x-svc-key-id": id }
    : { authorization: `Bearer ${token}` }
  if (header !== null) headers["X-Svc-Tag"] = header
  const response = await fetch(service.url + route, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  })
  const { error: sent } = (await response.json()) as { error?: Record<string, unknown> }
  const error = (sent?.metadata as Record<string, unknown> | undefined) ?? sent
  return [response.status, ...(error ? [error.code, sent?.param ?? error.param] : [])]
}

/** Returns the tags of each charge of the key's account, oldest first. */
async function charged({ actor }: Key): Promise<unknown[]> {
  const { rows } = await runtime().pool.query(
    "SELECT tags FROM ledger_entry WHERE account_id = $1 AND kind = 'charge' ORDER BY id",
    [actor.accountId],
  )
  return rows.map(({ tags }) => tags)
}

const BATCH = { model: ALIAS, questions: QUESTION.questions, states: ["s", "t"] }
const ROUTES: [string, unknown, number][] = [
  ["/v1/decisions", BODY, 1],
  ["/v1/systemone", BODY, 1],
  ["/v1/systemone/batch", BATCH, 2],
  ["/api/alpha/decisions", BODY, 1],
  ["/api/v1/systemone", BODY, 1],
  ["/api/v1/decisions", BODY, 1],
  ["/openai/v1/decisions", { model: ALIAS, input: "s", questions: [{ type: "predicate", instructions: "Is it?" }] }, 1],
  ["/playground/decisions", BODY, 1],
  ["/evaluate/decisions", BODY, 1],
]

describe.each(ROUTES)("at %s", (route, body, charges) => {
  it("each charge has the tags of the key, and the header replaces those of the same name", async () => {
    const key = await newKey(["env=prod", "team=search"])
    expect(await ask(key, route, null, body)).toEqual([200])
    expect(await ask(key, route, "job=nightly, team=ads", body)).toEqual([200])
    const [first, second] = [
      ["env=prod", "team=search"],
      ["env=prod", "job=nightly", "team=ads"],
    ]
    expect(await charged(key)).toEqual([...Array(charges).fill(first), ...Array(charges).fill(second)])
  })

  it("a malformed header is refused with 400 after the body and before the model, and charges nothing", async () => {
    const key = await newKey([])
    const refused = [400, "invalid_request", "X-Svc-Tag"]
    expect(await ask(key, route, "team=two words", body)).toEqual(refused)
    expect(await ask(key, route, "team=a,team=b", body)).toEqual(refused)
    expect(await ask(key, route, "team", { ...(body as object), model: "unknown" })).toEqual(refused)
    const [status, code, param] = await ask(key, route, "team", { ...(body as object), questions: 1 })
    expect([status, code]).toEqual([400, "invalid_request"])
    expect(param).not.toBe("X-Svc-Tag")
    expect(await charged(key)).toEqual([])
  })
})

it("tags of a key can be changed and removed, and a change of its name leaves them", async () => {
  const key = await newKey(["team=search"])
  const { actor, id } = key
  await changeKey(runtime(), actor, { id, name: "CI 2" })
  expect(await findKey(runtime(), actor, id)).toMatchObject({ name: "CI 2", tags: ["team=search"] })
  await changeKey(runtime(), actor, { id, name: "CI", tags: ["team=ads"] })
  await ask(key, "/v1/decisions", null)
  await changeKey(runtime(), actor, { id, name: "CI", tags: [] })
  await ask(key, "/v1/decisions", null)
  expect(await charged(key)).toEqual([["team=ads"], null])
})
