import path from "node:path"
import { NextRequest } from "next/server"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { HANDLERS } from "@/e2e/support/route-table"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { type Right, ROLE_NAMES, type Role, roleHas } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import { PAGE_LIST } from "@/lib/shared/pages"
import { insertKey } from "./insert-rows"
import { listActions, listHandlers, pageFiles } from "./list-routes"
import { listVerbs } from "./list-verbs"
import { nextRequest } from "./next-request"
import { testService } from "./service"
import { signUp } from "./sign-up"
import { ACTIONS, NO_VERBS, VERBS } from "./verb-register"

vi.hoisted(() => {
  process.env.__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS = "true"
})
vi.mock("@/lib/server/auth/actor-of-cookies", async (original) =>
  (await import("./next-request")).mockSessionStore(original),
)
vi.mock("next/headers", async (original) => (await import("./next-request")).mockHeaders(original))
vi.mock("next/cache", async (original) => (await import("./next-request")).mockCache(original))

const APP = path.join(import.meta.dirname, "../app")
const smtp = { EMAIL_SERVER: "smtp://127.0.0.1:1", EMAIL_FROM: "no-reply@example.com", WELCOME_CREDIT_USD: "1" }
const service = await testService(smtp, { serve: "all" })
runtime().mailer = { send: async () => {}, check: async () => true }
const owner = await signUp()
const { pool } = service.runtime

async function createMember(role: Role): Promise<UserActor> {
  const userId = newId()
  await pool.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [userId, `${role}@example.com`])
  return { ...owner, userId, sessionId: newId(), email: `${role}@example.com`, role }
}

/** Adds the user to the account. A verb that the user was allowed to call may have ended the membership. */
const join = ({ accountId, userId, role }: UserActor) =>
  pool.query(
    `INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, $3)
     ON CONFLICT (account_id, user_id) DO UPDATE SET role = $3`,
    [accountId, userId, role],
  )

const members = await Promise.all(ROLE_NAMES.map(createMember))
const newKey = async () => publicId("key", (await insertKey(owner.accountId)).keyId)
const isAllowed = (right: Right | null, { role }: UserActor): boolean => right === null || roleHas(role, right)

/** Returns how a call ended: refused because of the role, failed, or served, which includes refusals for its arguments. */
async function outcomeOf(work: () => unknown): Promise<"forbidden" | "failed" | "served"> {
  try {
    const result = await work()
    await (result instanceof ReadableStream ? result.cancel() : null)
    return outcomeOfError((result as { error?: unknown } | null | undefined)?.error)
  } catch (thrown) {
    const isExpected = thrown instanceof ServiceError || Object.hasOwn(Object(thrown), "digest")
    return isExpected ? outcomeOfError(thrown) : "failed"
  }
}

function outcomeOfError(error: unknown): "forbidden" | "failed" | "served" {
  const { code, message = "" } = (error ?? {}) as { code?: string; message?: string }
  if (code === "internal_error") return "failed"
  return code === "forbidden" && message.startsWith("Only ") ? "forbidden" : "served"
}

/** The pages with a session. test/operator-area.test.ts checks the operator's. */
const pages = PAGE_LIST.filter(({ access }) => access === "session")
const files = pageFiles()

/** Opens a page. Returns the digest of what Next throws to redirect or to refuse, else "opened" or "failed". */
async function openPage(address: string, actor: UserActor | null): Promise<string> {
  nextRequest.actor = actor
  const { default: Page } = await import(/* @vite-ignore */ files[address] ?? address)
  const params = Promise.resolve({ id: address.startsWith("/keys") ? await newKey() : "" })
  const searchParams = Promise.resolve(address.endsWith("/return") ? { session_id: "cs_test_1" } : {})
  return Promise.resolve()
    .then(() => Page({ params, searchParams }))
    .then(
      () => "opened",
      ({ digest = "failed" }: { digest?: string }) => digest,
    )
}

/** The actions of an account. test/operator-area.test.ts checks the operator's. */
const actions = Object.entries(ACTIONS).filter(([, [right]]) => !right?.startsWith("service."))
const handlers = Object.entries(HANDLERS).filter(([, { right }]) => right !== undefined)

describe("the role table", () => {
  test("has every verb, action and route handler", () => {
    expect([...Object.keys(VERBS), ...NO_VERBS].toSorted()).toEqual(listVerbs())
    expect(Object.keys(ACTIONS).toSorted()).toEqual(listActions())
    expect(Object.keys(HANDLERS).toSorted()).toEqual(listHandlers())
  })
})

describe.each(members)("a member with the role $role", (actor) => {
  beforeEach(() => join(actor))

  test.each(Object.entries(VERBS))("calls %s only with the right", async (name, [right, input]) => {
    const [file, verb = ""] = name.split(" ")
    const module = await import(/* @vite-ignore */ `../lib/server/${file}`)
    const given = input(await newKey())
    const expected = isAllowed(right, actor) ? "served" : "forbidden"
    expect(await outcomeOf(() => module[verb](runtime(), actor, given))).toBe(expected)
  })

  test.each(actions)("uses %s only with the right", async (name, [right, input]) => {
    nextRequest.actor = actor
    const [file = "", action = ""] = name.split(/ (?=\w+$)/)
    const module = await import(/* @vite-ignore */ `../${file}`)
    const given = input(await newKey())
    expect(await outcomeOf(() => module[action](given))).toBe(isAllowed(right, actor) ? "served" : "forbidden")
  })

  test.each(handlers)("is served by %s only with the right", async (route, { right = null }) => {
    nextRequest.actor = actor
    const [method = "", address = ""] = route.split(" ")
    const response =
      method === "GET"
        ? await (await import(/* @vite-ignore */ path.join(APP, "(console)", address, "route.ts"))).GET(
            new NextRequest(`${service.url}${address}`),
          )
        : await fetch(`${service.url}${address}`, {
            method,
            headers: { "content-type": "application/json", origin: service.runtime.env.CONSOLE_URL },
            body: JSON.stringify({
              model: "svc-decider-latest",
              state: "Late.",
              questions: { late: { type: "noul", instructions: "Is it late?" } },
            }),
          })
    await response.body?.cancel()
    expect(response.status).toBe(isAllowed(right, actor) ? 200 : 403)
  })

  test.each(pages)("opens $path only with the right", async ({ path: address, right, elsewhere }) => {
    const digest = await openPage(address, actor)
    if (isAllowed(right ?? null, actor)) expect(digest).not.toMatch(/^failed$|;403$|^NEXT_REDIRECT.*\/usage/)
    else expect(digest).toMatch(elsewhere ? `;${elsewhere};` : /^NEXT_HTTP_ERROR_FALLBACK;403$/)
  })
})

test.each(pages)("a signed-out visitor is redirected from $path to the sign-in", async ({ path: address }) => {
  expect(await openPage(address, null)).toMatch(/^NEXT_REDIRECT;[a-z]+;\/sign-in[?;]/)
})
