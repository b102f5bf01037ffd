import { beforeEach, expect, test, vi } from "vitest"
import { closeAccount } from "@/lib/server/closing/close-account"
import { createKey } from "@/lib/server/keys/create-key"
import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { deliverWebhooks } from "./deliver"
import { listDeliveries, testEndpoint } from "./deliveries"
import { addSlackAddress, createEndpoint, listEndpoints, rotateSecret } from "./endpoints"
import { renewWebhookSecrets } from "./secret"
import type { WebhookReply } from "./webhook-client"

const URL = "https://hooks.slack.com/services/T0001/B0001/s3cr3tTokenXyZ9"
const EVENTS = ["balance.low" as const]

const runtime = await testRuntime()
let urls: string[] = []
let reply: WebhookReply = { status: 200, fault: null }
Object.assign(runtime, {
  webhooks: { post: async (url: string) => urls.push(url) && reply, close: async () => {} },
})
beforeEach(async () => {
  await runtime.pool.query("DELETE FROM webhook_delivery; DELETE FROM webhook_endpoint; DELETE FROM queued_mail")
  urls = []
  reply = { status: 200, fault: null }
})

const mailsOf = async ({ userId }: UserActor, like: string) => {
  const { rows } = await runtime.pool.query<{ kind: string }>(
    "SELECT kind FROM queued_mail WHERE user_id = $1 AND kind LIKE $2 ORDER BY created_at",
    [userId, like],
  )
  return rows.map(({ kind }) => kind)
}
const dueNow = (attempts: number) =>
  runtime.pool.query("UPDATE webhook_delivery SET next_at = now(), attempts = $1 WHERE next_at IS NOT NULL", [attempts])

test("a Slack address is stored encrypted, shown by its host and end, and mailed to the owners", async () => {
  const actor = await signUp()
  const added = await addSlackAddress(runtime, actor, { url: URL, events: EVENTS })
  expect(added).toEqual({ id: expect.stringMatching(/^whe_[0-9a-z]{26}$/) })
  const shown = { kind: "slack", url: "https://hooks.slack.com/…XyZ9", createdBy: actor.email, turnedOffAt: null }
  expect(await listEndpoints(runtime, actor)).toMatchObject([shown])
  const { rows } = await runtime.pool.query("SELECT to_jsonb(e)::text AS row, secret FROM webhook_endpoint e")
  expect(rows[0].row).not.toContain("s3cr3t")
  expect(rows[0].secret.includes(Buffer.from("s3cr3t"))).toBe(false)
  expect(await mailsOf(actor, "slack%")).toEqual(["slack_created"])
  await testEndpoint(runtime, actor, added)
  await deliverWebhooks(runtime)
  expect(urls).toEqual([URL])
  expect(await listDeliveries(runtime, actor)).toMatchObject([
    { url: "https://hooks.slack.com/…XyZ9", state: "delivered", status: 200 },
  ])
})

test("a Slack address on a private network is refused, and it has no signing secret to replace", async () => {
  const actor = await signUp()
  await expect(addSlackAddress(runtime, actor, { url: "https://10.0.0.1/hook", events: EVENTS })).rejects.toMatchObject(
    { code: "invalid_request", param: "url" },
  )
  const { id } = await addSlackAddress(runtime, actor, { url: URL, events: EVENTS })
  await expect(rotateSecret(runtime, actor, { id })).rejects.toMatchObject({ code: "not_found" })
})

test("five Slack addresses and five webhooks fit into an account", async () => {
  const actor = await signUp()
  for (let i = 0; i < 5; i++) {
    await addSlackAddress(runtime, actor, { url: URL, events: EVENTS })
    await createEndpoint(runtime, actor, { url: "https://hooks.example.com/", events: EVENTS })
  }
  await expect(addSlackAddress(runtime, actor, { url: URL, events: EVENTS })).rejects.toMatchObject({
    code: "rate_limited",
    message: "An account can have 5 Slack addresses. Delete one that is not used.",
  })
})

test("a Slack address survives a rotation of AUTH_SECRET", async () => {
  const actor = await signUp()
  const { id } = await addSlackAddress(runtime, actor, { url: URL, events: EVENTS })
  const { env } = runtime
  const other = "another-secret-of-32-characters-or-more"
  Object.assign(runtime, { env: { ...env, AUTH_SECRET: other, AUTH_SECRET_PREVIOUS: env.AUTH_SECRET } })
  expect(await renewWebhookSecrets(runtime)).toBe(1)
  Object.assign(runtime, { env: { ...env, AUTH_SECRET: other } })
  await testEndpoint(runtime, actor, { id })
  await deliverWebhooks(runtime)
  Object.assign(runtime, { env })
  expect(urls).toEqual([URL])
})

