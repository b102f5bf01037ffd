import { beforeEach, describe, expect, it, vi } from "vitest"
import { returnPath } from "@/lib/server/auth/return-path"
import { watchCrossings, watchLateCrossings } from "@/lib/server/billing/watch-crossings"
import { createKey } from "@/lib/server/keys/create-key"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import { createEndpoint } from "@/lib/server/webhooks/endpoints"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { keepMails } from "@/test/keep-mails"
import { signUp } from "@/test/sign-up"
import { NOTICE_KINDS, NOTICES, writeNotice } from "./notices"
import { countQueuedMail, sendQueuedMail } from "./send-queued"

const USD = 1_000_000_000_000n

let mails: ReturnType<typeof keepMails>
const runtime = await testRuntime()
await watchCrossings(runtime)
await watchLateCrossings(runtime)
beforeEach(async () => {
  await runtime.pool.query("DELETE FROM queued_mail")
  mails = keepMails()
  vi.unstubAllEnvs()
})

let sources = 0
const post = (actor: UserActor, kind: "credit" | "topup" | "debit", usd: bigint) =>
  postEntry(runtime.pool, {
    accountId: actor.accountId,
    kind,
    amountPico: pico(usd * USD),
    source: `s${++sources}`,
  })

/** Sends what is due, and returns the subjects of the mails to this address. */
async function mailsTo({ email }: UserActor): Promise<string[]> {
  await sendQueuedMail(runtime)
  return mails.sent.filter(({ to }) => to === email).map(({ subject }) => subject)
}

describe("the balance", () => {
  it("that falls to 5 USD is mailed once, and again after it was above", async () => {
    const actor = await signUp("low@example.com")
    await post(actor, "credit", 6n)
    await watchCrossings(runtime)
    await post(actor, "debit", -2n)
    await Promise.all([watchCrossings(runtime), watchCrossings(runtime), watchCrossings(runtime)])
    await post(actor, "debit", -1n)
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toEqual(["Low balance: $5.00 left · localhost:3000"])
    await post(actor, "credit", 3n)
    await watchCrossings(runtime)
    await post(actor, "debit", -3n)
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toHaveLength(2)
  })

  it("is compared with a tenth of the last top-up, or with the amount that an owner chose", async () => {
    const actor = await signUp("tenth@example.com")
    await post(actor, "topup", 100n)
    await watchCrossings(runtime)
    await post(actor, "debit", -90n)
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toEqual([])
    await post(actor, "debit", -1n)
    await watchCrossings(runtime)
    expect(mails.sent).toEqual([])
    expect(await mailsTo(actor)).toEqual(["Low balance: $10.00 left · localhost:3000"])
    expect(mails.sent[0]?.text).toContain("which is at or below your warning of $10.00")
    await runtime.pool.query("UPDATE account SET low_balance_pico = 2000000000000 WHERE id = $1", [actor.accountId])
    await post(actor, "debit", -1n)
    await watchCrossings(runtime)
    await post(actor, "debit", -7n)
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toHaveLength(2)
  })

  it("below zero is mailed as such", async () => {
    const actor = await signUp("debt@example.com")
    await post(actor, "credit", 9n)
    await watchCrossings(runtime)
    await post(actor, "debit", -12n)
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toEqual(["Requests are refused: the balance is −$2.00 · localhost:3000"])
  })

  it("whose entry became visible late is mailed by the check that runs every minute", async () => {
    const actor = await signUp("late@example.com")
    await post(actor, "credit", 6n)
    await watchCrossings(runtime)
    await post(actor, "debit", -2n)
    await runtime.pool.query("UPDATE job_mark SET done_until = ledger_now() WHERE name = 'crossings'")
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toEqual([])
    await watchLateCrossings(runtime)
    expect(await mailsTo(actor)).toEqual(["Low balance: $5.00 left · localhost:3000"])
  })

  it("of a new account, which was never above its warning, is not mailed", async () => {
    const actor = await signUp("new@example.com")
    await post(actor, "debit", -1n)
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toEqual([])
  })
})

