import type { Pool } from "pg"
import { BadSetting, type Env } from "@/lib/server/platform/env"

/** Throws `BadSetting` when a setting names an account that never was. A closed one does not prevent the start: its owner may close it. */
export async function requireNamedAccounts({ OIDC_ACCOUNT }: Env, pool: Pool): Promise<void> {
  if (OIDC_ACCOUNT === undefined) return
  const { rowCount } = await pool.query("SELECT FROM account WHERE id = $1", [OIDC_ACCOUNT])
  if (!rowCount) throw new BadSetting("OIDC_ACCOUNT names no account of this service")
}
