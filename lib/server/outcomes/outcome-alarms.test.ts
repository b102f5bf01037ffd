import { beforeEach, expect, test, vi } from "vitest"
import { listAudit } from "@/lib/server/audit/list-audit"
import { sendQueuedMail } from "@/lib/server/mail/send-queued"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { OutcomeItem } from "@/lib/shared/outcomes/outcome-request"
import { CalibrationWatch } from "@/lib/shared/statistics/calibration-watch"
import { ErrorWatch } from "@/lib/shared/statistics/error-watch"
import { seededRandom } from "@/lib/shared/statistics/random"
import { DAY_MS } from "@/lib/shared/time"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { keepMails } from "@/test/keep-mails"
import { keepingAccount } from "@/test/keeping-account"
import { dropOutcomes } from "./drop-outcomes"
import { keepOutcomes } from "./keep-outcomes"
import { endOutcomeAlarms, listOutcomeAlarms, setOutcomeAlarms } from "./outcome-alarms"
import { SetAlarmsInput } from "./schema"
import { storeOutcomes } from "./store-outcomes"

const app = await testRuntime({ WELCOME_CREDIT_USD: "0" })
await insertModel("m")
const { pool } = app

let mails: ReturnType<typeof keepMails>
beforeEach(() => {
  mails = keepMails()
})

const LATE = { question: "late", type: "noul", model: "m" } as const
const RULE = { from: 0.8, below: 0.2, targetAbove: 0.05, targetBelow: 0.05 }

const item = (id: string, predicted: number, outcome: boolean, question = "late") =>
  ({ request_id: id, question, type: "noul", predicted, outcome }) satisfies OutcomeItem

/** Charges as many requests. Returns their ids. */
const asked = async ({ ask }: { ask(): Promise<string> }, count: number): Promise<string[]> => {
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push(await ask())
  return ids
}

/** Returns the alarms of the question `late` by claim. */
async function alarmsOf(actor: UserActor) {
  const questions = await listOutcomeAlarms(runtime(), actor)
  const late = questions.find(({ question }) => question === "late")
  return Object.fromEntries((late?.alarms ?? []).map(({ claim, ...alarm }) => [claim, alarm]))
}

const countsOf = async (actor: UserActor) =>
  Object.fromEntries(
    Object.entries(await alarmsOf(actor)).map(([claim, { counted, errors }]) => [claim, [counted, errors]]),
  )

test("alarms count each new outcome once on its side, and a replaced outcome as it was first reported", async () => {
  const account = await keepingAccount()
  const { actor } = account
  const [one, two, three, four] = await asked(account, 4)
  await storeOutcomes(runtime(), actor, { outcomes: [item(one ?? "", 0.9, false)] })
  expect(await setOutcomeAlarms(runtime(), actor, { ...LATE, rule: RULE })).toEqual({ alarms: 3 })
  expect(await countsOf(actor)).toEqual({ above: [0, 0], below: [0, 0], calibration: [0, 0] })
  const outcomes = [
    item(two ?? "", 0.8, false),
    item(three ?? "", 0.1, true),
    item(four ?? "", 0.2, true),
    item(one ?? "", 0.9, false),
    item(two ?? "", 0.95, true, "lost"),
  ]
  expect(await storeOutcomes(runtime(), actor, { outcomes })).toEqual({ stored: 5 })
  await storeOutcomes(runtime(), actor, { outcomes: [item(two ?? "", 0.8, true), item(three ?? "", 0.1, true)] })
  expect(await countsOf(actor)).toEqual({ above: [1, 1], below: [1, 1], calibration: [3, 0] })
})

test("an outcome that is reported again after it was dropped counts no second time", async () => {
  const account = await keepingAccount()
  const { actor } = account
  await setOutcomeAlarms(runtime(), actor, { ...LATE, rule: RULE })
  const [id] = await asked(account, 1)
  const outcomes = [item(id ?? "", 0.9, false)]
  await storeOutcomes(runtime(), actor, { outcomes })
  const later = Date.now() + (app.env.RETENTION_DAYS + 2) * DAY_MS
  await dropOutcomes(runtime(), new Date(later))
  const clock = vi.spyOn(Date, "now").mockReturnValue(later)
  expect(await storeOutcomes(runtime(), actor, { outcomes })).toEqual({ stored: 1 })
  clock.mockRestore()
  const { rowCount } = await pool.query("SELECT FROM outcome WHERE account_id = $1", [actor.accountId])
  expect(rowCount).toBe(1)
  expect(await countsOf(actor)).toEqual({ above: [1, 1], below: [0, 0], calibration: [1, 0] })
})