describe("a key", () => {
  async function spend({ accountId }: UserActor, key: string, usd: string): Promise<void> {
    const id = newId()
    const modelId = await insertModel("mail-test-1")
    await runtime.pool.query("UPDATE model SET price_pico = 1000000000 WHERE id = $1", [modelId])
    const tokens = Number(usd) * 1_000
    const payer = { accountId, keyId: parsePublicId("key", key) ?? "" }
    await placeHold(runtime, { id, actor: payer, modelId, pricePico: pico(1_000_000_000n), maxTokens: tokens })
    await capture(runtime, { id, accountId }, { tokens, latencyMs: 5, questionCounts: { noul: 1 } })
  }

  it("that spent 80% and then all of its limit is mailed once for each", async () => {
    const actor = await signUp("limit@example.com")
    await post(actor, "credit", 100n)
    const limit = { amountUsd: "10", period: "lifetime" as const }
    const { id } = await createKey(runtime, actor, { name: "Nightly", limit, expiresAt: null })
    const events = ["key.near_limit" as const, "key.limit_reached" as const]
    await createEndpoint(runtime, actor, { url: "https://hooks.example.com/", events })
    await mailsTo(actor)
    mails.sent = []
    await spend(actor, id, "7.999")
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toEqual([])
    await spend(actor, id, "0.001")
    await Promise.all([watchCrossings(runtime), watchCrossings(runtime)])
    expect(await mailsTo(actor)).toEqual(["The key “Nightly” has spent 80% of its limit · localhost:3000"])
    await spend(actor, id, "2")
    await watchCrossings(runtime)
    await watchCrossings(runtime)
    expect((await mailsTo(actor)).slice(1)).toEqual(["The key “Nightly” has reached its limit · localhost:3000"])
    const { rows } = await runtime.pool.query(
      "SELECT body::jsonb - 'timestamp' AS message FROM webhook_delivery ORDER BY created_at",
    )
    const data = {
      account_id: publicId("acc", actor.accountId),
      key_id: id,
      limit_usd: "10.000000000000",
      limit_period: "lifetime",
    }
    expect(rows.map(({ message }) => message)).toEqual([
      { type: "key.near_limit", data },
      { type: "key.limit_reached", data },
    ])
  })

  it("that is created is mailed to an owner, even one who muted such mails", async () => {
    const actor = await signUp("created@example.com")
    await runtime.pool.query("UPDATE member SET muted_mail = '{key_created}' WHERE user_id = $1", [actor.userId])
    await createKey(runtime, actor, {
      name: "Production",
      limit: { amountUsd: "1", period: "daily" },
      expiresAt: null,
    })
    expect(await mailsTo(actor)).toEqual(["A key was created: “Production” · localhost:3000"])
    expect(mails.sent[0]?.text).toMatch(
      /http:\/\/localhost:3000\/open\/acc_[0-9a-z]{26}\?next=%2Fkeys%2Fkey_[0-9a-z]{26}\n/,
    )
  })
})

it("a mail about one of two keys of the same name says its ending", async () => {
  const actor = await signUp("twins@example.com")
  const input = { name: "CI", limit: { amountUsd: "1", period: "daily" as const }, expiresAt: null }
  const [first, second] = [await createKey(runtime, actor, input), await createKey(runtime, actor, input)]
  const endings = [first, second].map(({ token }) => `A key was created: “CI …${token.slice(-4)}” · localhost:3000`)
  expect((await mailsTo(actor)).toSorted()).toEqual(endings.toSorted())
})

