import { expect, test } from "vitest"
import { lookAtAccount } from "@/lib/server/audit/look-at-account"
import { type AccountActor, OPERATOR, systemFor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { accountSender, adminSender, operatorToken } from "@/test/admin-api"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { createAccountToken } from "../accounts/account-tokens"
import { listAudit, listAuditForward } from "./list-audit"
import { listServiceAuditForward } from "./list-service-audit"
import { recordAudit } from "./record-audit"

const app = await testRuntime()

const record = (actor: AccountActor, detail: string) => recordAudit(app.pool, actor, { action: "key.create", detail })

/** Reads an export to its end. Returns the details of its lines, and the cursor after it. */
async function readOn(actor: AccountActor, after: string): Promise<{ details: (string | null)[]; after: string }> {
  const lines = await listAuditForward(runtime(), actor, { after })
  return { details: lines.map(({ detail }) => detail), after: lines.at(-1)?.id ?? after }
}

/** Begins a transaction that writes an entry. Returns a function that ends it. */
async function open(actor: AccountActor, detail: string): Promise<(how: "COMMIT" | "ROLLBACK") => Promise<void>> {
  const client = await app.pool.connect()
  await client.query("BEGIN")
  await recordAudit(client, actor, { action: "key.create", detail })
  return async (how) => {
    await client.query(how)
    client.release()
  }
}

test("two transactions that commit in the other order are both exported, in the order of their ids", async () => {
  const actor = await signUp()
  const start = await readOn(actor, "0")
  const endFirst = await open(actor, "first")
  const endSecond = await open(actor, "second")
  await endSecond("COMMIT")
  const during = await readOn(actor, start.after)
  expect(during).toEqual({ details: [], after: start.after })
  expect(await listServiceAuditForward(runtime(), OPERATOR, { after: start.after })).toEqual([])
  await endFirst("COMMIT")
  expect((await readOn(actor, during.after)).details).toEqual(["first", "second"])
})

test("an entry before an open transaction is exported at once, and one that is rolled back holds nothing back", async () => {
  const actor = await signUp()
  const start = await readOn(actor, "0")
  await record(actor, "before")
  const end = await open(actor, "never")
  await record(actor, "after")
  const during = await readOn(actor, start.after)
  expect(during.details).toEqual(["before"])
  await end("ROLLBACK")
  expect((await readOn(actor, during.after)).details).toEqual(["after"])
})

test("a transaction that begins after later ids holds nothing back that was there before", async () => {
  const actor = await signUp()
  const start = await readOn(actor, "0")
  await record(actor, "before")
  await inTransaction(app.pool, async (client) => {
    // As if others took five ids after the export read the last one, and this transaction began then.
    const later =
      "SELECT pg_advisory_xact_lock_shared(7315023, (pg_sequence_last_value('audit_event_number') + 5)::int)"
    await client.query(later)
    expect((await readOn(actor, start.after)).details).toEqual(["before"])
  })
})

test("a transaction of many entries takes one lock, and is exported whole", async () => {
  const actor = await signUp()
  const start = await readOn(actor, "0")
  await inTransaction(app.pool, async (client) => {
    for (let i = 0; i < 50; i++) await recordAudit(client, actor, { action: "key.create", detail: `${i}` })
    const { rows } = await client.query(
      "SELECT count(*)::int AS locks FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()",
    )
    expect(rows).toEqual([{ locks: 1 }])
    expect((await readOn(actor, start.after)).details).toEqual([])
  })
  expect((await readOn(actor, start.after)).details).toHaveLength(50)
})

test("concurrent writers and a reader that never waits lose and repeat nothing", async () => {
  const actor = await signUp()
  let { after } = await readOn(actor, "0")
  const read: (string | null)[] = []
  let isOver = false
  const reader = (async () => {
    for (let isLast = false; !isLast; ) {
      isLast = isOver
      const page = await readOn(actor, after)
      after = page.after
      read.push(...page.details)
    }
  })()
  const writer = async (name: string) => {
    for (let i = 0; i < 25; i++)
      await inTransaction(app.pool, async (client) => {
        await recordAudit(client, actor, { action: "key.create", detail: `${name}${i}` })
        await client.query("SELECT pg_sleep(random() / 100)")
      })
  }
  const names = ["a", "b", "c", "d", "e", "f"]
  await Promise.all(names.map(writer))
  isOver = true
  await reader
  expect(read.toSorted()).toEqual(
    names.flatMap((name) => Array.from({ length: 25 }, (_, i) => `${name}${i}`)).toSorted(),
  )
})

test("both APIs return JSON Lines that continue after an id and equal the log", async () => {
  const actor = await signUp()
  const made = await createAccountToken(runtime(), actor, { name: "SIEM", expiresAt: null, rights: ["audit.read"] })
  const send = accountSender(made.token)
  const all = await send("GET", "/audit/export")
  expect(all.headers.get("content-type")).toBe("application/jsonl")
  const pages = []
  for (let after = "0"; ; after = pages.at(-1).id) {
    const { body } = await send("GET", `/audit/export?limit=1&after=${after}`)
    if (body.length === 0) break
    pages.push(...body)
  }
  expect(pages).toEqual(all.body)
  const { lines } = await listAudit(runtime(), actor)
  expect(all.body.map(({ id, action }: { id: string; action: string }) => [id, action])).toEqual(
    lines.toReversed().map(({ id, action }) => [id, action]),
  )
  const service = adminSender((await operatorToken("SIEM")).token)
  const account = publicId("acc", actor.accountId)
  const byOperator = await service("GET", `/audit/export?account=${account}`)
  expect(byOperator.body.map(({ id }: { id: string }) => id)).toEqual(lines.toReversed().map(({ id }) => id))
  expect(new Set(byOperator.body.map((line: { account_id: string }) => line.account_id))).toEqual(new Set([account]))
  for (const wrong of ["after=x", "limit=0", "limit=1001", "show=all"])
    expect((await send("GET", `/audit/export?${wrong}`)).status).toBe(400)
})

test("an export has no entry of another account", async () => {
  const [mine, theirs] = [await signUp(), await signUp()]
  await record(theirs, "theirs")
  await record(mine, "mine")
  const { details } = await readOn(mine, "0")
  expect(details).toContain("mine")
  expect(details).not.toContain("theirs")
})

test("audit.recorded reports each entry once, without details, notes and the entries that are hidden", async () => {
  const actor = await signUp()
  await createEndpoint(runtime(), actor, { url: "https://hooks.example.com/", events: ["audit.recorded"] })
  const queued = async () => {
    const { rows } = await app.pool.query<{ body: string }>(
      "SELECT body FROM webhook_delivery WHERE account_id = $1 ORDER BY created_at",
      [actor.accountId],
    )
    return rows.map(({ body }) => JSON.parse(body).data)
  }
  const before = (await queued()).length
  const top = "top_01k3tfa2c4e6g8j0m2p4r6t8v2"
  await recordAudit(app.pool, systemFor(actor.accountId), {
    action: "topup.refund",
    subject: `${top} a secret note`,
    detail: "a secret detail",
  })
  const account_id = publicId("acc", actor.accountId)
  const [entry] = (await listAudit(runtime(), actor)).lines
  expect((await queued()).slice(before)).toEqual([
    { account_id, entry_id: entry?.id, action: "topup.refund", subject: top },
  ])
  await lookAtAccount(runtime(), OPERATOR, { id: account_id, page: "/usage" })
  expect((await queued()).at(-1)).toMatchObject({ action: "account.look", subject: null })
  const count = (await queued()).length
  const hidden = { ...runtime(), env: { ...runtime().env, OPERATOR_LOOKS: "hidden" as const } }
  await lookAtAccount(hidden, OPERATOR, { id: account_id, page: "/keys" })
  expect(await queued()).toHaveLength(count)
  expect((await listAuditForward(hidden, actor)).map(({ action }) => action)).not.toContain("account.look")
})
