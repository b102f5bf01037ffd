import { expect, it } from "vitest"
import { NOTICE_KINDS, NOTICES, writeNotice } from "@/lib/server/mail/notices"
import { addSlackAddress, createEndpoint, listEndpoints } from "@/lib/server/webhooks/endpoints"
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from "@/lib/shared/webhooks/events"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { readAlerts, saveAlerts } from "./alerts"

const runtime = await testRuntime()
const SLACK = "https://hooks.slack.com/services/T0001/B0001/s3cr3tTokenXyZ9"

it("low balance, 80% of a limit, failures and a moved alias are offered by mail, webhook and Slack", async () => {
  const actor = await signUp()
  await createEndpoint(runtime, actor, { url: "https://hooks.example.com/", events: ["balance.low"] })
  await addSlackAddress(runtime, actor, { url: SLACK, events: ["errors.high"] })
  const { alerts, endpoints } = await readAlerts(runtime, actor)
  expect(alerts.slice(0, 7)).toEqual([
    { label: "The balance is low", mail: "balance_low", event: "balance.low" },
    { label: "A key has spent 80% of its limit", mail: "key_near_limit", event: "key.near_limit" },
    { label: "A key has reached its limit", mail: "key_limit_reached", event: "key.limit_reached" },
    { label: "50%, 80% or all of a budget is spent", mail: "budget_spent", event: "budget.spent" },
    { label: "The alias moved to another model", mail: "alias_moved", event: "alias.moved" },
    { label: "An alarm of outcomes fired", mail: "outcome_alarm", event: "outcomes.alarm" },
    { label: "Many requests fail", mail: "errors_high", event: "errors.high" },
  ])
  expect(alerts.flatMap(({ event }) => event ?? []).toSorted()).toEqual(WEBHOOK_EVENT_NAMES.toSorted())
  expect(endpoints.map(({ kind, url, events }) => [kind, url, events])).toEqual([
    ["webhook", "https://hooks.example.com/", ["balance.low"]],
    ["slack", "https://hooks.slack.com/…XyZ9", ["errors.high"]],
  ])
})

it("an alert has one name, whether it arrives by mail or as an event", () => {
  const named = NOTICE_KINDS.flatMap((kind) => {
    const { event, label } = NOTICES[kind]
    return event ? [[label, WEBHOOK_EVENTS[event]]] : []
  })
  expect(named.length).toBeGreaterThan(4)
  for (const [mail, event] of named) expect(mail).toBe(event)
})

it("what a member chooses is stored, and each changed endpoint has an entry in the audit log", async () => {
  const actor = await signUp("choose@example.com")
  const { id: hook } = await createEndpoint(runtime, actor, {
    url: "https://hooks.example.com/",
    events: ["balance.low"],
  })
  const { id: slack } = await addSlackAddress(runtime, actor, { url: SLACK, events: ["balance.low"] })
  const audited = async () => {
    const { rows } = await runtime.pool.query(
      "SELECT subject FROM audit_event WHERE account_id = $1 AND action = 'webhook.events'",
      [actor.accountId],
    )
    return rows.map(({ subject }) => subject)
  }
  const endpoints = [
    { id: hook, events: ["balance.low" as const] },
    { id: slack, events: ["errors.high" as const, "alias.moved" as const] },
  ]
  await saveAlerts(runtime, actor, { muted: ["balance_low"], endpoints })
  const read = await readAlerts(runtime, actor)
  expect(read.muted).toEqual(["balance_low"])
  expect(read.endpoints.map(({ events }) => events)).toEqual([["balance.low"], ["errors.high", "alias.moved"]])
  expect(await audited()).toEqual([slack])
  await saveAlerts(runtime, actor, { muted: [], endpoints: [{ id: hook, events: [] }] })
  const again = await readAlerts(runtime, actor)
  expect([again.muted, again.endpoints[0]?.events]).toEqual([[], []])
})

it("mails about the safety of the account are not offered and cannot be turned off", async () => {
  const actor = await signUp("safety@example.com")
  expect((await readAlerts(runtime, actor)).alerts.map(({ mail }) => mail)).not.toContain("key_created")
  await saveAlerts(runtime, actor, { muted: ["key_created", "topup_disputed", "unknown"], endpoints: [] })
  const { rows } = await runtime.pool.query("SELECT muted_mail FROM member WHERE user_id = $1", [actor.userId])
  expect(rows).toEqual([{ muted_mail: [] }])
})

it("a mail that can be turned off names the page on which that is done", async () => {
  const { accountId } = await signUp()
  const to = { consoleUrl: "https://console.example.com", account: null, accountId }
  const { footnote } = writeNotice("balance_low", NOTICES.balance_low.sample, to)
  expect(footnote).toContain("Change which e-mails you get on the page Alerts.")
})

it("another account's endpoint cannot be changed, and the mails stay as they were", async () => {
  const [actor, other] = [await signUp(), await signUp()]
  const { id } = await createEndpoint(runtime, other, { url: "https://hooks.example.com/", events: ["balance.low"] })
  await expect(
    saveAlerts(runtime, actor, { muted: ["balance_low"], endpoints: [{ id, events: [] }] }),
  ).rejects.toMatchObject({ code: "not_found" })
  expect((await readAlerts(runtime, actor)).muted).toEqual([])
  expect(await listEndpoints(runtime, other)).toMatchObject([{ events: ["balance.low"] }])
})

it("a billing member chooses mails only, and sees no webhook", async () => {
  const owner = await signUp()
  const { id } = await createEndpoint(runtime, owner, { url: "https://hooks.example.com/", events: ["balance.low"] })
  const actor = { ...owner, role: "billing" as const }
  const { alerts, endpoints } = await readAlerts(runtime, actor)
  expect(alerts.every(({ mail }) => mail !== null)).toBe(true)
  expect(alerts.map(({ mail }) => mail)).toContain("balance_low")
  expect(endpoints).toEqual([])
  await saveAlerts(runtime, actor, { muted: ["balance_low"], endpoints: [] })
  await expect(saveAlerts(runtime, actor, { muted: [], endpoints: [{ id, events: [] }] })).rejects.toMatchObject({
    code: "forbidden",
  })
})
