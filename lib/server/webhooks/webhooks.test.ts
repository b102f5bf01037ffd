import { Webhook } from "standardwebhooks"
import { beforeEach, describe, expect, it } from "vitest"
import { watchCrossings } from "@/lib/server/billing/watch-crossings"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { moveAlias } from "@/lib/server/models/alias"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { deliverWebhooks } from "./deliver"
import { listDeliveries, resendDelivery, testEndpoint } from "./deliveries"
import { createEndpoint, deleteEndpoint, listEndpoints, rotateSecret } from "./endpoints"
import { renewWebhookSecrets } from "./secret"
import type { WebhookReply } from "./webhook-client"

const USD = 1_000_000_000_000n
const URL_A = "https://hooks.example.com/a"

interface Sent {
  url: string
  headers: Record<string, string>
  body: string
}

let sent: Sent[] = []
let reply: WebhookReply = { status: 204, fault: null }
const runtime = await testRuntime()
await openCatalogue(runtime)
await watchCrossings(runtime)
const webhooks = {
  post: async (url: string, headers: Record<string, string>, body: string) => {
    sent.push({ url, headers, body })
    return reply
  },
  close: async () => {},
}
Object.assign(runtime, { webhooks })
beforeEach(async () => {
  await runtime.pool.query("DELETE FROM webhook_delivery; DELETE FROM webhook_endpoint")
  sent = []
  reply = { status: 204, fault: null }
})

let sources = 0
const post = (actor: UserActor, kind: "credit" | "debit", usd: bigint) =>
  postEntry(runtime.pool, { accountId: actor.accountId, kind, amountPico: pico(usd * USD), source: `w${++sources}` })
const add = (actor: UserActor, events: ("balance.low" | "alias.moved" | "key.limit_reached")[] = ["balance.low"]) =>
  createEndpoint(runtime, actor, { url: URL_A, events })
const dueNow = () => runtime.pool.query("UPDATE webhook_delivery SET next_at = now() WHERE next_at IS NOT NULL")
/** Verifies with the reference library of Standard Webhooks. Throws when the signature is wrong or old. */
const verify = (secret: string, { body, headers }: Sent) => new Webhook(secret).verify(body, headers)

/** Lets the balance of a new account fall below its warning. */
async function crossing(): Promise<{ actor: UserActor; secret: string }> {
  const actor = await signUp()
  const { secret } = await add(actor)
  await post(actor, "credit", 6n)
  await watchCrossings(runtime)
  await post(actor, "debit", -3n)
  return { actor, secret }
}