test("alarms are set for no side that a question does not have, and for no sides that overlap", () => {
  const isAccepted = (type: string, from: number | null, below: number | null) =>
    SetAlarmsInput.safeParse({ ...LATE, type, rule: { ...RULE, from, below } }).success
  expect([isAccepted("noul", 0.5, 0.5), isAccepted("noul", null, 0.2)]).toEqual([true, true])
  expect([isAccepted("choice", 0.8, null), isAccepted("score", null, null)]).toEqual([true, true])
  expect([isAccepted("choice", 0.8, 0.2), isAccepted("noul", 0.5, 0.6)]).toEqual([false, false])
})

test("an alarm counts no outcome of another account, type or model", async () => {
  const [account, other] = [await keepingAccount(), await keepingAccount()]
  await setOutcomeAlarms(runtime(), account.actor, { ...LATE, rule: RULE })
  for (const change of [{ type: "choice" as const }, { model: "other" }])
    await setOutcomeAlarms(runtime(), account.actor, { ...LATE, ...change, rule: RULE })
  await storeOutcomes(runtime(), other.actor, { outcomes: [item(await other.ask(), 0.9, true)] })
  await storeOutcomes(runtime(), account.actor, { outcomes: [item(await account.ask(), 0.9, true)] })
  const questions = await listOutcomeAlarms(runtime(), account.actor)
  expect(questions.map(({ type, model, alarms }) => [type, model, ...alarms.map(({ counted }) => counted)])).toEqual([
    ["choice", "m", 0, 0, 0],
    ["noul", "m", 1, 0, 1],
    ["noul", "other", 0, 0, 0],
  ])
  expect(await listOutcomeAlarms(runtime(), other.actor)).toEqual([])
})

test("a report that is refused counts for no alarm", async () => {
  const { actor, ask } = await keepingAccount()
  await setOutcomeAlarms(runtime(), actor, { ...LATE, rule: RULE })
  const id = await ask()
  const outcomes = ["late", "b", "c"].map((question) => item(id, 0.9, false, question))
  await expect(storeOutcomes(runtime(), actor, { outcomes })).rejects.toMatchObject({ code: "invalid_request" })
  expect(await countsOf(actor)).toEqual({ above: [0, 0], below: [0, 0], calibration: [0, 0] })
})

test("requests at the same time lose no outcome, and leave the evidence of one that reports all", async () => {
  const account = await keepingAccount()
  const { actor } = account
  await setOutcomeAlarms(runtime(), actor, { ...LATE, rule: RULE })
  const ids = await asked(account, 30)
  await Promise.all(ids.map((id) => storeOutcomes(runtime(), actor, { outcomes: [item(id, 0.9, true)] })))
  expect(await countsOf(actor)).toEqual({ above: [30, 0], below: [0, 0], calibration: [30, 0] })
  const [errors, calibration] = [new ErrorWatch(0.05), new CalibrationWatch()]
  for (let at = 0; at < 30; at++) {
    errors.add(false)
    calibration.add(0.9, true)
  }
  const { rows } = await pool.query("SELECT claim, wealth FROM outcome_alarm WHERE account_id = $1 ORDER BY claim", [
    actor.accountId,
  ])
  expect(rows).toEqual([
    { claim: "above", wealth: errors.saved.wealth },
    { claim: "below", wealth: new ErrorWatch(0.05).saved.wealth },
    { claim: "calibration", wealth: calibration.saved.wealth },
  ])
})

test("an alarm that fires is mailed, sent to webhooks and counted once, without the question's name", async () => {
  const account = await keepingAccount()
  const { actor } = account
  const counted = vi.spyOn(app.metrics, "outcomeAlarm")
  await pool.query(
    "INSERT INTO webhook_endpoint (id, account_id, url, events, secret) VALUES ($1, $2, 'https://a.example/', '{outcomes.alarm}', $3)",
    [newId(), actor.accountId, Buffer.alloc(1)],
  )
  const name = "zqmark"
  await setOutcomeAlarms(runtime(), actor, { ...LATE, question: name, rule: { ...RULE, below: null } })
  for (const id of await asked(account, 20))
    await storeOutcomes(runtime(), actor, { outcomes: [item(id, 0.82, false, name)] })
  const [watched] = await listOutcomeAlarms(runtime(), actor)
  expect(watched?.alarms).toMatchObject([
    { claim: "above", counted: 20, errors: 20, firedAt: expect.any(String) },
    { claim: "calibration", counted: 20, firedAt: expect.any(String) },
  ])
  await sendQueuedMail(runtime())
  const subjects = mails.sent.filter(({ to }) => to === actor.email).map(({ subject }) => subject)
  expect(subjects.toSorted()).toEqual([
    "More than 5% of the automatic yes answers were wrong · localhost:3000",
    "Predictions did not come true as often as they said · localhost:3000",
  ])
  expect(JSON.stringify(mails.sent)).not.toContain(name)
  const { rows } = await pool.query("SELECT body FROM webhook_delivery WHERE account_id = $1 ORDER BY body", [
    actor.accountId,
  ])
  const messages = rows.map(({ body }) => JSON.parse(body))
  expect(messages.map(({ type, data }) => [type, data.claim, data.target, data.question_type, data.model])).toEqual([
    ["outcomes.alarm", "above", 0.05, "noul", "m"],
    ["outcomes.alarm", "calibration", null, "noul", "m"],
  ])
  expect(JSON.stringify(messages)).not.toContain(name)
  expect(counted.mock.calls.flat().toSorted()).toEqual(["above", "calibration"])
  counted.mockRestore()
})

