import { readFileSync } from "node:fs"
import path from "node:path"
import { beforeEach, expect, test, vi } from "vitest"
import { z } from "zod"
import type { UserActor } from "@/lib/server/platform/actor"
import type { Log } from "@/lib/server/platform/log"
import { installRuntime, type Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { listActions } from "@/test/list-routes"
import { nextRequest } from "@/test/next-request"
import { signedInAt } from "@/test/sign-up"
import { operatorAction, userAction, userRead } from "./user-action"

const ROOT = path.join(import.meta.dirname, "../../..")
const actor: UserActor = {
  type: "user",
  accountId: "a",
  userId: "u",
  sessionId: "s",
  confirmedAtMs: signedInAt(Date.now()),
  email: "ada@example.com",
  role: "owner",
  operatorRole: null,
  clientAddress: null,
}
vi.mock("./actor-of-cookies", async (original) => (await import("@/test/next-request")).mockSessionStore(original))
vi.mock("next/headers", async (original) => (await import("@/test/next-request")).mockHeaders(original))
vi.mock("next/cache", async (original) => (await import("@/test/next-request")).mockCache(original))

const Input = z.object({
  name: z.string().trim().min(1, "Name the key."),
  limit: z.object({ usd: z.string().regex(/^\d+$/, "Enter an amount.") }).optional(),
})
const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() } satisfies Log

beforeEach(() => {
  Object.assign(nextRequest, { actor, headers: new Headers(), refreshed: [] })
  vi.clearAllMocks()
  installRuntime({ log, env: { AUTH_SECRET: "s" } } as unknown as Runtime)
})

test("a verb gets the actor and the parsed input, and the page is refreshed", async () => {
  const action = userAction(Input, async (_runtime, who, { name }) => ({ by: who.email, name }))
  expect(await action({ name: "  Production " })).toEqual({
    ok: true,
    data: { by: "ada@example.com", name: "Production" },
  })
  expect(nextRequest.refreshed).toEqual(["/ layout"])
})

test("a read returns its data and never refreshes the page", async () => {
  const action = userRead(Input, async (_runtime, _actor, { name }) => ({ name }))
  expect(await action({ name: "Production" })).toEqual({ ok: true, data: { name: "Production" } })
  expect(nextRequest.refreshed).toEqual([])
})

const READS = /^(?:check|count|explain|find|get|has|is|list|read|report|sample|search|sum)[A-Z]/

test("exactly the actions of verbs that read are made by userRead", () => {
  const actions = listActions().map((action) => {
    const [file = "", name = ""] = action.split(/ (?=\w+$)/)
    const source = readFileSync(path.join(ROOT, file), "utf8")
    return { action, name, isRead: source.includes(`const ${name} = userRead(`) }
  })
  const named = actions.filter(({ name }) => READS.test(name)).map(({ action }) => action)
  expect(named).toEqual([
    "app/(console)/billing/actions.ts checkTopupAction",
    "app/(console)/settings/actions.ts checkExportAction",
  ])
  expect(actions.filter(({ isRead }) => isRead).map(({ action }) => action)).toEqual(named)
})

test("without a session the verb is not called", async () => {
  nextRequest.actor = null
  const verb = vi.fn()
  expect(await userAction(Input, verb)({ name: "x" })).toEqual({
    ok: false,
    error: { code: "signed_out", message: "Sign in again to continue." },
  })
  expect(verb).not.toHaveBeenCalled()
})

test("invalid fields are reported by path, and the input is not returned", async () => {
  const verb = vi.fn()
  const result = await userAction(Input, verb)({ name: " ", limit: { usd: "secret-text" } })
  expect(result).toEqual({
    ok: false,
    error: {
      code: "invalid_request",
      message: "Check the marked fields.",
      fields: { name: "Name the key.", "limit.usd": "Enter an amount." },
    },
  })
  expect(verb).not.toHaveBeenCalled()
})

test("a refusal keeps its code, message and param", async () => {
  const action = userAction(Input, async () => {
    throw new ServiceError("not_found", { message: "There is no such key.", param: "id" })
  })
  expect(await action({ name: "x" })).toEqual({
    ok: false,
    error: { code: "not_found", message: "There is no such key.", param: "id" },
  })
  expect(log.error).not.toHaveBeenCalled()
})

test.each([
  ["forbidden", "keys.manage", 1],
  ["confirmation_required", "createKey", 1],
  ["not_found", "id", 0],
] as const)("a user who gets %s leaves a line without an address or the input, or none", async (code, param, lines) => {
  await userAction(Input, async () => {
    throw new ServiceError(code, { param })
  })({ name: "secret-text" })
  const line = { event: "action.refused", code, reason: param, accountId: "a", emailHash: "W0Y09q8ww669LICr" }
  expect(log.info.mock.calls.map(([, fields]) => fields)).toEqual(Array(lines).fill(line))
})

test.each([
  ["not_found", new Set<string>()],
  ["confirmation_required", new Set(["ada@example.com"])],
])("an action of the operator's area that ends with %s leaves a line", async (code, OPERATOR_EMAILS) => {
  installRuntime({ log, env: { OPERATOR_EMAILS, AUTH_SECRET: "s" } } as unknown as Runtime)
  nextRequest.actor = { ...actor, confirmedAtMs: signedInAt(0) }
  const verb = vi.fn()
  await operatorAction(Input, verb)({ name: "x" }).catch(() => {})
  expect(verb).not.toHaveBeenCalled()
  expect(log.info.mock.calls.map(([, fields]) => fields)).toMatchObject([
    { event: "action.refused", code, reason: "operate" },
  ])
})

test("anything else becomes a fixed text with a request id, logged once with its cause", async () => {
  const cause = new Error("relation api_key, value svcd_secret")
  const result = await userAction(Input, async () => {
    throw cause
  })({ name: "x" })
  expect(result).toEqual({
    ok: false,
    error: {
      code: "internal_error",
      message: "Something failed on our side. Try again.",
      requestId: expect.stringMatching(/^req_[0-9a-z]{26}$/),
    },
  })
  expect(log.error).toHaveBeenCalledOnce()
  expect(log.error.mock.calls[0]?.[1]).toMatchObject({ cause, requestId: !result.ok && result.error.requestId })
  expect(nextRequest.refreshed).toEqual([])
})

test("what Next throws to redirect passes through", async () => {
  const { redirect } = await import("next/navigation")
  const action = userAction(Input, async () => redirect("/keys"))
  await expect(action({ name: "x" })).rejects.toThrow("NEXT_REDIRECT")
})

test("a tab that shows another account than the session changes nothing", async () => {
  const verb = vi.fn(async () => null)
  nextRequest.headers.set("x-svc-account", "b")
  expect(await userAction(Input, verb)({ name: "CI" })).toEqual({
    ok: false,
    error: {
      code: "account_switched",
      message: "This tab shows another account than the one you switched to. Nothing was done. Reload the page.",
    },
  })
  expect(verb).not.toHaveBeenCalled()
  nextRequest.headers.set("x-svc-account", "a")
  expect(await userAction(Input, verb)({ name: "CI" })).toMatchObject({ ok: true })
})
