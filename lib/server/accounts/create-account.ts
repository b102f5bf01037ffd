import type { PoolClient } from "pg"
import { z } from "zod"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { EmailAddress } from "@/lib/shared/auth/schema"

/** A person who signs up. The audit log names the user that the sign-up creates. */
interface Visitor {
  type: "visitor"
  clientAddress: string | null
}

export const VISITOR: Visitor = { type: "visitor", clientAddress: null }

export const CreateAccountInput = z.strictObject({ email: EmailAddress })

export interface CreatedAccount {
  accountId: string
  userId: string
  /** False when the address already had an account. */
  created: boolean
}

async function findAccount(client: PoolClient, email: string): Promise<CreatedAccount> {
  const { rows } = await client.query<{ user_id: string; account_id: string }>(
    `SELECT u.id AS user_id, m.account_id FROM app_user u JOIN member m ON m.user_id = u.id
     WHERE u.email = $1 ORDER BY m.role = 'owner' DESC, m.created_at LIMIT 1`,
    [email],
  )
  const [row] = rows
  if (!row) throw new Error("the user has no account")
  return { accountId: row.account_id, userId: row.user_id, created: false }
}

async function insertAccount(
  client: PoolClient,
  actor: OperatorActor | Visitor,
  email: string,
): Promise<CreatedAccount> {
  const [userId, accountId] = [newId(), newId()]
  // A concurrent sign-up of the same address waits here until the other transaction ends, then finds its account.
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
  const { clientAddress } = actor
  const audited = actor.type === "visitor" ? { type: "user" as const, userId, accountId, clientAddress } : actor
  await recordAudit(client, { ...audited, accountId }, { action: "account.create", subject: accountId })
  return { accountId, userId, created: true }
}

/**
 * Creates the account of an e-mail address in one transaction: user, account, owner, Playground key, welcome credit and
 * audit row. Changes nothing for an address that already has an account.
 */
export async function createAccount(
  actor: OperatorActor | Visitor,
  input: z.input<typeof CreateAccountInput>,
): Promise<CreatedAccount> {
  const { email } = parseInput(CreateAccountInput, input)
  return inTransaction(runtime().pool, (client) => insertAccount(client, actor, email))
}
