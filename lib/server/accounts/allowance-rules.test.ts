import { beforeEach, describe, expect, it } from "vitest"
import { deleteUser } from "@/lib/server/closing/delete-user"
import { OPERATOR } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { DECEMBER, entriesOf, grant, OF_DECEMBER, OF_NOVEMBER, run, set, startMonth } from "@/test/allowance-fixture"
import { query, sessionOf } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { joinAccount, signUp } from "@/test/sign-up"
import { setClock } from "@/test/tenant"
import { addAccount } from "./add-account"
import { endAllowance, listAllowances } from "./allowance-rules"

await testRuntime({ WELCOME_CREDIT_USD: "0" })

let domain = ""
beforeEach(async () => {
  domain = await startMonth()
})

describe("a person", () => {
  it("brings the allowance to one account, also after adding accounts and leaving the first one", async () => {
    const ada = await signUp(`ada@${domain}`)
    const { id } = await addAccount(runtime(), ada, { name: "Second" })
    const second = { ...ada, accountId: parsePublicId("acc", id) ?? "" }
    await set(domain, 20n)
    await grant()
    await query("UPDATE account SET status = 'closed' WHERE id = $1", [ada.accountId])
    await grant()
    expect([await entriesOf(ada), await entriesOf(second)]).toEqual([[OF_NOVEMBER], []])
    await run(DECEMBER)
    expect(await entriesOf(second)).toEqual([OF_DECEMBER])
  })

  it("who owns an account with another one brings it one allowance", async () => {
    const ada = await signUp(`ada@${domain}`)
    const bob = await joinAccount(ada, "owner", await signUp(`bob@${domain}`))
    await query("DELETE FROM member WHERE user_id = $1 AND account_id <> $2", [bob.userId, ada.accountId])
    await set(domain, 20n)
    await grant()
    await grant()
    expect(await entriesOf(ada)).toEqual([OF_NOVEMBER])
  })

  it("who deletes their user and signs up again gets nothing more in that month", async () => {
    // Users are created by the database's own clock.
    await setClock(new Date().toISOString())
    const ada = await sessionOf(await signUp(`ada@${domain}`))
    await set(domain, 20n)
    await grant()
    await deleteUser(runtime(), ada, { email: ada.email })
    const again = await signUp(`ada@${domain}`)
    await grant()
    expect(await entriesOf(again)).toEqual([])
    await run("2100-01-05T00:00:00Z")
    expect(await entriesOf(again)).toEqual(["credit 20 Allowance for January 2100"])
  })

  it("whose account is suspended gets it once it is resumed", async () => {
    const ada = await signUp(`ada@${domain}`)
    await query("UPDATE account SET status = 'suspended' WHERE id = $1", [ada.accountId])
    await set(domain, 20n)
    await grant()
    expect(await entriesOf(ada)).toEqual([])
    await query("UPDATE account SET status = 'active' WHERE id = $1", [ada.accountId])
    await grant()
    expect(await entriesOf(ada)).toEqual([OF_NOVEMBER])
  })
})

it("an allowance for accounts is brought by owners only", async () => {
  const team = await signUp(`owner@not-${domain}`)
  const bob = await joinAccount(team, "billing", await signUp(`bob@${domain}`))
  await query("DELETE FROM member WHERE user_id = $1 AND account_id <> $2", [bob.userId, team.accountId])
  await set(domain, 20n)
  await grant()
  expect(await entriesOf(team)).toEqual([])
})

describe("an allowance for members", () => {
  it("is credited to the account for each of the domain's people in it, and for each person once a month", async () => {
    const team = await signUp(`owner@not-${domain}`)
    const bob = await joinAccount(team, "developer", await signUp(`bob@${domain}`))
    await query("DELETE FROM member WHERE user_id = $1 AND account_id <> $2", [bob.userId, team.accountId])
    await set(domain, 20n, { per: "member" })
    await grant()
    expect(await entriesOf(team)).toEqual([OF_NOVEMBER])
    const cyd = await joinAccount(team, "viewer", await signUp(`cyd@${domain}`))
    await query("DELETE FROM member WHERE user_id = $1 AND account_id <> $2", [cyd.userId, team.accountId])
    await query("DELETE FROM member WHERE user_id = $1", [bob.userId])
    await joinAccount(team, "developer", bob)
    await grant()
    expect(await entriesOf(team)).toEqual([OF_NOVEMBER, OF_NOVEMBER])
  })
})

describe("a rule", () => {
  it("for one account credits it, or each of its members, whatever their addresses are", async () => {
    const ada = await signUp(`ada@${domain}`)
    await joinAccount(ada, "viewer", await signUp(`bob@not-${domain}`))
    await expect(set(`acc_${"0".repeat(26)}`, 20n)).rejects.toMatchObject({
      code: "not_found",
      message: "There is no such account.",
    })
    const target = publicId("acc", ada.accountId)
    await set(target, 20n)
    await set(target, 2n, { per: "member" })
    await grant()
    expect((await entriesOf(ada)).toSorted()).toEqual([
      "credit 2 Allowance for November 2026",
      "credit 2 Allowance for November 2026",
      OF_NOVEMBER,
    ])
    expect(await listAllowances(runtime(), OPERATOR)).toMatchObject([
      { target, email: ada.email, per: "account", granted: 1 },
      { target, email: ada.email, per: "member", granted: 2 },
    ])
  })

  it("that is set again has the new amount from the next credit on, and credits nobody twice in a month", async () => {
    const ada = await signUp(`ada@${domain}`)
    const { id } = await set(domain, 20n)
    await grant()
    await endAllowance(runtime(), OPERATOR, { id })
    await expect(endAllowance(runtime(), OPERATOR, { id })).rejects.toMatchObject({ code: "not_found" })
    expect(await listAllowances(runtime(), OPERATOR)).toEqual([])
    expect(await set(domain, 30n)).toEqual({ id })
    await grant()
    expect(await entriesOf(ada)).toEqual([OF_NOVEMBER])
    await run(DECEMBER)
    expect((await entriesOf(ada)).slice(1)).toEqual([
      "credit 30 Allowance for December 2026",
      "debit -20 Unused allowance of November 2026",
    ])
  })

  it("that ended credits nothing more, and what it credited is debited at the end of the month", async () => {
    const ada = await signUp(`ada@${domain}`)
    const { id } = await set(domain, 20n)
    await grant()
    await endAllowance(runtime(), OPERATOR, { id })
    const late = await signUp(`late@${domain}`)
    await grant()
    await run(DECEMBER)
    expect(await entriesOf(ada)).toEqual([OF_NOVEMBER, "debit -20 Unused allowance of November 2026"])
    expect(await entriesOf(late)).toEqual([])
  })
})
