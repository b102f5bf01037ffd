import { expect, test } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { listAudit } from "@/lib/server/audit/list-audit"
import { changeRole } from "@/lib/server/members/change-members"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { TOKEN_SCOPE_NAMES } from "@/lib/shared/accounts/token-scopes"
import { accountSender, codeOf } from "@/test/admin-api"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"

const runtime = await testRuntime()

/** Adds a user to an account. Returns the user's public id. */
async function join(owner: UserActor, email: string, role: string): Promise<string> {
  const { userId } = await signUp(email)
  await runtime.pool.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, $3)", [
    owner.accountId,
    userId,
    role,
  ])
  return publicId("usr", userId)
}

async function account(name: string) {
  const owner = await signUp(`${name}@example.com`)
  const rights = TOKEN_SCOPE_NAMES
  const { token } = await createAccountToken(runtime, owner, { name: "People", expiresAt: null, rights })
  return { owner, send: accountSender(token), member: await join(owner, `member-of-${name}@example.com`, "viewer") }
}

const rolesOf = async ({ send }: Awaited<ReturnType<typeof account>>) =>
  (await send("GET", "/members")).body.data.map(({ email, role }: { email: string; role: string }) => [email, role])

test("a program invites a person once more, lists and revokes the invitation", async () => {
  const { send } = await account("invites")
  const made = await send("POST", "/invitations", { body: { email: "new@example.com", role: "developer" } })
  expect(made.body.id).toMatch(/^inv_/)
  const again = await send("POST", "/invitations", { body: { email: "new@example.com", role: "viewer" } })
  expect(again.body).toEqual(made.body)
  const list = async () => (await send("GET", "/invitations")).body.data
  expect(await list()).toMatchObject([{ id: made.body.id, email: "new@example.com", role: "viewer" }])
  expect((await send("DELETE", `/invitations/${made.body.id}`)).status).toBe(200)
  expect(await list()).toEqual([])
})

test("a program changes the role of a member and removes one, and the audit log names the token", async () => {
  const one = await account("changes")
  const path = `/members/${one.member}`
  expect((await one.send("PUT", `${path}/role`, { body: { role: "developer" } })).body).toEqual({ id: one.member })
  expect(await rolesOf(one)).toEqual([
    ["changes@example.com", "owner"],
    ["member-of-changes@example.com", "developer"],
  ])
  expect((await one.send("DELETE", path)).status).toBe(200)
  expect(await rolesOf(one)).toEqual([["changes@example.com", "owner"]])
  const { lines } = await listAudit(runtime, one.owner)
  expect(lines.slice(0, 2).map(({ action, by }) => [action, by])).toEqual([
    ["member.remove", "The account token “People”"],
    ["member.role", "The account token “People”"],
  ])
})

test("a token cannot make, invite, change or remove an owner", async () => {
  const one = await account("owners")
  const second = await join(one.owner, "second@example.com", "owner")
  const before = await rolesOf(one)
  const role = { body: { role: "owner" } }
  for (const refused of [
    await one.send("PUT", `/members/${one.member}/role`, role),
    await one.send("PUT", `/members/${second}/role`, { body: { role: "viewer" } }),
    await one.send("DELETE", `/members/${second}`),
    await one.send("POST", "/invitations", { body: { email: "third@example.com", role: "owner" } }),
  ]) {
    expect(codeOf(refused)).toEqual([403, "forbidden"])
    expect(refused.body.error.message).toBe("A token cannot make, change or remove an owner.")
  }
  expect(await rolesOf(one)).toEqual(before)
})

test("members and invitations of another account are not found", async () => {
  const [mine, theirs] = [await account("here"), await account("there")]
  const { body } = await theirs.send("POST", "/invitations", { body: { email: "n@example.com", role: "viewer" } })
  for (const refused of [
    await mine.send("DELETE", `/members/${theirs.member}`),
    await mine.send("PUT", `/members/${theirs.member}/role`, { body: { role: "developer" } }),
    await mine.send("DELETE", `/invitations/${body.id}`),
  ])
    expect(codeOf(refused)).toEqual([404, "not_found"])
})

test("a change that waits for the account while its token's creator loses the role is refused", async () => {
  const { owner, member } = await account("race")
  const actor = {
    type: "token",
    accountId: owner.accountId,
    tokenId: newId(),
    userId: owner.userId,
    rights: ["members.manage"],
    clientAddress: null,
  } as const
  await runtime.pool.query("UPDATE member SET role = 'developer' WHERE user_id = $1 AND account_id = $2", [
    owner.userId,
    owner.accountId,
  ])
  await expect(changeRole(runtime, actor, { id: member, role: "developer" })).rejects.toMatchObject({
    code: "forbidden",
    message: "You are no longer an owner.",
  })
})