test("alarms stay silent while the target is kept, in several reports", async () => {
  const account = await keepingAccount()
  const { actor } = account
  await setOutcomeAlarms(runtime(), actor, { ...LATE, rule: RULE })
  const { share } = seededRandom(551)
  const outcomes = (await asked(account, 60)).map((id) => item(id, 0.97, share() < 0.97))
  for (let at = 0; at < 60; at += 20) await storeOutcomes(runtime(), actor, { outcomes: outcomes.slice(at, at + 20) })
  const { above, calibration } = await alarmsOf(actor)
  expect([above?.counted, above?.firedAt, calibration?.firedAt]).toEqual([60, null, null])
})

test("alarms that are set anew start at zero, with their new thresholds, and can fire again", async () => {
  const account = await keepingAccount()
  const { actor } = account
  for (let round = 0; round < 2; round++) {
    await setOutcomeAlarms(runtime(), actor, { ...LATE, rule: { ...RULE, targetAbove: 0.02 } })
    expect(await alarmsOf(actor)).toMatchObject({ above: { counted: 0, target: 0.02, firedAt: null } })
    const outcomes = (await asked(account, 10)).map((id) => item(id, 0.95, false))
    await storeOutcomes(runtime(), actor, { outcomes })
    expect(await alarmsOf(actor)).toMatchObject({ above: { counted: 10, firedAt: expect.any(String) } })
  }
  await sendQueuedMail(runtime())
  expect(mails.sent.filter(({ subject }) => subject.startsWith("More than 2%"))).toHaveLength(2)
})

test("alarms need an account that keeps outcomes, and end when it no longer does", async () => {
  const { actor } = await keepingAccount()
  await setOutcomeAlarms(runtime(), actor, { ...LATE, rule: { ...RULE, from: null, below: null } })
  expect(Object.keys(await alarmsOf(actor))).toEqual(["calibration"])
  await keepOutcomes(runtime(), actor, { isOn: false })
  expect(await listOutcomeAlarms(runtime(), actor)).toEqual([])
  await expect(setOutcomeAlarms(runtime(), actor, { ...LATE, rule: RULE })).rejects.toMatchObject({
    code: "invalid_request",
  })
})

test("at most 200 questions have alarms, and ending those of one makes room", async () => {
  const { actor } = await keepingAccount()
  await pool.query(
    `INSERT INTO outcome_alarm (id, account_id, question, type, model_id, claim)
     SELECT gen_random_uuid(), $1, 'q' || n, 'noul', 'm', 'calibration' FROM generate_series(1, 200) AS n`,
    [actor.accountId],
  )
  const set = () => setOutcomeAlarms(runtime(), actor, { ...LATE, rule: RULE })
  await expect(set()).rejects.toMatchObject({ code: "rate_limited" })
  expect(await endOutcomeAlarms(runtime(), actor, { ...LATE, question: "q1" })).toEqual({ ended: 1 })
  await set()
  await set()
  await expect(endOutcomeAlarms(runtime(), actor, { ...LATE, question: "q1" })).rejects.toMatchObject({
    code: "not_found",
  })
})

test("setting and ending alarms leave an entry in the audit log, without the question's name", async () => {
  const { actor } = await keepingAccount()
  await setOutcomeAlarms(runtime(), actor, { ...LATE, question: "zqmark", rule: RULE })
  await endOutcomeAlarms(runtime(), actor, { ...LATE, question: "zqmark" })
  const { lines } = await listAudit(runtime(), actor)
  expect(lines.map(({ action }) => action).filter((action) => action.startsWith("outcomes."))).toEqual([
    "outcomes.end_alarms",
    "outcomes.set_alarms",
  ])
  expect(JSON.stringify(lines)).not.toContain("zqmark")
})
