import { hashSessionToken, newSessionToken } from "@/lib/server/auth/session-cookie"
import { newSecret } from "@/lib/server/keys/secret"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"

interface KeyOptions {
  limitPico?: bigint
  period?: "daily" | "lifetime"
  expiresAt?: Date
}

/** Inserts an account with this balance and its Playground key. The returned ids are UUIDs. */
export async function insertAccount(
  balancePico = 1_000_000_000_000n,
): Promise<{ accountId: string; playgroundKeyId: string }> {
  const { pool } = runtime()
  const accountId = newId()
  const playgroundKeyId = newId()
  await pool.query("INSERT INTO account (id) VALUES ($1)", [accountId])
  await pool.query("INSERT INTO api_key (id, account_id, kind, name) VALUES ($1, $2, 'playground', 'Playground')", [
    playgroundKeyId,
    accountId,
  ])
  if (balancePico !== 0n)
    await postEntry(pool, { accountId, kind: "credit", amountPico: pico(balancePico), source: `test:${accountId}` })
  return { accountId, playgroundKeyId }
}

export async function insertKey(
  accountId: string,
  options: KeyOptions = {},
): Promise<{ keyId: string; token: string }> {
  const { token, sha256, masked } = newSecret("svcd_")
  const keyId = newId()
  const period = options.limitPico === undefined ? null : (options.period ?? "lifetime")
  await runtime().pool.query(
    `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, limit_pico, limit_period, expires_at)
     VALUES ($1, $2, 'Test', $3, $4, $5, $6, $7)`,
    [keyId, accountId, masked, sha256, options.limitPico ?? null, period, options.expiresAt ?? null],
  )
  return { keyId, token }
}

/** Inserts an account without effective rate limits, and returns the token of its key. */
export async function insertFastKey(balancePico?: bigint): Promise<{ accountId: string; token: string }> {
  const { accountId } = await insertAccount(balancePico)
  await runtime().pool.query(
    "UPDATE account SET requests_per_second = 100000, requests_per_second_per_key = 100000 WHERE id = $1",
    [accountId],
  )
  return { accountId, token: (await insertKey(accountId)).token }
}

export async function insertModel(id = "test-model-1"): Promise<string> {
  await runtime().pool.query(
    "INSERT INTO model (id, kind, engine, price_pico) VALUES ($1, 'pinned', 'lexical', 0) ON CONFLICT DO NOTHING",
    [id],
  )
  return id
}

/** Adds an owner with a session to an account, and returns the `Cookie` header. */
export async function insertSession(accountId: string): Promise<string> {
  const token = newSessionToken()
  const userId = newId()
  const { pool } = runtime()
  await pool.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [userId, `${userId}@example.com`])
  await pool.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, 'owner')", [accountId, userId])
  await pool.query(
    "INSERT INTO session (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')",
    [newId(), hashSessionToken(token), userId],
  )
  return `svcd-session=${token}`
}