test("closing the account erases its Slack addresses", async () => {
  const actor = await signUp()
  await addSlackAddress(runtime, actor, { url: URL, events: EVENTS })
  const { rows } = await runtime.pool.query("SELECT account_name($1) AS name", [actor.accountId])
  await closeAccount(runtime, actor, { name: rows[0].name })
  expect((await runtime.pool.query("SELECT FROM webhook_endpoint")).rowCount).toBe(0)
})

test("the owners get a mail each time the secret of a webhook is replaced", async () => {
  const actor = await signUp()
  const { id } = await createEndpoint(runtime, actor, { url: "https://hooks.example.com/", events: EVENTS })
  await rotateSecret(runtime, actor, { id })
  await rotateSecret(runtime, actor, { id })
  expect(await mailsOf(actor, "webhook_rotated")).toEqual(["webhook_rotated", "webhook_rotated"])
})

test.each(["webhook", "slack"] as const)(
  "a %s that accepted nothing for 50 attempts is turned off with a mail, and on again by a test that it accepts",
  async (kind) => {
    const actor = await signUp()
    const input = { url: URL, events: EVENTS }
    const { id } =
      kind === "slack" ? await addSlackAddress(runtime, actor, input) : await createEndpoint(runtime, actor, input)
    const turnedOffAt = async () => (await listEndpoints(runtime, actor))[0]?.turnedOffAt
    reply = { status: 404, fault: null }
    await testEndpoint(runtime, actor, { id })
    await deliverWebhooks(runtime)
    await testEndpoint(runtime, actor, { id })
    await dueNow(48)
    await deliverWebhooks(runtime)
    expect([await turnedOffAt(), await mailsOf(actor, "webhook_turned_off")]).toEqual([null, []])
    await runtime.pool.query(
      "UPDATE webhook_delivery SET next_at = now(), attempts = 49 WHERE attempts = 49 AND created_at = (SELECT min(created_at) FROM webhook_delivery)",
    )
    await deliverWebhooks(runtime)
    expect(await turnedOffAt()).toEqual(expect.any(String))
    expect(await mailsOf(actor, "webhook_turned_off")).toEqual(["webhook_turned_off"])
    expect((await listDeliveries(runtime, actor)).map(({ state }) => state)).toEqual(["given_up", "given_up"])
    reply = { status: 200, fault: null }
    await testEndpoint(runtime, actor, { id })
    await deliverWebhooks(runtime)
    expect(await turnedOffAt()).toBe(null)
  },
)

test("an endpoint that accepted a later message stays on when an older one is given up", async () => {
  const actor = await signUp()
  const { id } = await addSlackAddress(runtime, actor, { url: URL, events: EVENTS })
  reply = { status: 500, fault: null }
  await testEndpoint(runtime, actor, { id })
  await deliverWebhooks(runtime)
  reply = { status: 200, fault: null }
  await testEndpoint(runtime, actor, { id })
  await deliverWebhooks(runtime)
  reply = { status: 500, fault: null }
  await dueNow(49)
  await deliverWebhooks(runtime)
  expect((await listDeliveries(runtime, actor)).map(({ state }) => state)).toEqual(["delivered", "given_up"])
  expect(await listEndpoints(runtime, actor)).toMatchObject([{ turnedOffAt: null }])
})

test("an endpoint is on after it accepted a message during which an older one was given up", async () => {
  const actor = await signUp()
  const { id } = await createEndpoint(runtime, actor, { url: URL, events: EVENTS })
  const old = await testEndpoint(runtime, actor, { id })
  await dueNow(49)
  await testEndpoint(runtime, actor, { id })
  const turnedOffAt = async () => (await listEndpoints(runtime, actor))[0]?.turnedOffAt
  const { webhooks } = runtime
  const post: typeof webhooks.post = async (_url, headers) => {
    if (headers["webhook-id"] === old.id) return { status: 404, fault: null }
    await vi.waitFor(async () => expect(await turnedOffAt()).toEqual(expect.any(String)))
    return { status: 200, fault: null }
  }
  Object.assign(runtime, { webhooks: { ...webhooks, post } })
  await deliverWebhooks(runtime)
  Object.assign(runtime, { webhooks })
  expect((await listDeliveries(runtime, actor)).map(({ state }) => state).toSorted()).toEqual(["delivered", "given_up"])
  expect(await turnedOffAt()).toBe(null)
})

test("an endpoint that is turned off is queued no event", async () => {
  const actor = await signUp()
  const { id } = await addSlackAddress(runtime, actor, { url: URL, events: ["key.created"] })
  await runtime.pool.query("UPDATE webhook_endpoint SET turned_off_at = now() WHERE id = $1", [
    parsePublicId("whe", id),
  ])
  const key = { name: "CI", limit: { amountUsd: "1", period: "daily" as const }, expiresAt: null }
  await createKey(runtime, actor, key)
  expect(await listDeliveries(runtime, actor)).toEqual([])
  await runtime.pool.query("UPDATE webhook_endpoint SET turned_off_at = NULL")
  await createKey(runtime, actor, key)
  expect(await listDeliveries(runtime, actor)).toMatchObject([{ type: "key.created" }])
})
