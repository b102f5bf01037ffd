import type { Pool } from "pg"
import { BadSetting, type Env } from "@/lib/server/platform/env"

/** Throws `BadSetting` when a setting names an account that never was. A closed one does not prevent the start: its owner may close it. */
export async function requireNamedAccounts({ OIDC_ACCOUNT, SIGN_UP_ACCOUNTS }: Env, pool: Pool): Promise<void> {
  const named = [
    ...(OIDC_ACCOUNT === undefined ? [] : [["OIDC_ACCOUNT", OIDC_ACCOUNT] as const]),
    ...[...SIGN_UP_ACCOUNTS.values()].map(({ accountId }) => ["SIGN_UP_ACCOUNTS", accountId] as const),
  ]
  for (const [setting, accountId] of named) {
    const { rowCount } = await pool.query("SELECT FROM account WHERE id = $1", [accountId])
    if (!rowCount) throw new BadSetting(`${setting} names no account of this service`)
  }
}
