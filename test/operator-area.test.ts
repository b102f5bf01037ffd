import { readdirSync } from "node:fs"
import path from "node:path"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { HANDLERS } from "@/e2e/support/route-table"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { type InvitedRole, type OperatorRole, operatorHas, type Right } from "@/lib/shared/accounts/roles"
import { PAGE_LIST } from "@/lib/shared/pages"
import { testRuntime } from "./database"
import { insertKey } from "./insert-rows"
import { listActions, pageFiles } from "./list-routes"
import { nextRequest } from "./next-request"
import { signedInAt, signUp } from "./sign-up"
import { ACTIONS } from "./verb-register"

vi.hoisted(() => {
  process.env.__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS = "true"
})
vi.mock("@/lib/server/auth/actor-of-cookies", async (original) =>
  (await import("./next-request")).mockSessionStore(original),
)
vi.mock("next/headers", async (original) => (await import("./next-request")).mockHeaders(original))
vi.mock("next/cache", async (original) => (await import("./next-request")).mockCache(original))

const FORBIDDEN = "NEXT_HTTP_ERROR_FALLBACK;403"
const NOT_FOUND = "NEXT_HTTP_ERROR_FALLBACK;404"
const AREA = path.join(import.meta.dirname, "../app/(console)/operator")

await testRuntime({ OPERATOR_EMAILS: "operator@example.com" })
const operator = await signUp("operator@example.com", "192.0.2.1")
const owner = await signUp("owner@example.com")
const { keyId } = await insertKey(owner.accountId)
const late: UserActor = {
  ...operator,
  confirmedAtMs: { ...signedInAt(Date.now()), operator: Date.now() - 86_400_001 },
}

/** Every page of the area: its address and its file. */
const pages = Object.entries(pageFiles()).filter(([address]) => /^\/operator(?:\/|$)/.test(address))
const actions = listActions().filter((name) => name.startsWith("app/(console)/operator/"))

/** Pages that a confirmed operator does not see: the confirmation itself, and the request that the account did not send. */
const ENDS: Record<string, unknown> = {
  "/operator/confirm": expect.stringMatching(/^NEXT_REDIRECT/),
  "/operator/accounts/[id]/requests/[req]": NOT_FOUND,
}

const digestOf = async (work: () => Promise<unknown>): Promise<unknown> =>
  work().then(
    () => "no error",
    (error: { digest?: string }) => error.digest ?? error,
  )

async function openPage(file: string, search: Record<string, string> = {}): Promise<unknown> {
  const { default: Page } = await import(/* @vite-ignore */ file)
  const { accountId } = owner
  const params = Promise.resolve({ id: publicId("acc", accountId), key: publicId("key", keyId), req: newId() })
  return Page({ params, searchParams: Promise.resolve(search) })
}

async function callAction(name: string): Promise<unknown> {
  const [file = "", action = ""] = name.split(/ (?=\w+$)/)
  const module = await import(/* @vite-ignore */ `../${file}`)
  return module[action](ACTIONS[name]?.[1](publicId("acc", owner.accountId)))
}

const auditCount = async () =>
  Number((await runtime().pool.query("SELECT count(*) FROM audit_event WHERE actor LIKE 'operator%'")).rows[0].count)

beforeEach(() => {
  nextRequest.actor = null
})

test("the tables have every page and action of the area, which has no route handler, default or template", () => {
  expect(pages.length).toBeGreaterThan(2)
  const declared = PAGE_LIST.filter(({ access }) => access === "operator").map(({ path: address }) => address)
  expect(pages.map(([address]) => address).toSorted()).toEqual(declared.toSorted())
  expect(actions.filter((name) => !(name in ACTIONS))).toEqual([])
  // A route handler would need a check of its own here.
  expect(Object.keys(HANDLERS).filter((route) => route.includes("/operator"))).toEqual([])
  const files = readdirSync(AREA, { recursive: true, encoding: "utf8" }).map((file) => path.basename(file))
  expect(files.filter((file) => /^(?:route|default|template)\./.test(file))).toEqual([])
})

describe.each([
  ["a signed-out visitor", null],
  ["the owner of the account that the address names", owner],
  ["a user whose address only begins like an operator's", { ...owner, email: "operator@example.com.evil.example" }],
])("%s", (_who, actor) => {
  test.each(pages)("gets 404 at %s", async (_address, file) => {
    nextRequest.actor = actor
    expect(await digestOf(() => openPage(file))).toBe(NOT_FOUND)
  })

  test.each(actions)("gets 404 for %s, which leaves no audit entry of an operator", async (name) => {
    nextRequest.actor = actor
    const before = await auditCount()
    expect(await digestOf(() => callAction(name))).toBe(NOT_FOUND)
    expect(await auditCount()).toBe(before)
  })

  test("gets 404 from the area's layout", async () => {
    nextRequest.actor = actor
    const { default: Layout } = await import("../app/(console)/operator/layout")
    expect(await digestOf(() => Layout({ children: null }))).toBe(NOT_FOUND)
  })
})

