import { expect, test } from "vitest"
import { BadSetting } from "@/lib/server/platform/env"
import { newId } from "@/lib/server/platform/ids"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { requireNamedAccounts } from "./named-accounts"

const { env, pool } = await testRuntime()

test("a setting with an unknown account prevents the start, and one whose account was closed does not", async () => {
  const { accountId } = await signUp()
  await expect(requireNamedAccounts({ ...env, OIDC_ACCOUNT: newId() }, pool)).rejects.toThrow(
    new BadSetting("OIDC_ACCOUNT names no account of this service"),
  )
  await requireNamedAccounts({ ...env, OIDC_ACCOUNT: accountId }, pool)
  await pool.query("UPDATE account SET status = 'closed' WHERE id = $1", [accountId])
  await requireNamedAccounts({ ...env, OIDC_ACCOUNT: accountId }, pool)
  await requireNamedAccounts(env, pool)
  const SIGN_UP_ACCOUNTS = new Map([["tied.example", { accountId: newId(), role: "viewer" as const }]])
  await expect(requireNamedAccounts({ ...env, SIGN_UP_ACCOUNTS }, pool)).rejects.toThrow(
    new BadSetting("SIGN_UP_ACCOUNTS names no account of this service"),
  )
})
