import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
import { ServiceError } from "@/lib/shared/errors"

export interface CreatedAccount {
  accountId: string
  userId: string
  /** False when the address had its account already. */
  created: boolean
}

interface Origin {
  /** `operator`, or unset for the person who signs up. */
  actor?: string
  clientAddress?: string | null
}

async function findAccount(client: PoolClient, email: string): Promise<CreatedAccount> {
  const { rows } = await client.query<{ user_id: string; account_id: string }>(
    `SELECT u.id AS user_id, m.account_id FROM app_user u JOIN member m ON m.user_id = u.id
     WHERE u.email = $1 ORDER BY m.role = 'owner' DESC, m.created_at LIMIT 1`,
    [email],
  )
  const [row] = rows
  if (!row) throw new Error("a user without an account")
  return { accountId: row.account_id, userId: row.user_id, created: false }
}

async function insertAccount(client: PoolClient, email: string, origin: Origin): Promise<CreatedAccount> {
  const [userId, accountId] = [newId(), newId()]
  // A sign-up of the same address at the same time waits here for the other's end, then finds its account.
  const user = await client.query(
    "INSERT INTO app_user (id, email) VALUES ($1, $2) ON CONFLICT (email) DO NOTHING RETURNING id",
    [userId, email],
  )
  if (!user.rows[0]) return findAccount(client, email)
  await client.query("INSERT INTO account (id) VALUES ($1)", [accountId])
  await client.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, 'owner')", [accountId, userId])
  await client.query("INSERT INTO api_key (id, account_id, kind, name) VALUES ($1, $2, 'playground', 'Playground')", [
    newId(),
    accountId,
  ])
  const amountPico = runtime().env.WELCOME_CREDIT_USD
  if (amountPico > 0n)
    await postEntry(client, { accountId, kind: "welcome", amountPico, source: `welcome:${accountId}` })
  const { actor = `user:${userId}`, clientAddress } = origin
  await recordAudit(client, { accountId, actor, action: "account.create", subject: accountId, clientAddress })
  return { accountId, userId, created: true }
}

/**
 * Makes the account of an e-mail address: user, account, owner, Playground key, welcome credit and audit line, in one
 * transaction. For an address that has its account it changes nothing. Throws `invalid_request` for a bad address.
 */
export async function createAccount(email: string, origin: Origin = {}): Promise<CreatedAccount> {
  const address = parseEmailAddress(email)
  if (!address) throw new ServiceError("invalid_request", { param: "email", message: "This is not an e-mail address." })
  return inTransaction(runtime().pool, (client) => insertAccount(client, address, origin))
}
