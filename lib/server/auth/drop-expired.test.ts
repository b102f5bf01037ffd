import { expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { confirm, newLink, sessionOf, testSignIn, whoIs } from "@/test/sign-in"
import { dropExpiredSignIns } from "./drop-expired"

const { app } = await testSignIn()

const emails = async () => (await app.pool.query("SELECT email FROM sign_in_token ORDER BY 1")).rows.map((r) => r.email)

test("links are dropped a day after they were sent, and sessions once they are over", async () => {
  const open = sessionOf(await confirm(await newLink("open@example.com")))
  const over = sessionOf(await confirm(await newLink("over@example.com")))
  const idle = sessionOf(await confirm(await newLink("idle@example.com")))
  const sessions = { expires_at: "over", last_seen_at: "idle" }
  for (const [column, name] of Object.entries(sessions))
    await app.pool.query(
      `UPDATE session SET ${column} = now() - interval '7 days' FROM app_user u WHERE u.id = user_id AND u.email = $1`,
      [`${name}@example.com`],
    )
  for (const [name, by] of [
    ["over", "25 hours"],
    ["idle", "23 hours"],
  ])
    await app.pool.query("UPDATE sign_in_token SET created_at = created_at - $2::interval WHERE email = $1", [
      `${name}@example.com`,
      by,
    ])
  expect(await dropExpiredSignIns(runtime())).toBe(3)
  expect(await emails()).toEqual(["idle@example.com", "open@example.com"])
  expect((await app.pool.query("SELECT 1 FROM session")).rowCount).toBe(1)
  expect([await whoIs(over), await whoIs(idle)]).toEqual([null, null])
  expect((await whoIs(open))?.email).toBe("open@example.com")
  expect(await dropExpiredSignIns(runtime())).toBe(0)
})

test("logouts at the OpenID provider are dropped after an hour", async () => {
  await app.pool.query(
    `INSERT INTO provider_logout (id, sid_sha256, issued_at)
     SELECT gen_random_uuid(), minutes::text::bytea, now() - minutes * interval '1 minute' FROM unnest(ARRAY[59, 61]) AS minutes`,
  )
  await dropExpiredSignIns(runtime())
  const { rows } = await app.pool.query("SELECT convert_from(sid_sha256, 'utf8') AS minutes FROM provider_logout")
  expect(rows).toEqual([{ minutes: "59" }])
})
