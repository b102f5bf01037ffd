import { beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { listAliasMoves, moveAlias } from "./alias"
import { cancelMove, findPlannedMove, planMove } from "./plan-move"
import { runPlannedMove } from "./planned-moves"
import { retireModel } from "./retire-model"
import { openCatalogue } from "./seed-models"

await testRuntime()
await openCatalogue(runtime())
const query = async (text: string, values: unknown[] = []) => (await runtime().pool.query(text, values)).rows
const targetOf = async (): Promise<string> =>
  (await query("SELECT target_id FROM model WHERE id = $1", [ALIAS]))[0].target_id
const FIRST = await targetOf()

beforeEach(async () => {
  await moveAlias(runtime(), OPERATOR, { toId: FIRST })
  await query("DELETE FROM queued_mail")
  await query("DELETE FROM alias_announcement")
  await query("DELETE FROM alias_move")
  await query("DELETE FROM shadow")
  vi.restoreAllMocks()
  vi.spyOn(runtime().engines, "availability").mockReturnValue({ available: true, reason: null })
})

const DAY = 86_400_000
const at = (day: string, time = "00:00:00.000Z") => new Date(`${day}T${time}`)
const on = new Date(Date.now() + 10 * DAY).toISOString().slice(0, 10)
const eve = new Date(at(on).getTime() - 3 * DAY)
const mails = () =>
  query(
    "SELECT u.email, q.facts FROM queued_mail q JOIN app_user u ON u.id = q.user_id WHERE q.kind = 'alias_moving' ORDER BY u.email",
  )
const plan = (toId: string) => planMove(runtime(), OPERATOR, { toId, on, noticeDays: 3 })

test("a planned move is announced once, to the accounts that sent the alias in the last 30 days", async () => {
  const to = await insertModel("planned-1")
  const [user, old] = [await signUp("user@example.com"), await signUp("old@example.com")]
  await signUp("never@example.com")
  await query(
    "INSERT INTO alias_use VALUES ($1, $2, now() - interval '29 days'), ($1, $3, now() - interval '31 days')",
    [ALIAS, user.accountId, old.accountId],
  )
  await plan(to)
  await runPlannedMove(runtime(), new Date(eve.getTime() - 1))
  expect(await mails()).toEqual([])
  expect(await findPlannedMove(runtime())).toMatchObject({ from: FIRST, to, on, isAnnounced: false })
  await Promise.all([runPlannedMove(runtime(), eve), runPlannedMove(runtime(), eve)])
  await runPlannedMove(runtime(), eve)
  expect(await mails()).toEqual([{ email: "user@example.com", facts: { alias: ALIAS, from: FIRST, to, on } }])
  expect(await findPlannedMove(runtime())).toMatchObject({ isAnnounced: true })
  expect(await targetOf()).toBe(FIRST)
})

test("an account is mailed what a shadow found out about its own answers", async () => {
  const to = await insertModel("planned-2")
  const [own, other] = [await signUp("own@example.com"), await signUp("other@example.com")]
  await query("DELETE FROM alias_use")
  await query("INSERT INTO alias_use VALUES ($1, $2, now()), ($1, $3, now())", [ALIAS, own.accountId, other.accountId])
  const shadow = newId()
  await query("INSERT INTO shadow (id, alias_id, from_id, to_id, share) VALUES ($1, $2, $3, $4, 0.05)", [
    ...[shadow, ALIAS, FIRST, to],
  ])
  await query("INSERT INTO shadow_question VALUES ($1, $2, 'noul', 2, 1000, 21, 30), ($1, $2, 'choice', 3, 40, 2, 1)", [
    ...[shadow, own.accountId],
  ])
  await plan(to)
  await runPlannedMove(runtime(), eve)
  const changes = [
    { type: "choice", compared: 40, changed: 2 },
    { type: "noul", compared: 1000, changed: 21 },
  ]
  expect(await mails()).toEqual([
    { email: "other@example.com", facts: { alias: ALIAS, from: FIRST, to, on } },
    { email: "own@example.com", facts: { alias: ALIAS, from: FIRST, to, on, changes } },
  ])
})

test("the mails are queued while requests to the model are running", async () => {
  const to = await insertModel("planned-9")
  await plan(to)
  const request = await runtime().pool.connect()
  onTestFinished(() => request.release(true))
  await request.query("BEGIN")
  // The lock of a hold's foreign key.
  await request.query("SELECT FROM model WHERE id = $1 FOR KEY SHARE", [to])
  await runPlannedMove(runtime(), eve)
  expect(await findPlannedMove(runtime())).toMatchObject({ to, isAnnounced: true })
})

test("the alias moves once, at the start of the day", async () => {
  const to = await insertModel("planned-3")
  await plan(to)
  await runPlannedMove(runtime(), new Date(at(on).getTime() - 1))
  expect(await targetOf()).toBe(FIRST)
  await Promise.all([runPlannedMove(runtime(), at(on)), runPlannedMove(runtime(), at(on))])
  await runPlannedMove(runtime(), at(on))
  expect(await targetOf()).toBe(to)
  expect(await findPlannedMove(runtime())).toBeNull()
  expect(await listAliasMoves(runtime())).toMatchObject([{ from: FIRST, to }])
  const audit = await query("SELECT actor, detail FROM audit_event WHERE action = 'model.alias' AND subject = $1", [to])
  expect(audit).toEqual([{ actor: "system", detail: `from ${FIRST}, as planned` }])
})

test("the move waits while the model is unavailable", async () => {
  const to = await insertModel("planned-4")
  await plan(to)
  vi.mocked(runtime().engines.availability).mockReturnValue({ available: false, reason: "It is down." })
  await expect(runPlannedMove(runtime(), at(on))).rejects.toThrow("It is down.")
  expect(await targetOf()).toBe(FIRST)
  vi.mocked(runtime().engines.availability).mockReturnValue({ available: true, reason: null })
  await runPlannedMove(runtime(), at(on))
  expect(await targetOf()).toBe(to)
})

test("a plan ends when it is cancelled or replaced, and when the alias moves", async () => {
  const [first, second] = [await insertModel("planned-5"), await insertModel("planned-6")]
  await plan(first)
  await plan(second)
  expect(await findPlannedMove(runtime())).toMatchObject({ to: second })
  await cancelMove(runtime(), OPERATOR)
  expect(await findPlannedMove(runtime())).toBeNull()
  await expect(cancelMove(runtime(), OPERATOR)).rejects.toMatchObject({ code: "not_found" })
  await plan(first)
  await moveAlias(runtime(), OPERATOR, { toId: second })
  await runPlannedMove(runtime(), at(on))
  expect(await targetOf()).toBe(second)
})

test("a plan ends when a process of an earlier version moves the alias", async () => {
  const [to, other] = [await insertModel("planned-10"), await insertModel("planned-11")]
  await plan(to)
  await query("UPDATE model SET target_id = $2 WHERE id = $1", [ALIAS, other])
  await query("INSERT INTO alias_move (alias_id, from_id, to_id) VALUES ($1, $2, $3)", [ALIAS, FIRST, other])
  await runPlannedMove(runtime(), at(on))
  expect(await targetOf()).toBe(other)
  expect(await findPlannedMove(runtime())).toBeNull()
})

test("only an active model other than the current one, and a day to come, can be planned", async () => {
  const other = await insertModel("planned-7")
  await expect(plan(FIRST)).rejects.toMatchObject({ param: "toId" })
  await expect(plan("unknown-1")).rejects.toMatchObject({ code: "invalid_model" })
  const today = new Date().toISOString().slice(0, 10)
  const input = { toId: other, on: today, noticeDays: 0 }
  await expect(planMove(runtime(), OPERATOR, input)).rejects.toMatchObject({ param: "on" })
  await plan(other)
  await expect(retireModel(runtime(), OPERATOR, { id: other, replacementId: null })).rejects.toMatchObject({
    message: "A move of the alias to this model is planned. Cancel it first.",
  })
})

test("nothing moves by an announcement of an earlier version", async () => {
  const to = await insertModel("planned-8")
  await query("INSERT INTO alias_announcement (alias_id, to_id, moves_on) VALUES ($1, $2, '2026-01-01')", [ALIAS, to])
  await runPlannedMove(runtime())
  expect(await findPlannedMove(runtime())).toBeNull()
  expect(await targetOf()).toBe(FIRST)
})
