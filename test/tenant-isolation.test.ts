import { expect, test, vi } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import { listSessions } from "@/lib/server/auth/sessions"
import { checkReturn } from "@/lib/server/billing/check-topup"
import { listEntries } from "@/lib/server/billing/entries"
import { getStatement } from "@/lib/server/billing/get-statement"
import { monthOf } from "@/lib/server/billing/months"
import { listTopups } from "@/lib/server/billing/topup"
import { createKey } from "@/lib/server/keys/create-key"
import { findKey, listKeys } from "@/lib/server/keys/read-keys"
import { findKeyOfAccount } from "@/lib/server/keys/verify-key"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { findRequest } from "@/lib/server/usage/find-request"
import { getUsage } from "@/lib/server/usage/get-usage"
import { listDailySpend } from "@/lib/server/usage/list-daily-spend"
import { listRequests } from "@/lib/server/usage/list-requests"
import { listActions } from "./list-routes"
import { chargeTenant, createTenant, refuseTenant } from "./tenant"
import { buy, newOwner, testTopups } from "./topup-fixture"
import { ACTIONS, attempt } from "./verb-register"

const session = vi.hoisted(() => ({ actor: null as unknown }))
vi.mock("@/lib/server/auth/session", () => ({
  findSession: async () => session.actor,
  requireSession: async () => session.actor,
}))
vi.mock("next/cache", () => ({ refresh: () => {} }))
vi.mock("next/headers", () => ({ cookies: async () => ({ set: () => {} }) }))

const NAME = "Zqcanary key"

await testTopups()
const sql = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

async function createOwner() {
  const actor = await newOwner()
  const { id: key } = await createKey(runtime(), actor, { name: NAME, limit: null, expiresAt: null })
  const { rows } = await sql("SELECT id FROM api_key WHERE account_id = $1 AND kind = 'secret'", [actor.accountId])
  const tenant = { actor, keys: [rows[0].id] }
  await sql("SELECT post_entry($1, 'credit', 1000000000000, $2, NULL)", [actor.accountId, `test:${actor.accountId}`])
  await createTenant([])
  const request = await chargeTenant(tenant, rows[0].id, { tokens: 4_321 })
  const refusal = await refuseTenant(tenant, rows[0].id, { at: new Date().toISOString() })
  await sql("INSERT INTO session (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')", [
    actor.sessionId,
    Buffer.from(actor.sessionId),
    actor.userId,
  ])
  const topup = await buy(actor, "76.54")
  const numbers = await sql("SELECT max(id) AS id FROM ledger_entry UNION ALL SELECT max(id) FROM audit_event")
  const playground = await sql("SELECT id FROM api_key WHERE account_id = $1 AND kind = 'playground'", [
    actor.accountId,
  ])
  const payment = "pi_zqcanarypayment"
  await sql("UPDATE topup SET payment_intent_id = $1 WHERE id = $2", [payment, topup.id])
  const keys = [rows[0].id, playground.rows[0].id]
  const ids = [
    actor.accountId,
    ...keys,
    request,
    refusal,
    actor.sessionId,
    topup.id,
    actor.userId,
    topup.sessionId,
    payment,
  ]
  const shown = [
    publicId("acc", actor.accountId),
    key,
    publicId("key", playground.rows[0].id),
    publicId("usr", actor.userId),
    publicId("req", request),
    publicId("req", refusal),
    publicId("ses", actor.sessionId),
    publicId("top", topup.id),
    actor.email,
  ]
  return { actor, topup, key, request, ids: [...ids, ...shown], numbers: numbers.rows.map(({ id }) => String(id)) }
}

const owner = await createOwner()
const other: UserActor = await newOwner()
const privateTexts = [...owner.ids, NAME, "76.54", owner.topup.checkoutUrl]

