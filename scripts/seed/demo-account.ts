import type { Pool } from "pg"
import { newSecret } from "@/lib/server/keys/secret"
import type { Row } from "@/lib/server/platform/db/row"
import { newId } from "@/lib/server/platform/ids"
import type { Role } from "@/lib/shared/accounts/roles"
import { parseUsd } from "@/lib/shared/money"
import { DAY_MS } from "@/lib/shared/time"

export const OWNER = "demo@example.com"

const MEMBERS: [email: string, role: Role][] = [
  ["grace@example.com", "owner"],
  ["linus@example.com", "developer"],
  ["ada@example.com", "developer"],
  ["bill@example.com", "billing"],
  ["vera@example.com", "viewer"],
]

const PURPOSES = [
  "Support inbox",
  "Refund triage",
  "Order screening",
  "Review moderation",
  "Lead scoring",
  "Night batch",
]
const PLACES = ["production", "staging", "Berlin", "Osaka", "load test"]

interface DemoKey {
  name: string
  limitUsd: string | null
  period: "daily" | "lifetime" | null
  /** Days from now until it expires, negative for the past; null for never. */
  expiresInDays: number | null
}

/** The keys by position. The first ones send most requests, so the limits are on later ones. */
export const KEYS: readonly DemoKey[] = PURPOSES.flatMap((purpose) =>
  PLACES.map((place) => `${purpose}, ${place}`),
).map(
  (name, i): DemoKey => ({
    name,
    limitUsd: i % 6 === 4 ? "0.02" : i % 6 === 5 ? "0.50" : null,
    period: i % 6 === 4 ? "daily" : i % 6 === 5 ? "lifetime" : null,
    expiresInDays: i % 10 === 7 ? -12 : i % 10 === 8 ? 5 : null,
  }),
)

export interface DemoAccount {
  accountId: string
  userId: string
  /** UUIDs in the order of `KEYS`. */
  keyIds: string[]
}

async function insertUser(pool: Pool, email: string): Promise<string> {
  const id = newId()
  await pool.query("INSERT INTO app_user (id, email, email_verified_at) VALUES ($1, $2, now())", [id, email])
  return id
}

async function insertKey(pool: Pool, accountId: string, userId: string, key: DemoKey, since: Date): Promise<string> {
  const { sha256, masked } = newSecret("svcd_")
  const id = newId()
  const expiresAt = key.expiresInDays === null ? null : new Date(Date.now() + key.expiresInDays * DAY_MS)
  await pool.query(
    `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, limit_pico, limit_period, expires_at, created_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      ...[id, accountId, key.name, masked, sha256],
      ...[key.limitUsd === null ? null : parseUsd(key.limitUsd), key.period, expiresAt, since, userId],
    ],
  )
  return id
}

/** Creates an account of the demo's owner with these keys. It exists since `since`. Its secrets are not kept. */
async function insertAccount(
  pool: Pool,
  userId: string,
  name: string,
  keys: readonly DemoKey[],
  since: Date,
): Promise<DemoAccount> {
  const accountId = newId()
  await pool.query("INSERT INTO account (id, name, created_at) VALUES ($1, $2, $3)", [accountId, name, since])
  await pool.query("INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, 'owner', $3)", [
    ...[accountId, userId, since],
  ])
  await pool.query(
    "INSERT INTO api_key (id, account_id, kind, name, created_at) VALUES ($1, $2, 'playground', 'Playground', $3)",
    [...[newId(), accountId, since]],
  )
  const keyIds: string[] = []
  for (const key of keys) keyIds.push(await insertKey(pool, accountId, userId, key, since))
  return { accountId, userId, keyIds }
}

/** Creates the demo's owner with two accounts, and the members of the first. Throws when one of their addresses is in use. */
export async function createDemoAccounts(
  pool: Pool,
  since: Date,
): Promise<{ main: DemoAccount; overdrawn: DemoAccount }> {
  const emails = [OWNER, ...MEMBERS.map(([email]) => email)]
  const { rows } = await pool.query<Row<"User", "email">>(
    "SELECT email FROM app_user WHERE email = ANY ($1) ORDER BY id",
    [emails],
  )
  if (rows[0]) throw new Error(`${rows[0].email} exists already. To seed, use another DATA_DIR.`)
  const userId = await insertUser(pool, OWNER)
  const main = await insertAccount(pool, userId, "Demo shop", KEYS, since)
  for (const [email, role] of MEMBERS)
    await pool.query("INSERT INTO member (account_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)", [
      ...[main.accountId, await insertUser(pool, email), role, since],
    ])
  return { main, overdrawn: await insertAccount(pool, userId, "Demo shop, below zero", KEYS.slice(0, 2), since) }
}

/** Gives some keys the states that a request could not pass: two are paused, three revoked. */
export async function endKeys(pool: Pool, { keyIds }: DemoAccount): Promise<void> {
  await pool.query("UPDATE api_key SET paused_at = now() WHERE id = ANY ($1)", [[keyIds[9], keyIds[21]]])
  await pool.query("UPDATE api_key SET revoked_at = now() WHERE id = ANY ($1)", [[keyIds[12], keyIds[18], keyIds[26]]])
}