describe("a queued mail", () => {
  const crossing = async (email: string) => {
    const actor = await signUp(email)
    await post(actor, "credit", 6n)
    await watchCrossings(runtime)
    await post(actor, "debit", -3n)
    return actor
  }

  it("waits while the mail server is down, and is sent once when it is back", async () => {
    const actor = await crossing("down@example.com")
    await watchCrossings(runtime)
    mails.fails = true
    expect(await mailsTo(actor)).toEqual([])
    mails.fails = false
    expect(await mailsTo(actor)).toEqual([])
    await runtime.pool.query("UPDATE queued_mail SET next_at = now()")
    expect(await mailsTo(actor)).toHaveLength(1)
    await runtime.pool.query("UPDATE queued_mail SET next_at = now() WHERE next_at IS NOT NULL")
    expect(await mailsTo(actor)).toHaveLength(1)
  })

  it("is given up after 50 attempts, and counted", async () => {
    const actor = await crossing("gone@example.com")
    await watchCrossings(runtime)
    mails.fails = true
    await runtime.pool.query("UPDATE queued_mail SET attempts = 49")
    await mailsTo(actor)
    expect(await countQueuedMail(runtime)).toEqual({ waiting: 0, givenUp: 1 })
  })

  it("is sent by one of several servers", async () => {
    const actor = await crossing("servers@example.com")
    await watchCrossings(runtime)
    await Promise.all([sendQueuedMail(runtime), sendQueuedMail(runtime), sendQueuedMail(runtime)])
    expect(await mailsTo(actor)).toHaveLength(1)
    expect(await countQueuedMail(runtime)).toEqual({ waiting: 0, givenUp: 0 })
  })

  it("of a kind that its member muted, or to a user who left the account, is not sent", async () => {
    const actor = await crossing("muted@example.com")
    await runtime.pool.query("UPDATE member SET muted_mail = '{balance_low}' WHERE user_id = $1", [actor.userId])
    await watchCrossings(runtime)
    expect(await mailsTo(actor)).toEqual([])
    const other = await crossing("left@example.com")
    await watchCrossings(runtime)
    await runtime.pool.query("DELETE FROM member WHERE user_id = $1", [other.userId])
    expect(await mailsTo(other)).toEqual([])
    expect(await countQueuedMail(runtime)).toEqual({ waiting: 0, givenUp: 0 })
  })

  it("holds no address, name or link", async () => {
    const actor = await crossing("facts@example.com")
    await watchCrossings(runtime)
    await createKey(runtime, actor, {
      name: "Secret project",
      limit: { amountUsd: "1", period: "daily" },
      expiresAt: null,
    })
    const { rows } = await runtime.pool.query("SELECT to_jsonb(q)::text AS row FROM queued_mail q")
    expect(rows).toHaveLength(2)
    expect(rows.map(({ row }) => row).join()).not.toMatch(/@|http|Secret project/)
  })
})

it.each(NOTICE_KINDS)("the subject of %s has no link, whatever members chose as a name", (kind) => {
  const names = [
    "Free credit: https://evil.example/x",
    "evil.example",
    "EVIL.example/x?y",
    "//evil.example",
    "evil。example",
    "evil.xn--p1ai/login",
    "http:evil.xn--p1ai",
    "1.1.1.1/evil",
  ]
  for (const name of names) {
    const facts = { ...NOTICES[kind].sample, keyName: name, email: "eve@example.org" }
    const at = { consoleUrl: "https://decide.example.com", account: name, accountId: newId() }
    const { title } = writeNotice(kind, facts as never, at)
    expect(title.replace("decide.example.com", "")).not.toMatch(/evil/i)
  }
})

it("the subject of a mail keeps names that are no link", () => {
  const at = { consoleUrl: "https://decide.example.com", account: "ada@example.com", accountId: newId() }
  const named = (keyName: string) => writeNotice("key_created", { keyId: "key_1", keyName }, at).title
  expect(named("Release 1.2, nightly…")).toBe("A key was created: “Release 1.2, nightly…” · decide.example.com")
  const { title } = writeNotice("member_role", { ...NOTICES.member_role.sample, isYou: true }, at)
  expect(title).toBe("You are now a billing member in “ada@example.com” · decide.example.com")
})

it.each(NOTICE_KINDS)("%s says what happened and links to a page of the console, in its account", (kind) => {
  const accountId = "0190b5f4-0000-7000-8000-000000000001"
  const place = { consoleUrl: "https://console.example.com", account: "Acme", accountId }
  const { title, intro, action } = writeNotice(kind, NOTICES[kind].sample as never, place)
  expect(title).toMatch(/^[A-Z$s].{8,60} · console\.example\.com$/)
  expect(intro).not.toMatch(/undefined|NaN|[.:]$/)
  const { origin, pathname, searchParams } = new URL(action.link)
  expect(origin + pathname).toBe(`https://console.example.com/open/${publicId("acc", accountId)}`)
  const next = searchParams.get("next") ?? ""
  const known = next.replace(/key_\w+/, `key_${"0".repeat(26)}`)
  expect(returnPath(known)).toBe(known)
})
