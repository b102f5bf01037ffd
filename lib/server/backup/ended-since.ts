import type { ClientBase, Pool, PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { endAutoTopup } from "@/lib/server/billing/saved-card"
import { eraseAccount, eraseUser } from "@/lib/server/closing/erase"
import { OPERATOR, operatorFor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { HOUR_MS } from "@/lib/shared/time"

type Secrets = Row<
  "ApiKey",
  | "id"
  | "secret_sha256"
  | "masked"
  | "replaced_at"
  | "replaced_by"
  | "previous_sha256"
  | "previous_masked"
  | "previous_until"
  | "previous_at"
  | "previous_by"
>

/** What ended in the live database after a backup, and works again in what was restored from it. Ids are UUIDs. */
export interface EndedSince {
  revokedKeys: string[]
  /** The secrets that keys have now. */
  replacedSecrets: Secrets[]
  endedAccounts: { id: string; status: "suspended" | "closed"; isErased: boolean }[]
  erasedUsers: string[]
}

/** A transaction that began before the snapshot may have committed after it. */
const OVERLAP_MS = HOUR_MS

const KEYS = "SELECT id FROM api_key WHERE revoked_at > $1"
const SECRETS = `
  SELECT id, secret_sha256, masked, replaced_at, replaced_by, previous_sha256, previous_masked, previous_until,
    previous_at, previous_by
  FROM api_key WHERE replaced_at > $1 AND revoked_at IS NULL`
const USERS = "SELECT id FROM app_user WHERE erased_at > $1"
// Closing by its owner erases an account, closing by the operator does not.
const ACCOUNTS = `
  SELECT id, status, NOT EXISTS (SELECT FROM member m WHERE m.account_id = a.id) AS "isErased"
  FROM account a WHERE status <> 'active' AND inactive_since > $1`

const STILL_KEYS = `
  SELECT id, account_id FROM api_key WHERE id = ANY ($1) AND revoked_at IS NULL ORDER BY id`
const STILL_SECRETS = `
  SELECT k.id FROM unnest($1::uuid[], $2::bytea[]) AS now(id, secret) JOIN api_key k ON k.id = now.id AND k.secret_sha256 <> now.secret`
const STILL_USERS = "SELECT id, email FROM app_user WHERE id = ANY ($1) AND erased_at IS NULL ORDER BY id"
const STILL_ACCOUNTS = "SELECT id, status FROM account WHERE id = ANY ($1) ORDER BY id"

const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id)

/** Returns what ended in the live database since a backup was taken, and did not in the restored one. */
export async function findEnded(live: Pool, restored: Pool | ClientBase, takenAt: Date): Promise<EndedSince> {
  const since = new Date(takenAt.getTime() - OVERLAP_MS)
  const { rows: keys } = await live.query<Row<"ApiKey", "id">>(KEYS, [since])
  const { rows: secrets } = await live.query<Secrets>(SECRETS, [since])
  const { rows: users } = await live.query<Row<"User", "id">>(USERS, [since])
  const { rows: accounts } = await live.query<EndedSince["endedAccounts"][number]>(ACCOUNTS, [since])
  const { rows: stillKeys } = await restored.query<Row<"ApiKey", "id">>(STILL_KEYS, [idsOf(keys)])
  const { rows: others } = await restored.query<{ id: string }>(STILL_SECRETS, [
    idsOf(secrets),
    secrets.map(({ secret_sha256 }) => secret_sha256),
  ])
  const { rows: stillUsers } = await restored.query<Row<"User", "id">>(STILL_USERS, [idsOf(users)])
  const { rows: known } = await restored.query<{ id: string; status: string }>(STILL_ACCOUNTS, [idsOf(accounts)])
  const statusOf = new Map(known.map(({ id, status }) => [id, status]))
  return {
    revokedKeys: idsOf(stillKeys),
    replacedSecrets: secrets.filter(({ id }) => others.some((other) => other.id === id)),
    endedAccounts: accounts.filter(({ id, status }) => statusOf.has(id) && statusOf.get(id) !== status),
    erasedUsers: idsOf(stillUsers),
  }
}

async function revoke(client: ClientBase, ids: string[]): Promise<void> {
  const { rows } = await client.query<Row<"ApiKey", "id" | "account_id">>(STILL_KEYS, [ids])
  await client.query("UPDATE api_key SET revoked_at = ledger_now() WHERE id = ANY ($1)", [idsOf(rows)])
  for (const { id, account_id } of rows)
    await recordAudit(client, operatorFor(account_id), { action: "key.revoke", subject: publicId("key", id) })
}

// The backup may be older than the users who made the secrets.
const REPLACE = `
  UPDATE api_key SET secret_sha256 = $2, masked = $3, replaced_at = $4, previous_sha256 = $5, previous_masked = $6, previous_until = $7,
    replaced_by = (SELECT id FROM app_user WHERE id = $8), previous_at = $9,
    previous_by = (SELECT id FROM app_user WHERE id = $10)
  WHERE id = $1 RETURNING account_id`

/** Gives a key the secrets that it has in the live database. */
async function replace(client: ClientBase, secrets: Secrets): Promise<void> {
  const { id } = secrets
  const { rows } = await client.query<Row<"ApiKey", "account_id">>(REPLACE, [
    id,
    secrets.secret_sha256,
    secrets.masked,
    secrets.replaced_at,
    secrets.previous_sha256,
    secrets.previous_masked,
    secrets.previous_until,
    secrets.replaced_by,
    secrets.previous_at,
    secrets.previous_by,
  ])
  for (const { account_id } of rows)
    await recordAudit(client, operatorFor(account_id), { action: "key.replace", subject: publicId("key", id) })
}

async function endAccount(client: PoolClient, { id, status, isErased }: EndedSince["endedAccounts"][number]) {
  await client.query("UPDATE account SET status = $2, inactive_since = ledger_now() WHERE id = $1", [id, status])
  await client.query("DELETE FROM session WHERE account_id = $1", [id])
  if (status === "closed") await endAutoTopup(client, operatorFor(id), null)
  if (isErased) await eraseAccount(client, id)
  const action = status === "closed" ? "account.close" : "account.suspend"
  await recordAudit(client, operatorFor(id), { action, subject: id })
}

/**
 * Ends in a restored database what ended in the live one since the backup: revokes the keys, replaces the secrets, suspends or closes the
 * accounts, and erases the users, in one transaction.
 */
export async function endAgain(
  runtime: Pick<Runtime, "env">,
  restored: Pool,
  { revokedKeys, replacedSecrets, endedAccounts, erasedUsers }: EndedSince,
): Promise<void> {
  await inTransaction(restored, async (client) => {
    await revoke(client, revokedKeys)
    for (const secrets of replacedSecrets) await replace(client, secrets)
    for (const account of endedAccounts) await endAccount(client, account)
    const { rows } = await client.query<Row<"User", "id" | "email">>(STILL_USERS, [erasedUsers])
    for (const { id, email } of rows) {
      await recordAudit(client, OPERATOR, { action: "user.delete", subject: publicId("usr", id) })
      await eraseUser(runtime, client, { userId: id, email })
    }
  })
}
