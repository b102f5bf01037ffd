import { Webhook } from "standardwebhooks"
import { beforeEach, expect, test } from "vitest"
import { type EventData, queueEvent } from "@/lib/server/events/queue-event"
import type { UserActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import { WEBHOOK_EVENT_NAMES, type WebhookEvent } from "@/lib/shared/webhooks/events"
import { afterFile } from "@/test/after-file"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { tlsReceiver } from "@/test/tls-receiver"
import { deliverWebhooks } from "./deliver"
import { addSlackAddress, createEndpoint } from "./endpoints"
import { createWebhookClient } from "./webhook-client"

const [account_id, key_id] = ["acc_01k3tf8m0qe6h9v2n4x7b5c1d3", "key_01k3tfa2c4e6g8j0m2p4r6t8v0"]
const user_id = "usr_01k3tfa2c4e6g8j0m2p4r6t8v1"
const LIMIT = { account_id, key_id, limit_usd: "10.000000000000", limit_period: "daily" as const }

/** Each event with the JSON that an endpoint receives as its `data`, and the lines that Slack shows of it. */
const EVENTS: { [Type in WebhookEvent]: { data: EventData[Type]; json: string; slack: string; page: string } } = {
  "balance.low": {
    data: { account_id, balance_usd: "4.500000000000", threshold_usd: "5.000000000000" },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","balance_usd":"4.500000000000","threshold_usd":"5.000000000000"}`,
    slack: "*The balance is low*\nBalance: $4.50\nThreshold: $5.00",
    page: "%2Fbilling",
  },
  "topup.paid": {
    data: { account_id, topup_id: "top_01k3tfa2c4e6g8j0m2p4r6t8v2", amount_usd: "25.000000000000" },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","topup_id":"top_01k3tfa2c4e6g8j0m2p4r6t8v2","amount_usd":"25.000000000000"}`,
    slack: "*A top-up was paid*\nTopup: top_01k3tfa2c4e6g8j0m2p4r6t8v2\nAmount: $25.00",
    page: "%2Fbilling",
  },
  "key.created": {
    data: { account_id, key_id },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","key_id":"key_01k3tfa2c4e6g8j0m2p4r6t8v0"}`,
    slack: "*A key was created*\nKey: key_01k3tfa2c4e6g8j0m2p4r6t8v0",
    page: "%2Fkeys%2Fkey_01k3tfa2c4e6g8j0m2p4r6t8v0",
  },
  "key.revoked": {
    data: { account_id, key_id },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","key_id":"key_01k3tfa2c4e6g8j0m2p4r6t8v0"}`,
    slack: "*A key was revoked*\nKey: key_01k3tfa2c4e6g8j0m2p4r6t8v0",
    page: "%2Fkeys%2Fkey_01k3tfa2c4e6g8j0m2p4r6t8v0",
  },
  "key.near_limit": {
    data: LIMIT,
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","key_id":"key_01k3tfa2c4e6g8j0m2p4r6t8v0","limit_usd":"10.000000000000","limit_period":"daily"}`,
    slack:
      "*A key has spent 80% of its limit*\nLimit: $10.00\nLimit period: daily\nKey: key_01k3tfa2c4e6g8j0m2p4r6t8v0",
    page: "%2Fkeys%2Fkey_01k3tfa2c4e6g8j0m2p4r6t8v0",
  },
  "key.limit_reached": {
    data: LIMIT,
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","key_id":"key_01k3tfa2c4e6g8j0m2p4r6t8v0","limit_usd":"10.000000000000","limit_period":"daily"}`,
    slack: "*A key has reached its limit*\nLimit: $10.00\nLimit period: daily\nKey: key_01k3tfa2c4e6g8j0m2p4r6t8v0",
    page: "%2Fkeys%2Fkey_01k3tfa2c4e6g8j0m2p4r6t8v0",
  },
  "budget.spent": {
    data: {
      account_id,
      budget_id: "bud_01k3tfa2c4e6g8j0m2p4r6t8v0",
      of: "member",
      user_id,
      percent: 80,
      limit_usd: "100.000000000000",
      limit_period: "monthly",
      resets_at: "2026-12-01T00:00:00.000Z",
    },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","budget_id":"bud_01k3tfa2c4e6g8j0m2p4r6t8v0","of":"member","user_id":"usr_01k3tfa2c4e6g8j0m2p4r6t8v1","percent":80,"limit_usd":"100.000000000000","limit_period":"monthly","resets_at":"2026-12-01T00:00:00.000Z"}`,
    slack:
      "*50%, 80% or all of a budget is spent*\nBudget: bud_01k3tfa2c4e6g8j0m2p4r6t8v0\nOf: member\nUser: usr_01k3tfa2c4e6g8j0m2p4r6t8v1\nPercent: 80\nLimit: $100.00\nLimit period: monthly\nResets at: 1 Dec 2026, 00:00 UTC",
    page: "%2Fbudgets",
  },
  "errors.high": {
    data: { account_id, hour: "2026-11-22T09:00:00.000Z", requests: 200, failed: 12 },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","hour":"2026-11-22T09:00:00.000Z","requests":200,"failed":12}`,
    slack: "*Many requests fail*\nHour: 22 Nov 2026, 09:00 UTC\nRequests: 200\nFailed: 12",
    page: "%2Frequests",
  },
  "outcomes.alarm": {
    data: { account_id, model: "m-1", question_type: "noul", claim: "above", target: 0.05, counted: 200, errors: null },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","model":"m-1","question_type":"noul","claim":"above","target":0.05,"counted":200,"errors":null}`,
    slack: "*An alarm of outcomes fired*\nModel: m-1\nQuestion type: noul\nClaim: above\nTarget: 0.05\nCounted: 200",
    page: "%2Foutcomes",
  },
  "member.joined": {
    data: { account_id, user_id, role: "viewer" },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","user_id":"usr_01k3tfa2c4e6g8j0m2p4r6t8v1","role":"viewer"}`,
    slack: "*A member joined*\nUser: usr_01k3tfa2c4e6g8j0m2p4r6t8v1\nRole: viewer",
    page: "%2Fmembers",
  },
  "member.left": {
    data: { account_id, user_id },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","user_id":"usr_01k3tfa2c4e6g8j0m2p4r6t8v1"}`,
    slack: "*A member left or was removed*\nUser: usr_01k3tfa2c4e6g8j0m2p4r6t8v1",
    page: "%2Fmembers",
  },
  "audit.recorded": {
    data: { account_id, entry_id: "12", action: "key.create", subject: key_id },
    json: `{"account_id":"acc_01k3tf8m0qe6h9v2n4x7b5c1d3","entry_id":"12","action":"key.create","subject":"key_01k3tfa2c4e6g8j0m2p4r6t8v0"}`,
    slack: "*The audit log has a new entry*\nEntry: 12\nAction: key.create\nSubject: key_01k3tfa2c4e6g8j0m2p4r6t8v0",
    page: "%2Fsettings%2Faudit",
  },
  "alias.moved": {
    data: { alias: "svc-decider-latest", from: "a<b-1", to: "c&d-1" },
    json: `{"alias":"svc-decider-latest","from":"a<b-1","to":"c&d-1"}`,
    slack: "*The alias moved to another model*\nAlias: svc-decider-latest\nFrom: a&lt;b-1\nTo: c&amp;d-1",
    page: "%2Fmodels",
  },
}

const runtime = await testRuntime()
const receiver = await tlsReceiver()
const webhooks = createWebhookClient({
  ca: receiver.ca,
  resolve: async () => [{ address: "127.0.0.1", family: 4 }],
  isAllowed: () => true,
})
Object.assign(runtime, { webhooks })
afterFile(() => webhooks.close())
const url = `https://hooks.example.com:${receiver.port}/services/T0/B0/s3cr3tXyZ9`
beforeEach(() => {
  receiver.received.length = 0
  receiver.respond = (_request, response) => void response.writeHead(204).end()
})

const dueNow = () => runtime.pool.query("UPDATE webhook_delivery SET next_at = now() WHERE next_at IS NOT NULL")

/** Queues an event to a receiver that refuses the first attempt and accepts the second. Returns both requests. */
async function deliverTwice<Type extends WebhookEvent>(actor: UserActor, type: Type) {
  let replies = 0
  receiver.respond = (_request, response) => void response.writeHead(++replies === 1 ? 500 : 200).end("ok")
  const { data } = EVENTS[type]
  await inTransaction(runtime.pool, (client) =>
    queueEvent(client, { accountId: actor.accountId, type, source: `test:${type}`, data: data as EventData[Type] }),
  )
  await deliverWebhooks(runtime)
  await deliverWebhooks(runtime)
  expect(receiver.received).toHaveLength(1)
  await dueNow()
  await deliverWebhooks(runtime)
  await deliverWebhooks(runtime)
  expect(receiver.received).toHaveLength(2)
  return receiver.received
}

test.each(WEBHOOK_EVENT_NAMES)(
  "%s reaches a webhook signed, and again with the same id after a failure",
  async (type) => {
    const actor = await signUp()
    const { secret } = await createEndpoint(runtime, actor, { url, events: [type] })
    const both = await deliverTwice(actor, type)
    expect(new Set(both.map(({ body }) => body)).size).toBe(1)
    expect(new Set(both.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    for (const { headers, body } of both) {
      const { timestamp } = JSON.parse(body)
      expect(body).toBe(`{"type":"${type}","timestamp":"${timestamp}","data":${EVENTS[type].json}}`)
      expect(headers["content-type"]).toBe("application/json")
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type })
    }
  },
)

test.each(WEBHOOK_EVENT_NAMES)("%s reaches a Slack address as its text, and again after a failure", async (type) => {
  const actor = await signUp()
  await addSlackAddress(runtime, actor, { url, events: [type] })
  const both = await deliverTwice(actor, type)
  for (const { headers, body } of both) {
    expect(Object.keys(headers).filter((name) => name.startsWith("webhook-"))).toEqual([])
    expect(headers["content-type"]).toBe("application/json")
    const account = publicId("acc", actor.accountId)
    const { slack, page } = EVENTS[type]
    expect(JSON.parse(body)).toEqual({
      text: `${slack}\nAccount: ${account}\n<http://localhost:3000/open/${account}?next=${page}|Open the console>`,
    })
  }
})
