import { hashSessionToken, newSessionToken } from "@/lib/server/auth/session-cookie"
import { newSecret } from "@/lib/server/keys/secret"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { insertPinnedModel, type NewModel } from "@/lib/server/models/add-model"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"

interface KeyOptions {
  limitPico?: bigint
  period?: "daily" | "lifetime"
  expiresAt?: Date
  createdBy?: string
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
    `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, limit_pico, limit_period, expires_at, created_by)
     VALUES ($1, $2, 'Test', $3, $4, $5, $6, $7, $8)`,
    [
      keyId,
      accountId,
      masked,
      sha256,
      options.limitPico ?? null,
      period,
      options.expiresAt ?? null,
      options.createdBy ?? null,
    ],
  )
  return { keyId, token }
}

/** Inserts an account with a key. Its balance is 1 USD unless another is given. */
export async function insertPayer({ balancePico, ...key }: KeyOptions & { balancePico?: bigint } = {}) {
  const { accountId } = await insertAccount(balancePico)
  return { accountId, ...(await insertKey(accountId, key)) }
}

/** Inserts an account with a key and without effective rate limits. */
export async function insertFastKey(balancePico?: bigint) {
  const payer = await insertPayer({ balancePico })
  await runtime().pool.query(
    "UPDATE account SET requests_per_second = 100000, requests_per_second_per_key = 100000 WHERE id = $1",
    [payer.accountId],
  )
  return payer
}

export async function insertModel(id = "test-model-1"): Promise<string> {
  await runtime().pool.query(
    "INSERT INTO model (id, kind, engine, price_pico) VALUES ($1, 'pinned', 'lexical', 0) ON CONFLICT DO NOTHING",
    [id],
  )
  return id
}

/** Inserts a pinned model of an engine with a decision route. Its tokens are groups of four bytes. */
export const insertEngineModel = (id: string, engineUrl: string | null, changes: Partial<NewModel> = {}) =>
  insertPinnedModel(runtime().pool, {
    id,
    engine: "system-one",
    engineUrl,
    engineModel: null,
    pricePico: pico(20_000n),
    tokenizer: "bytes-4",
    promptTemplate: null,
    maxQuestions: 128,
    ...changes,
  })

/** Opens a session of a user, and returns the `Cookie` header. */
export async function insertSessionOf(userId: string): Promise<string> {
  const token = newSessionToken()
  await runtime().pool.query(
    "INSERT INTO session (id, token_hash, user_id, expires_at) VALUES ($1, $2, $3, now() + interval '1 day')",
    [newId(), hashSessionToken(token), userId],
  )
  return `svcd-session=${token}`
}

/** Adds an owner with a session to an account, and returns the `Cookie` header. */
export async function insertSession(accountId: string): Promise<string> {
  const userId = newId()
  const { pool } = runtime()
  await pool.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [userId, `${userId}@example.com`])
  await pool.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, 'owner')", [accountId, userId])
  return insertSessionOf(userId)
}