async function allRows(): Promise<string> {
  const tables = ["account", "api_key", "hold", "ledger_entry", "topup", "audit_event", "member"]
  const of = (table: string) =>
    `SELECT to_jsonb(t) AS row FROM ${table} t WHERE ${table === "account" ? "id" : "account_id"} = $1`
  const own = `SELECT to_jsonb(s) AS row FROM session s WHERE user_id = '${owner.actor.userId}'`
  const { rows } = await sql(`${[...tables.map(of), own].join(" UNION ALL ")} ORDER BY 1`, [owner.actor.accountId])
  return JSON.stringify(rows)
}

const leakedTexts = (value: unknown, id: string): string[] => {
  const json = JSON.stringify(value) ?? ""
  return privateTexts.filter((text) => json.includes(text) && !text.includes(id) && !id.includes(text))
}

test("the table has every action of the console", () => {
  expect(Object.keys(ACTIONS).toSorted()).toEqual(listActions())
})

test.each(Object.entries(ACTIONS))("%s does nothing with another account's id", async (name, row) => {
  session.actor = other
  const [file = "", action = ""] = name.split(/ (?=\w+$)/)
  const actions: Record<string, (...args: unknown[]) => Promise<unknown>> = await import(
    /* @vite-ignore */ `../${file}`
  )
  const before = await allRows()
  for (const id of [...owner.ids, ...owner.numbers]) {
    // The operator's actions do not exist for others, so Next answers with a 404.
    const answer = await actions[action]?.(attempt(row, id)).catch(({ digest }: { digest?: string }) => digest)
    expect(JSON.stringify(answer) ?? "").not.toMatch(/"ok":true|"token"|checkoutUrl/)
    expect(leakedTexts(answer, id)).toEqual([])
  }
  expect(await allRows()).toBe(before)
})

test("reading verbs return no data of another account for its ids", async () => {
  const range = { days: 7 }
  const found: string[] = []
  for (const id of [...owner.ids, ...owner.numbers]) {
    const before = /^\d+$/.test(id) ? id : undefined
    const answers = await Promise.all([
      findKey(runtime(), other, id),
      findRequest(runtime(), other, { id: id.slice(0, 60) }),
      getUsage(runtime(), other, { range, keyId: id.slice(0, 40), by: "key" }),
      listDailySpend(runtime(), other, { days: 7, keyId: id.slice(0, 40) }),
      listRequests(runtime(), other, { range, keyId: id.slice(0, 40) }),
      listEntries(runtime(), other, { before }),
      listAudit(runtime(), other, { before: before ?? null }),
      checkReturn(runtime(), other, { sessionId: id }).catch((error: Error) => error.message),
      findKeyOfAccount(runtime(), other.accountId, /^[0-9a-f-]{36}$/.test(id) ? id : newId()).catch(
        (error: Error) => error.message,
      ),
    ])
    found.push(...answers.flatMap((answer) => leakedTexts(answer, id)))
    expect(answers.slice(0, 2)).toEqual([null, null])
  }
  const alone = await Promise.all([
    listKeys(runtime(), other),
    listSessions(runtime(), other),
    listTopups(runtime(), other),
    getStatement(runtime(), other, { month: monthOf(new Date()) }),
    listRequests(runtime(), other, { range, before: `${Date.now()}000_${owner.request}` }),
  ])
  found.push(...alone.flatMap((answer) => leakedTexts(answer, "nothing")))
  expect(found).toEqual([])
})

test("reading verbs return the data to its owner", async () => {
  const { actor, key, request, topup } = owner
  expect(await findKey(runtime(), actor, key)).toMatchObject({ name: NAME })
  expect(await findRequest(runtime(), actor, { id: publicId("req", request) })).toMatchObject({ keyName: NAME })
  expect((await checkReturn(runtime(), actor, { sessionId: topup.sessionId })).topup).toMatchObject({
    creditUsd: "76.540000000000",
  })
  expect(await listSessions(runtime(), actor)).toHaveLength(1)
  expect((await listEntries(runtime(), actor)).entries).toHaveLength(2)
})