describe("a low balance", () => {
  it("is delivered once, signed as Standard Webhooks, though several servers watch and send", async () => {
    const { actor, secret } = await crossing()
    await Promise.all([watchCrossings(runtime), watchCrossings(runtime), watchCrossings(runtime)])
    await Promise.all([deliverWebhooks(runtime), deliverWebhooks(runtime), deliverWebhooks(runtime)])
    await deliverWebhooks(runtime)
    expect(sent).toHaveLength(1)
    const [first] = sent as [Sent]
    expect(first.url).toBe(URL_A)
    expect(first.headers["webhook-id"]).toMatch(/^msg_[0-9a-z]{26}$/)
    expect(verify(secret, first)).toEqual({
      type: "balance.low",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      data: {
        account_id: publicId("acc", actor.accountId),
        balance_usd: "4.000000000000",
        threshold_usd: "5.000000000000",
      },
    })
    const other = await add(await signUp())
    expect(() => verify(other.secret, first)).toThrow("No matching signature")
    expect(() => verify(secret, { ...first, body: first.body.replace("4.0", "5.0") })).toThrow("No matching signature")
    expect(await listDeliveries(runtime, actor)).toMatchObject([
      { state: "delivered", status: 204, type: "balance.low", attempts: 1 },
    ])
  })

  it("is sent again later with the same id after a failure, and given up after 50 attempts", async () => {
    const { actor } = await crossing()
    await watchCrossings(runtime)
    reply = { status: 500, fault: null }
    await deliverWebhooks(runtime)
    await deliverWebhooks(runtime)
    expect(sent).toHaveLength(1)
    expect(await listDeliveries(runtime, actor)).toMatchObject([{ state: "waiting", status: 500 }])
    reply = { status: null, fault: "timeout" }
    await runtime.pool.query("UPDATE webhook_delivery SET next_at = now(), attempts = 49")
    await deliverWebhooks(runtime)
    expect(new Set(sent.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    const [given] = await listDeliveries(runtime, actor)
    expect(given).toMatchObject({ state: "given_up", status: null, fault: "network", attempts: 50 })
    reply = { status: 200, fault: null }
    await resendDelivery(runtime, actor, { id: given?.id ?? "" })
    await deliverWebhooks(runtime)
    expect(sent).toHaveLength(3)
    expect(sent[2]?.headers["webhook-id"]).toBe(sent[0]?.headers["webhook-id"])
    expect(await listDeliveries(runtime, actor)).toMatchObject([{ state: "delivered" }])
  })

  it("is delivered again with the same id when the process ends before it records the delivery", async () => {
    await crossing()
    await watchCrossings(runtime)
    const { pool } = runtime
    const died = {
      query: (sql: string, values: unknown[]) =>
        /SET tried_at/.test(sql) ? Promise.reject(new Error("killed")) : pool.query(sql, values),
    }
    Object.assign(runtime, { pool: died })
    await expect(deliverWebhooks(runtime)).rejects.toThrow("killed")
    Object.assign(runtime, { pool })
    await deliverWebhooks(runtime)
    expect(sent).toHaveLength(1)
    await dueNow()
    await deliverWebhooks(runtime)
    await deliverWebhooks(runtime)
    expect(sent.map(({ headers }) => headers["webhook-id"])).toEqual(Array(2).fill(sent[0]?.headers["webhook-id"]))
  })
})

describe("a moved alias", () => {
  it("is delivered to the endpoints that want it, of every active account", async () => {
    const [one, two, other] = [await signUp(), await signUp(), await signUp()]
    await add(one, ["alias.moved"])
    await add(two, ["alias.moved", "balance.low"])
    await add(other, ["balance.low"])
    await runtime.pool.query(
      "INSERT INTO alias_use (alias_id, account_id, last_used_at) VALUES ($1, $2, now()), ($1, $3, now() - interval '31 days')",
      [ALIAS, other.accountId, two.accountId],
    )
    const model = await insertModel("moved-hook-1")
    const { rows } = await runtime.pool.query("SELECT target_id FROM model WHERE id = $1", [ALIAS])
    await moveAlias(runtime, OPERATOR, { toId: model })
    await moveAlias(runtime, OPERATOR, { toId: model })
    await deliverWebhooks(runtime)
    expect(sent.map(({ body }) => JSON.parse(body).data)).toEqual(
      Array(2).fill({ alias: ALIAS, from: rows[0].target_id, to: model }),
    )
    // Mails go to the accounts that sent the alias in the last 30 days.
    const mails = await runtime.pool.query("SELECT user_id, facts FROM queued_mail WHERE kind = 'alias_moved'")
    expect(mails.rows).toEqual([{ user_id: other.userId, facts: { alias: ALIAS, from: rows[0].target_id, to: model } }])
  })
})

describe("an endpoint", () => {
  it("shows its secret once, and the database holds it only encrypted", async () => {
    const actor = await signUp()
    const { id, secret } = await add(actor)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(JSON.stringify(await listEndpoints(runtime, actor))).not.toContain(secret)
    const { rows } = await runtime.pool.query("SELECT secret FROM webhook_endpoint WHERE id = $1", [
      parsePublicId("whe", id),
    ])
    expect(rows[0].secret.includes(Buffer.from(secret.slice(6), "base64"))).toBe(false)
  })

  it("names its creator, and is mailed to the owners when a member adds it", async () => {
    const owner = await signUp("owner@webhooks.example")
    const developer = await signUp("developer@webhooks.example")
    const { accountId } = owner
    await runtime.pool.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, 'developer')", [
      accountId,
      developer.userId,
    ])
    await add({ ...developer, accountId, role: "developer" })
    expect(await listEndpoints(runtime, owner)).toMatchObject([{ createdBy: "developer@webhooks.example" }])
    const { rows } = await runtime.pool.query(
      "SELECT user_id FROM queued_mail WHERE kind = 'webhook_created' AND account_id = $1",
      [accountId],
    )
    expect(rows).toEqual([{ user_id: owner.userId }])
  })

  it("signs with the old and the new secret for a day after a rotation, then with the new one", async () => {
    const actor = await signUp()
    const { id, secret } = await add(actor)
    const rotated = await rotateSecret(runtime, actor, { id })
    await testEndpoint(runtime, actor, { id })
    await deliverWebhooks(runtime)
    const [both] = sent as [Sent]
    expect(both.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/)
    expect([verify(secret, both), verify(rotated.secret, both)]).toMatchObject([
      { type: "webhook.test" },
      { type: "webhook.test" },
    ])
    await runtime.pool.query("UPDATE webhook_endpoint SET previous_until = now()")
    await testEndpoint(runtime, actor, { id })
    await deliverWebhooks(runtime)
    expect(() => verify(secret, sent[1] as Sent)).toThrow("No matching signature")
    expect(verify(rotated.secret, sent[1] as Sent)).toMatchObject({ type: "webhook.test" })
  })

  it("survives a rotation of AUTH_SECRET, and reports the fault when the old AUTH_SECRET is lost", async () => {
    const actor = await signUp()
    const { id, secret } = await add(actor)
    const { env } = runtime
    const other = "another-secret-of-32-characters-or-more"
    Object.assign(runtime, { env: { ...env, AUTH_SECRET: other, AUTH_SECRET_PREVIOUS: env.AUTH_SECRET } })
    await testEndpoint(runtime, actor, { id })
    await deliverWebhooks(runtime)
    expect(verify(secret, sent[0] as Sent)).toMatchObject({ type: "webhook.test" })
    Object.assign(runtime, { env: { ...env, AUTH_SECRET: other } })
    await testEndpoint(runtime, actor, { id })
    await deliverWebhooks(runtime)
    Object.assign(runtime, { env })
    expect(sent).toHaveLength(1)
    expect((await listDeliveries(runtime, actor))[0]).toMatchObject({ state: "waiting", fault: "secret" })
  })

  it("is encrypted again during a rotation of AUTH_SECRET, so that the old AUTH_SECRET is no longer needed", async () => {
    const actor = await signUp()
    const { id, secret } = await add(actor)
    const rotated = await rotateSecret(runtime, actor, { id })
    const lost = await add(actor)
    await runtime.pool.query("UPDATE webhook_endpoint SET secret = $2 WHERE id = $1", [
      parsePublicId("whe", lost.id),
      Buffer.alloc(60),
    ])
    const { env } = runtime
    const other = "another-secret-of-32-characters-or-more"
    Object.assign(runtime, { env: { ...env, AUTH_SECRET: other, AUTH_SECRET_PREVIOUS: env.AUTH_SECRET } })
    expect([await renewWebhookSecrets(runtime), await renewWebhookSecrets(runtime)]).toEqual([2, 0])
    Object.assign(runtime, { env: { ...env, AUTH_SECRET: other } })
    await testEndpoint(runtime, actor, { id })
    await deliverWebhooks(runtime)
    Object.assign(runtime, { env })
    for (const one of [secret, rotated.secret])
      expect(verify(one, sent[0] as Sent)).toMatchObject({ type: "webhook.test" })
  })

  it("of another account cannot be tested, rotated, deleted or read", async () => {
    const [actor, other] = [await signUp(), await signUp()]
    const { id } = await add(actor)
    await testEndpoint(runtime, actor, { id })
    const [delivery] = await listDeliveries(runtime, actor)
    await deliverWebhooks(runtime)
    for (const verb of [testEndpoint, rotateSecret, deleteEndpoint])
      await expect(verb(runtime, other, { id })).rejects.toMatchObject({ code: "not_found" })
    await expect(resendDelivery(runtime, other, { id: delivery?.id ?? "" })).rejects.toMatchObject({
      code: "not_found",
    })
    expect([await listEndpoints(runtime, other), await listDeliveries(runtime, other)]).toEqual([[], []])
    await deleteEndpoint(runtime, actor, { id })
    expect([await listEndpoints(runtime, actor), await listDeliveries(runtime, actor)]).toEqual([[], []])
  })

  it.each(["address", "name", "certificate", "timeout", "connection"] as const)(
    "does not show its members that the fault is the %s",
    async (fault) => {
      const actor = await signUp()
      const { id } = await add(actor)
      reply = { status: null, fault }
      await testEndpoint(runtime, actor, { id })
      await deliverWebhooks(runtime)
      const [delivery] = await listDeliveries(runtime, actor)
      expect(delivery).toMatchObject({ state: "waiting", status: null, fault: "network", attempts: 1 })
      const { rows } = await runtime.pool.query(
        "SELECT last_fault FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id WHERE e.account_id = $1",
        [actor.accountId],
      )
      expect(rows).toEqual([{ last_fault: "network" }])
    },
  )

  it("shows one text for every fault that an earlier release stored", async () => {
    const actor = await signUp()
    const { id } = await add(actor)
    for (const fault of ["address", "timeout", "secret"]) {
      await testEndpoint(runtime, actor, { id })
      await runtime.pool.query("UPDATE webhook_delivery SET last_fault = $1 WHERE last_fault IS NULL", [fault])
    }
    const shown = await listDeliveries(runtime, actor)
    expect(shown.map(({ fault }) => fault).sort()).toEqual(["network", "network", "secret"])
  })

  it("is limited to five per account, and to 30 messages by hand an hour", async () => {
    const actor = await signUp()
    const { id } = await add(actor)
    for (let i = 0; i < 4; i++) await add(actor)
    await expect(add(actor)).rejects.toMatchObject({ code: "rate_limited" })
    const sent = await Promise.allSettled(Array.from({ length: 40 }, () => testEndpoint(runtime, actor, { id })))
    expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(30)
    await expect(testEndpoint(runtime, actor, { id })).rejects.toMatchObject({ code: "rate_limited" })
  })
})
