import { beforeEach, expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { moveAlias } from "./alias"
import { announceAlias, findAnnouncement } from "./alias-announcement"
import { openCatalogue } from "./seed-models"

await testRuntime()
await openCatalogue(runtime())
await insertModel("announced-1")
beforeEach(async () => {
  await runtime().pool.query("DELETE FROM queued_mail; DELETE FROM alias_announcement")
})

const on = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
const readers = async () =>
  (
    await runtime().pool.query(
      "SELECT u.email FROM queued_mail q JOIN app_user u ON u.id = q.user_id WHERE q.kind = 'alias_moving' ORDER BY u.email",
    )
  ).rows.map(({ email }) => email)

test("the accounts that sent the alias in the last 30 days are mailed once, and the move stays announced until it happens", async () => {
  const [user, old] = [await signUp("user@example.com"), await signUp("old@example.com")]
  await signUp("never@example.com")
  await runtime().pool.query(
    "INSERT INTO alias_use VALUES ($1, $2, now() - interval '29 days'), ($1, $3, now() - interval '31 days')",
    [ALIAS, user.accountId, old.accountId],
  )
  expect(await announceAlias(runtime(), OPERATOR, { toId: "announced-1", on })).toEqual({ accounts: 1 })
  expect(await readers()).toEqual(["user@example.com"])
  expect(await findAnnouncement(runtime())).toMatchObject({ to: "announced-1", on })
  const { rows } = await runtime().pool.query(
    "SELECT actor, subject, detail FROM audit_event WHERE action = 'model.announce'",
  )
  expect(rows).toEqual([{ actor: "operator", subject: "announced-1", detail: on }])
  await moveAlias(runtime(), OPERATOR, { toId: "announced-1" })
  expect(await findAnnouncement(runtime())).toBeNull()
})

test("only an active model other than the current one, and a day to come, can be announced", async () => {
  const { rows } = await runtime().pool.query("SELECT target_id FROM model WHERE id = $1", [ALIAS])
  const announce = (input: { toId: string; on: string }) => announceAlias(runtime(), OPERATOR, input)
  await expect(announce({ toId: rows[0].target_id, on })).rejects.toMatchObject({ param: "toId" })
  await expect(announce({ toId: "unknown-1", on })).rejects.toMatchObject({ code: "invalid_model" })
  const other = await insertModel("announced-2")
  const today = new Date().toISOString().slice(0, 10)
  await expect(announce({ toId: other, on: today })).rejects.toMatchObject({ param: "on" })
})
