import { setTimeout } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { createAccountToken, listAccountTokens, revokeAccountToken } from "@/lib/server/accounts/account-tokens"
import { revokeOperatorToken } from "@/lib/server/accounts/operator-tokens"
import { createKey } from "@/lib/server/keys/create-key"
import { OPERATOR, type UserActor } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { accountSender, adminSender, operatorToken } from "@/test/admin-api"
import { query } from "@/test/closing-fixture"
import { keepMails } from "@/test/keep-mails"
import { KEY } from "@/test/own-objects"
import { newOwner, testTopups } from "@/test/topup-fixture"

await testTopups()
keepMails()

/** Locks the account and its keys, which changes wait for. Returns a function that releases them. */
async function lockRows(accountId: string): Promise<() => Promise<void>> {
  const client = await runtime().pool.connect()
  await client.query("BEGIN")
  await client.query("SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE", [accountId])
  await client.query("SELECT FROM api_key WHERE account_id = $1 FOR NO KEY UPDATE", [accountId])
  return async () => {
    await client.query("COMMIT")
    client.release()
  }
}

const entries = async (accountId: string) =>
  (await query("SELECT action FROM audit_event WHERE account_id = $1 ORDER BY id", [accountId])).rows

const WAITING = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
const isWaiting = async () => (await query(WAITING)).rowCount !== 0

/** Starts `work`, runs `end` while it waits for the account or a key, and releases them. Returns whether it waited, and its outcome. */
async function endWhileWaiting(accountId: string, work: () => Promise<unknown>, end: () => Promise<unknown>) {
  const release = await lockRows(accountId)
  let isOver = false
  const working = work().then(
    (result) => ({ result }),
    (error: { code?: string }) => ({ error: error.code ?? String(error) }),
  )
  void working.then(() => {
    isOver = true
  })
  while (!isOver && !(await isWaiting())) await setTimeout(5)
  const waited = !isOver
  if (waited) await end()
  const before = await entries(accountId)
  await release()
  const outcome = await working
  return { waited, outcome, isUnchanged: (await entries(accountId)).length === before.length }
}

const demote = ({ accountId, userId }: UserActor) =>
  query("UPDATE member SET role = 'viewer' WHERE account_id = $1 AND user_id = $2", [accountId, userId])

test("a member whose role ends while the creation of a token waits for a lock gets no token", async () => {
  const owner = await newOwner()
  const create = () => createAccountToken(runtime(), owner, { name: "CI", expiresAt: null })
  const ended = await endWhileWaiting(owner.accountId, create, () => demote(owner))
  expect(ended).toMatchObject({ waited: true, isUnchanged: true, outcome: { error: "forbidden" } })
  expect(await listAccountTokens(runtime(), owner)).toEqual([])
})

/** What ends the authority of an account token. */
const ENDS = {
  "its revocation": (owner: UserActor, id: string) => revokeAccountToken(runtime(), owner, { id }),
  "its expiry": (_owner: UserActor, id: string) =>
    query("UPDATE account_token SET expires_at = clock_timestamp() WHERE id = $1", [parsePublicId("tok", id)]),
  "the end of its creator's role": demote,
}

const CHANGES: [method: string, path: string, body?: object][] = [
  ["POST", "/keys", { name: "CI" }],
  ["POST", "/keys/{key}/replace", {}],
  ["PUT", "/keys/{key}/restrictions", { models: [], routes: [], networks: [] }],
  ["DELETE", "/keys/{key}"],
]

describe("a request of an account token that waits for a lock", () => {
  test.each(Object.keys(ENDS) as (keyof typeof ENDS)[])("commits nothing after %s", async (name) => {
    for (const [method, path, body] of CHANGES) {
      const owner = await newOwner()
      const { id: key } = await createKey(runtime(), owner, KEY)
      const token = { name: "CI", expiresAt: null, rights: ["keys.manage" as const] }
      const made = await createAccountToken(runtime(), owner, token)
      const send = () => accountSender(made.token)(method, path.replace("{key}", key), body ? { body } : {})
      const ended = await endWhileWaiting(owner.accountId, send, () => ENDS[name](owner, made.id))
      expect({ path, ...ended }).toMatchObject({
        ...{ path, waited: true, isUnchanged: true },
        outcome: { result: { status: 401, body: { error: { code: "invalid_api_key" } } } },
      })
    }
  })
})

test.each([
  ["its revocation", 401],
  ["its expiry", 401],
  ["the end of its creator's role", 403],
] as const)("an invitation by an account token that waits for a lock is not sent after %s", async (name, status) => {
  const owner = await newOwner()
  const token = { name: "CI", expiresAt: null, rights: ["members.manage" as const] }
  const made = await createAccountToken(runtime(), owner, token)
  const invite = () =>
    accountSender(made.token)("POST", "/invitations", { body: { email: "late@example.com", role: "viewer" } })
  const ended = await endWhileWaiting(owner.accountId, invite, () => ENDS[name](owner, made.id))
  expect(ended).toMatchObject({ waited: true, isUnchanged: true, outcome: { result: { status } } })
  expect((await query("SELECT FROM invitation WHERE account_id = $1", [owner.accountId])).rowCount).toBe(0)
})

test("a request of an operator's token that waits for a lock commits nothing after its revocation", async () => {
  const { accountId } = await newOwner()
  const made = await operatorToken("CI")
  const path = `/accounts/${publicId("acc", accountId)}/status`
  const ended = await endWhileWaiting(
    accountId,
    () => adminSender(made.token)("PUT", path, { body: { status: "suspended" } }),
    () => revokeOperatorToken(runtime(), OPERATOR, { id: made.id }),
  )
  expect(ended).toMatchObject({ waited: true, isUnchanged: true, outcome: { result: { status: 401 } } })
  expect((await query("SELECT status FROM account WHERE id = $1", [accountId])).rows).toEqual([{ status: "active" }])
})
