import { createHash, randomBytes } from "node:crypto"
import { expect, test } from "vitest"
import { createAccount } from "@/lib/server/accounts/create-account"
import { VISITOR } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { actorOfCookies } from "./actor-of-cookies"
import { endSession } from "./sessions"

const app = await testRuntime()
const { userId, accountId } = await createAccount(runtime(), VISITOR, { email: "ada@example.com" })

async function makeSession({ expires = "30 days", idle = "0 s" } = {}): Promise<string> {
  const token = randomBytes(32).toString("base64url")
  await app.pool.query(
    `INSERT INTO session (id, token_hash, user_id, last_seen_at, expires_at)
     VALUES ($1, $2, $3, now() - $4::interval, now() + $5::interval)`,
    [newId(), createHash("sha256").update(token).digest(), userId, idle, expires],
  )
  return token
}

const lastSeenSecondsAgo = async (token: string): Promise<number> => {
  const { rows } = await app.pool.query<{ ago: number }>(
    "SELECT extract(epoch FROM now() - last_seen_at)::int AS ago FROM session WHERE token_hash = $1",
    [createHash("sha256").update(token).digest()],
  )
  return rows[0]?.ago ?? -1
}

test("a session cookie names its user, account and role", async () => {
  const token = await makeSession()
  const actor = await actorOfCookies(runtime(), `theme=dark; svcd-session=${token}; other=1`, "192.0.2.1")
  expect(actor).toMatchObject({
    userId,
    accountId,
    email: "ada@example.com",
    role: "owner",
    clientAddress: "192.0.2.1",
  })
})

test("an expired session is refused", async () => {
  expect(await actorOfCookies(runtime(), `svcd-session=${await makeSession({ expires: "-1 s" })}`, null)).toBeNull()
})

test("a session idle for 7 days is refused, one idle for less is kept", async () => {
  expect(await actorOfCookies(runtime(), `svcd-session=${await makeSession({ idle: "7 days" })}`, null)).toBeNull()
  expect(
    await actorOfCookies(runtime(), `svcd-session=${await makeSession({ idle: "6 days 23 h" })}`, null),
  ).not.toBeNull()
})

test("the last use is recorded at most once an hour", async () => {
  const fresh = await makeSession({ idle: "59 min" })
  await actorOfCookies(runtime(), `svcd-session=${fresh}`, null)
  expect(await lastSeenSecondsAgo(fresh)).toBeGreaterThan(3_500)
  const stale = await makeSession({ idle: "61 min" })
  await actorOfCookies(runtime(), `svcd-session=${stale}`, null)
  expect(await lastSeenSecondsAgo(stale)).toBeLessThan(10)
})

test("an ended session is refused", async () => {
  const token = await makeSession()
  await endSession(runtime(), token, null)
  expect(await actorOfCookies(runtime(), `svcd-session=${token}`, null)).toBeNull()
})

test.each([
  ["no header", undefined],
  ["an empty header", ""],
  ["an empty value", "svcd-session="],
  ["an unknown token", `svcd-session=${"A".repeat(43)}`],
  ["a short token", "svcd-session=abc"],
  ["a long token", `svcd-session=${"A".repeat(10_000)}`],
  ["SQL", "svcd-session=' OR true --"],
  ["bytes", "svcd-session=\u0000\u0001"],
  ["no equals sign", "svcd-session"],
])("%s signs nobody in", async (_name, header) => {
  expect(await actorOfCookies(runtime(), header, null)).toBeNull()
})

test("neither the token under another cookie's name nor its hash signs anybody in", async () => {
  const token = await makeSession()
  const hash = createHash("sha256").update(token).digest("base64url")
  expect(await actorOfCookies(runtime(), `xsvcd-session=${token}; __Host-svcd-session=${token}`, null)).toBeNull()
  expect(await actorOfCookies(runtime(), `svcd-session=${hash}`, null)).toBeNull()
})

test("a session of a user in several accounts shows the one it was switched to, with the role there", async () => {
  const { accountId: other } = await createAccount(runtime(), VISITOR, { email: "grace@example.com" })
  await app.pool.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, 'viewer')", [other, userId])
  const token = await makeSession()
  const shown = () => actorOfCookies(runtime(), `svcd-session=${token}`, null)
  expect(await shown()).toMatchObject({ accountId, role: "owner" })
  await app.pool.query("UPDATE session SET account_id = $1 WHERE user_id = $2", [other, userId])
  expect(await shown()).toMatchObject({ accountId: other, role: "viewer" })
  await app.pool.query("UPDATE member SET role = 'billing' WHERE account_id = $1 AND user_id = $2", [other, userId])
  expect(await shown()).toMatchObject({ accountId: other, role: "billing" })
  await app.pool.query("UPDATE account SET status = 'suspended' WHERE id = $1", [other])
  expect(await shown()).toMatchObject({ accountId, role: "owner" })
  await app.pool.query("DELETE FROM member WHERE account_id = $1 AND user_id = $2", [other, userId])
  expect(await shown()).toMatchObject({ accountId, role: "owner" })
})
