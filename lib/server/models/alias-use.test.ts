import { expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { AliasUses, listAliasAccounts, saveAliasUses } from "./alias-use"

await testRuntime()
const HOUR = 3_600_000

test("the accounts on the alias are those that sent it in the last 30 days, the latest first", async () => {
  const [early, late, gone] = [await signUp(), await signUp("late@example.com"), await signUp()]
  const { aliasUses } = runtime()
  const now = Date.now()
  aliasUses.used(gone.accountId, now - 31 * 24 * HOUR)
  aliasUses.used(early.accountId, now - 2 * HOUR)
  aliasUses.used(late.accountId, now)
  await saveAliasUses(runtime())
  await saveAliasUses(runtime())
  const { total, accounts } = await listAliasAccounts(runtime(), OPERATOR)
  expect(total).toBe(2)
  expect(accounts.map(({ id }) => id)).toEqual([publicId("acc", late.accountId), publicId("acc", early.accountId)])
  expect(accounts[0]).toMatchObject({
    email: "late@example.com",
    lastUsedAt: new Date(now).toISOString(),
    spentPico: 0n,
  })
  expect(await listAliasAccounts(runtime(), OPERATOR, 1)).toMatchObject({
    total: 2,
    accounts: [{ email: "late@example.com" }],
  })
})

test("an account's uses are saved once an hour", () => {
  const uses = new AliasUses()
  uses.used("a", 0)
  expect([...uses.take(0)]).toEqual([["a", 0]])
  uses.used("a", HOUR - 1)
  expect([...uses.take(HOUR - 1)]).toEqual([])
  uses.used("a", HOUR)
  expect([...uses.take(HOUR)]).toEqual([["a", HOUR]])
})

test("uses that could not be saved are saved later", async () => {
  const { pool, aliasUses } = runtime()
  const actor = await signUp()
  aliasUses.used(actor.accountId)
  await pool.query("ALTER TABLE alias_use RENAME TO alias_use_away")
  await expect(saveAliasUses(runtime())).rejects.toThrow("alias_use")
  await pool.query("ALTER TABLE alias_use_away RENAME TO alias_use")
  await saveAliasUses(runtime())
  expect((await pool.query("SELECT FROM alias_use WHERE account_id = $1", [actor.accountId])).rowCount).toBe(1)
})
