import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { type OperatorActor, VISITOR, type VisitorActor } from "@/lib/server/platform/actor"
import type { Nullable, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { isFirstOfMailbox } from "./past-addresses"
import { findAdmission, SignUpRefused } from "./sign-up-policy"

export class UserDeleted extends Error {
  constructor() {
    super("the user was deleted")
  }
}

export interface CreatedAccount {
  accountId: string
  userId: string
  /** False when the address already had an account. */
  created: boolean
}

const INSERT = `
  INSERT INTO account (id, name, requests_per_second, requests_per_second_per_key) VALUES ($1, $2, $3, $4)`

/**
 * Inserts an account with the rates and the budget of the settings, its first owner and its Playground key, in the transaction of `client`. An account without a name shows its
 * owner's address. Returns its UUID.
 */
export async function insertAccountOf(
  { env }: Pick<Runtime, "env">,
  client: PoolClient,
  userId: string,
  name: string | null = null,
): Promise<string> {
  const accountId = newId()
  await client.query(INSERT, [accountId, name, env.ACCOUNT_RATE, env.KEY_RATE])
  await client.query("INSERT INTO member (account_id, user_id, role) VALUES ($1, $2, 'owner')", [accountId, userId])
  await client.query("INSERT INTO api_key (id, account_id, kind, name) VALUES ($1, $2, 'playground', 'Playground')", [
    newId(),
    accountId,
  ])
  if (env.ACCOUNT_BUDGET_USD !== undefined)
    await client.query("SELECT set_budget($1, $2, NULL, 'monthly', $3)", [newId(), accountId, env.ACCOUNT_BUDGET_USD])
  return accountId
}

/** Returns the user of an address, locked, with one account of the user; null for a user who is in none. */
async function findUser(client: PoolClient, email: string): Promise<{ userId: string; accountId: string | null }> {
  const { rows } = await client.query<Row<"Member", "user_id"> & Nullable<Row<"Member", "account_id">>>(
    `SELECT u.id AS user_id, m.account_id FROM app_user u LEFT JOIN member m ON m.user_id = u.id
     WHERE u.email = $1 ORDER BY m.role = 'owner' DESC, m.created_at LIMIT 1 FOR UPDATE OF u`,
    [email],
  )
  const [row] = rows
  if (!row) throw new Error("the user was not found")
  return { accountId: row.account_id, userId: row.user_id }
}

/** Runs in the transaction that finds or inserts the user of an address. */
type OnUser = (client: PoolClient, user: { userId: string; isNew: boolean }) => Promise<void>

async function insertAccount(
  runtime: Runtime,
  client: PoolClient,
  actor: OperatorActor | VisitorActor,
  { email, onUser }: { email: string; onUser?: OnUser },
): Promise<CreatedAccount> {
  const newUserId = newId()
  // A concurrent sign-up of the same address waits here until the other transaction ends, then finds its account.
  const user = await client.query(
    "INSERT INTO app_user (id, email) VALUES ($1, $2) ON CONFLICT (email) DO NOTHING RETURNING id",
    [newUserId, email],
  )
  const isNew = user.rows.length > 0
  if (isNew && actor.type === "visitor" && !(await findAdmission(runtime, client, email)).isAdmitted)
    throw new SignUpRefused()
  const found = isNew ? { userId: newUserId, accountId: null } : await findUser(client, email)
  const { userId } = found
  await onUser?.(client, { userId, isNew })
  if (found.accountId !== null) return { accountId: found.accountId, userId, created: false }
  const accountId = await insertAccountOf(runtime, client, userId)
  const amountPico = runtime.env.WELCOME_CREDIT_USD
  // A mailbox gets welcome credit once. Its user could otherwise leave an account, or delete the user, and collect it again.
  if (isNew && amountPico > 0n && (await isFirstOfMailbox(runtime, client, { userId, email })))
    await postEntry(client, { accountId, kind: "welcome", amountPico, source: `welcome:${accountId}` })
  const by = actor.type === "visitor" ? { ...actor, userId, accountId } : { ...actor, accountId }
  await recordAudit(client, by, { action: "account.create", subject: accountId })
  return { accountId, userId, created: true }
}

/**
 * Creates the account of an e-mail address in one transaction: user, account, owner, Playground key and audit row, and welcome credit
 * for a mailbox that never had a user. Changes nothing for an address that already has an account. Throws `SignUpRefused` for a
 * visitor's new address that `SIGN_UP` does not admit.
 */
export async function createAccount(
  runtime: Runtime,
  actor: OperatorActor | VisitorActor,
  input: { email: string; onUser?: OnUser },
): Promise<CreatedAccount> {
  return inTransaction(runtime.pool, (client) => insertAccount(runtime, client, actor, input))
}

/**
 * Creates an account for a user who is in none, for example after leaving the last one. It gets no welcome credit. Changes nothing
 * for a member of any account. Locks the user in the transaction of `client`. Throws `UserDeleted`.
 */
export async function ensureAccount(
  runtime: Pick<Runtime, "env">,
  client: PoolClient,
  userId: string,
  clientAddress: string | null,
): Promise<void> {
  const user = await client.query("SELECT FROM app_user WHERE id = $1 AND erased_at IS NULL FOR UPDATE", [userId])
  if (!user.rowCount) throw new UserDeleted()
  const { rowCount } = await client.query("SELECT FROM member WHERE user_id = $1 LIMIT 1", [userId])
  if (rowCount) return
  const accountId = await insertAccountOf(runtime, client, userId)
  const by = { ...VISITOR, userId, accountId, clientAddress }
  await recordAudit(client, by, { action: "account.create", subject: accountId })
}
