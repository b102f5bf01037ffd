import { createHmac } from "node:crypto"
import type { ClientBase, Pool, PoolClient } from "pg"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import { LOCKS } from "@/lib/server/platform/db/locks"
import type { Runtime } from "@/lib/server/platform/runtime"
import { MAILBOX, mailboxOf } from "./mailbox"

/**
 * Returns the keyed hashes of a mailbox, under the current secret and the previous one, and those of the address itself, which version
 * 1.0 stored. They cannot be computed without the secret.
 */
function hashesOf({ env }: Pick<Runtime, "env">, email: string): Buffer[] {
  return [...new Set([mailboxOf(email), email])].flatMap((text) =>
    acceptedSecrets(env).map((secret) => createHmac("sha256", secret).update(`past-address:${text}`).digest()),
  )
}

/** Remembers that a mailbox had a user, in the transaction of `client`. Stores only a keyed hash. */
export async function rememberAddress(runtime: Pick<Runtime, "env">, client: ClientBase, email: string): Promise<void> {
  const [hash] = hashesOf(runtime, email)
  await client.query("INSERT INTO past_address (address_hmac) VALUES ($1) ON CONFLICT DO NOTHING", [hash])
}

/** Returns whether a mailbox had a user that was deleted or that moved to another address. */
export async function isPastAddress(runtime: Runtime, db: Pool | ClientBase, email: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM past_address WHERE address_hmac = ANY ($1)", [
    hashesOf(runtime, email),
  ])
  return rowCount !== 0
}

const HAD_USER = `
  SELECT FROM app_user WHERE ${MAILBOX("email")} = $1 AND erased_at IS NULL AND id <> $2
  UNION ALL SELECT FROM past_address WHERE address_hmac = ANY ($3)`

/**
 * Returns whether a user is the first of its mailbox, in the transaction of `client` that inserted it. Other sign-ups of the mailbox wait
 * for the end of the transaction, so of concurrent ones only one is the first.
 */
export async function isFirstOfMailbox(
  runtime: Runtime,
  client: PoolClient,
  { userId, email }: { userId: string; email: string },
): Promise<boolean> {
  const mailbox = mailboxOf(email)
  await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [LOCKS.mailboxes, mailbox])
  const { rowCount } = await client.query(HAD_USER, [mailbox, userId, hashesOf(runtime, email)])
  return rowCount === 0
}
