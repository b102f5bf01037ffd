import { describe, expect, it } from "vitest"
import { acceptInvitation } from "@/lib/server/members/accept-invitation"
import { changeRole, leaveAccount } from "@/lib/server/members/change-members"
import { inviteMember } from "@/lib/server/members/invitations"
import type { UserActor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import { query, sessionOf } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { handOver } from "@/test/hand-over"
import { signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { deleteUser } from "../closing/delete-user"
import { accountName, listOwnAccounts, renameAccount } from "./account-name"

await testRuntime()

const usr = ({ userId }: UserActor) => publicId("usr", userId)

/** Signs a user up who joins the account of `owner`, and returns the user there. */
async function join(owner: UserActor, email: string, role: Role): Promise<UserActor> {
  const user = await sessionOf(await signUp(email))
  const { id } = await inviteMember(runtime(), owner, { email, role })
  await acceptInvitation(runtime(), user, { id })
  await query("DELETE FROM invitation_mail")
  return { ...user, accountId: owner.accountId, role }
}

it("a name cannot be changed by a request that waited while the account was closed", async () => {
  const actor = await signUp("late@naming.example")
  const renaming = meanwhile(
    () => renameAccount(runtime(), actor, { name: "Late" }),
    (client) => client.query("UPDATE account SET status = 'closed', name = NULL WHERE id = $1", [actor.accountId]),
  )
  await expect(renaming).rejects.toMatchObject({ code: "forbidden" })
  const { rows } = await query("SELECT name FROM account WHERE id = $1", [actor.accountId])
  expect(rows).toEqual([{ name: null }])
})

const namesOf = async (actor: UserActor) => (await listOwnAccounts(runtime(), actor)).map(({ name }) => name)

describe("an account without a name", () => {
  it("keeps the address that names it when its ownership is transferred, and afterwards", async () => {
    const bob = await signUp("bob@naming.example")
    const cyd = await join(bob, "cyd@naming.example", "developer")
    expect(await namesOf(cyd)).toEqual(["bob@naming.example", "cyd@naming.example"])
    await handOver(bob, cyd)
    expect(await namesOf(cyd)).toEqual(["bob@naming.example", "cyd@naming.example"])
    await changeRole(runtime(), { ...cyd, role: "owner" }, { id: usr(bob), role: "owner" })
    await leaveAccount(runtime(), bob)
    expect(await accountName(runtime(), bob.accountId)).toBe("bob@naming.example")
    expect(await renameAccount(runtime(), { ...cyd, role: "owner" }, { name: "Acme" })).toEqual({ name: "Acme" })
    expect(await accountName(runtime(), bob.accountId)).toBe("Acme")
  })

  it("takes the address of its first owner once the user it is named after is deleted", async () => {
    const dan = await sessionOf(await signUp("dan@naming.example"))
    const eve = await join(dan, "eve@naming.example", "owner")
    await changeRole(runtime(), eve, { id: usr(dan), role: "viewer" })
    expect(await accountName(runtime(), dan.accountId)).toBe("dan@naming.example")
    await deleteUser(runtime(), dan, { email: dan.email })
    expect(await accountName(runtime(), dan.accountId)).toBe("eve@naming.example")
  })
})

it("accounts of one name are distinguished by the endings of their ids", async () => {
  const fay = await signUp("fay@naming.example")
  const gus = await join(fay, "gus@naming.example", "owner")
  const { rows } = await query("SELECT account_id FROM member WHERE user_id = $1 AND account_id <> $2", [
    gus.userId,
    fay.accountId,
  ])
  const own = { ...gus, accountId: rows[0].account_id }
  await renameAccount(runtime(), gus, { name: "Acme" })
  await renameAccount(runtime(), own, { name: "Acme" })
  const endingOf = ({ accountId }: UserActor) => publicId("acc", accountId).slice(-4)
  expect(await namesOf(gus)).toEqual([`Acme …${endingOf(gus)}`, `Acme …${endingOf(own)}`])
  expect(await accountName(runtime(), fay.accountId)).toBe("Acme")
})