describe("an operator who signed in more than 24 hours ago", () => {
  test.each(pages.filter(([address]) => address !== "/operator/confirm"))(
    "is redirected from %s to a confirmation",
    async (_address, file) => {
      nextRequest.actor = late
      expect(await digestOf(() => openPage(file))).toMatch(
        /^NEXT_REDIRECT;[a-z]+;\/operator\/confirm\?next=%2Foperator/,
      )
    },
  )

  test.each(actions)("cannot use %s", async (name) => {
    nextRequest.actor = late
    const before = await auditCount()
    expect(await callAction(name)).toMatchObject({ ok: false, error: { code: "confirmation_required" } })
    expect(await auditCount()).toBe(before)
  })
})

/** What a role may not open, and what it may do. An admin may everything. */
const ROLES = {
  support: { hidden: ["/operator/credits", "/operator/operators", "/operator/tokens"], may: [] },
  finance: {
    hidden: ["/operator/operators", "/operator/tokens"],
    may: [
      "accounts/actions.ts adjustBalanceAction",
      "actions.ts verifyLedgerAction",
      "allowances/actions.ts endAllowanceAction",
      "allowances/actions.ts setAllowanceAction",
      "credits/actions.ts creditAccountsAction",
      "payments/actions.ts endTopupAction",
      "payments/actions.ts reconcilePaymentsAction",
      "payments/actions.ts refreshTopupAction",
      "payments/actions.ts refundTopupAction",
      "payments/actions.ts settleTopupAction",
    ],
  },
  admin: { hidden: [], may: actions.map((name) => name.slice("app/(console)/operator/".length)) },
}

describe.each(Object.entries(ROLES))("an operator with the role %s", (role, { hidden, may }) => {
  const actor = role === "admin" ? operator : { ...owner, operatorRole: role as InvitedRole }

  test("opens exactly these pages", async () => {
    nextRequest.actor = actor
    const refused: string[] = []
    for (const [address, file] of pages) {
      const seen = await digestOf(() => openPage(file))
      if (seen === FORBIDDEN) refused.push(address)
      else expect([address, seen]).toEqual([address, ENDS[address] ?? "no error"])
    }
    expect(refused.toSorted()).toEqual(hidden)
    const declared = PAGE_LIST.filter(({ access, right }) => access === "operator" && right !== undefined)
    const lacking = declared.filter(({ right }) => !operatorHas(role as OperatorRole, right as Right))
    expect(lacking.map(({ path: address }) => address)).toEqual(hidden)
  })

  test("uses exactly these actions, and leaves no audit entry with any other", async () => {
    nextRequest.actor = actor
    const used: string[] = []
    for (const name of actions) {
      const before = await auditCount()
      const result = (await callAction(name)) as { error?: { code: string; message: string } }
      const isRefused = result.error?.code === "forbidden" && result.error.message.startsWith("Only ")
      if (isRefused) expect([name, await auditCount()]).toEqual([name, before])
      else used.push(name.slice("app/(console)/operator/".length))
    }
    expect(used).toEqual(may)
  })
})

test("a confirmed operator sees every page, and is redirected from the confirmation", async () => {
  nextRequest.actor = operator
  for (const [address, file] of pages) {
    const seen = await digestOf(() => openPage(file))
    expect([address, seen]).toEqual([address, ENDS[address] ?? "no error"])
  }
})

test.each(["/operator/payments", "/operator/mail", "/operator/audit"])(
  "%s for one account is an entry of the account's audit log, and leaves none for an unknown one",
  async (address) => {
    nextRequest.actor = operator
    const file = pages.find(([path]) => path === address)?.[1] ?? ""
    await openPage(file, { account: publicId("acc", newId()) })
    const customer = await signUp()
    await openPage(file, { account: publicId("acc", customer.accountId) })
    const { rows } = await runtime().pool.query(
      "SELECT account_id, actor FROM audit_event WHERE action = 'account.look' AND detail = $1",
      [address],
    )
    expect(rows).toEqual([{ account_id: customer.accountId, actor: `operator:${operator.userId}` }])
  },
)
