import { describe, expect, it } from "vitest"
import { actorOfCookies } from "@/lib/server/auth/actor-of-cookies"
import { switchAccount } from "@/lib/server/auth/switch-account"
import { createKey } from "@/lib/server/keys/create-key"
import { listKeys } from "@/lib/server/keys/read-keys"
import { verifyKey } from "@/lib/server/keys/verify-key"
import type { UserActor } from "@/lib/server/platform/actor"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { query } from "@/test/closing-fixture"
import { testRuntime } from "@/test/database"
import { insertSessionOf } from "@/test/insert-rows"
import { signUp } from "@/test/sign-up"
import { meanwhile } from "@/test/waits-for-lock"
import { listOwnAccounts } from "./account-name"
import { addAccount } from "./add-account"

await testRuntime({ WELCOME_CREDIT_USD: "2.50" })

const uuidOf = ({ id }: { id: string }) => parsePublicId("acc", id) ?? ""

async function whatExists(accountId: string) {
  const { rows } = await query(
    `SELECT balance_pico AS balance, name,
       (SELECT array_agg(u.email || ' ' || m.role) FROM member m JOIN app_user u ON u.id = m.user_id WHERE account_id = a.id) AS members,
       (SELECT array_agg(kind || ' ' || k.name) FROM api_key k WHERE account_id = a.id) AS keys,
       (SELECT count(*)::int FROM ledger_entry WHERE account_id = a.id) AS entries,
       (SELECT array_agg(actor || ' ' || action) FROM audit_event WHERE account_id = a.id) AS audit
     FROM account a WHERE id = $1`,
    [accountId],
  )
  return rows[0]
}

const addMany = (actor: UserActor, count: number) =>
  Promise.allSettled(Array.from({ length: count }, (_, i) => addAccount(runtime(), actor, { name: `Team ${i}` })))

const codes = (settled: PromiseSettledResult<unknown>[]) =>
  settled.flatMap((result) => (result.status === "rejected" ? [result.reason.code] : []))

describe("an added account", () => {
  it("belongs to its creator, has a Playground key and no welcome credit", async () => {
    const ada = await signUp("ada@adding.example")
    expect((await whatExists(ada.accountId)).balance).toBe("2500000000000")
    const added = await addAccount(runtime(), ada, { name: "Staging" })
    expect(added).toEqual({ id: expect.stringMatching(/^acc_[0-9a-z]{26}$/), name: "Staging" })
    expect(await whatExists(uuidOf(added))).toEqual({
      balance: "0",
      name: "Staging",
      members: ["ada@adding.example owner"],
      keys: ["playground Playground"],
      entries: 0,
      audit: [`user:${ada.userId} account.create`],
    })
  })

  it("is shown once its owner switches to it, and no key moves", async () => {
    const bob = await signUp("bob@adding.example")
    const { id, token } = await createKey(runtime(), bob, { name: "CI", limit: null, expiresAt: null })
    const cookie = await insertSessionOf(bob.userId)
    const shown = async () => (await actorOfCookies(runtime(), cookie, null)) as UserActor
    const added = await addAccount(runtime(), await shown(), { name: "Client" })
    expect(await shown()).toMatchObject({ accountId: bob.accountId, role: "owner" })
    expect((await listOwnAccounts(runtime(), bob)).map(({ name, isCurrent }) => [name, isCurrent])).toEqual([
      ["bob@adding.example", true],
      ["Client", false],
    ])
    expect(await switchAccount(runtime(), await shown(), added)).toBe(true)
    const there = await shown()
    expect(there).toMatchObject({ accountId: uuidOf(added), role: "owner" })
    expect((await listKeys(runtime(), there)).map(({ name }) => name)).toEqual(["Playground"])
    expect((await listKeys(runtime(), bob)).map((key) => key.id)).toContain(id)
    expect(await verifyKey(runtime(), `Bearer ${token}`)).toMatchObject({ accountId: bob.accountId })
  })

  it("can be added by a member who may change nothing in the account that the session shows", async () => {
    const cyd = { ...(await signUp("cyd@adding.example")), role: "viewer" as const }
    expect(await addAccount(runtime(), cyd, { name: "Own" })).toMatchObject({ name: "Own" })
  })
})

describe("a person", () => {
  it("owns at most 20 accounts, also when 25 are added at once, of which a closed one does not count", async () => {
    const dan = await signUp("dan@adding.example")
    expect(codes(await addMany(dan, 25))).toEqual(Array(6).fill("rate_limited"))
    expect(await listOwnAccounts(runtime(), dan)).toHaveLength(20)
    await query("UPDATE account SET status = 'closed' WHERE id = $1", [dan.accountId])
    expect(codes(await addMany(dan, 2))).toEqual(["rate_limited"])
  })

  it("who is only a member of an account does not own it", async () => {
    const eve = await signUp("eve@adding.example")
    await addMany(eve, 19)
    await query("UPDATE member SET role = 'developer' WHERE user_id = $1 AND account_id = $2", [
      eve.userId,
      eve.accountId,
    ])
    expect(codes(await addMany(eve, 2))).toEqual(["rate_limited"])
  })

  it("whose account is suspended adds none", async () => {
    const fay = await signUp("fay@adding.example")
    await addAccount(runtime(), fay, { name: "Second" })
    await query("UPDATE account SET status = 'suspended' WHERE id = $1", [fay.accountId])
    await expect(addAccount(runtime(), fay, { name: "Third" })).rejects.toMatchObject({
      code: "forbidden",
      message: "One of your accounts is suspended. Ask the operator before you add another one.",
    })
    expect(await listOwnAccounts(runtime(), fay)).toHaveLength(1)
  })

  it("who was deleted meanwhile adds none", async () => {
    const gus = await signUp("gus@adding.example")
    const adding = meanwhile(
      () => addAccount(runtime(), gus, { name: "Late" }),
      (client) =>
        client.query("UPDATE app_user SET email = 'deleted-user-gus', erased_at = now() WHERE id = $1", [gus.userId]),
    )
    await expect(adding).rejects.toThrow("the user was deleted")
    expect((await query("SELECT FROM account WHERE name = 'Late'")).rowCount).toBe(0)
  })
})
