import { createHmac } from "node:crypto"
import type { ClientBase, Pool } from "pg"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import type { Runtime } from "@/lib/server/platform/runtime"

/** Returns the keyed hashes of an address, under the current secret and the previous one. They cannot be computed without the secret. */
function hashesOf({ env }: Pick<Runtime, "env">, email: string): Buffer[] {
  return acceptedSecrets(env).map((secret) => createHmac("sha256", secret).update(`past-address:${email}`).digest())
}

/** Remembers that an address had a user, in the transaction of `client`. Stores only a keyed hash. */
export async function rememberAddress(runtime: Pick<Runtime, "env">, client: ClientBase, email: string): Promise<void> {
  const [hash] = hashesOf(runtime, email)
  await client.query("INSERT INTO past_address (address_hmac) VALUES ($1) ON CONFLICT DO NOTHING", [hash])
}

/** Returns whether an address had a user that was deleted or that moved to another address. */
export async function isPastAddress(runtime: Runtime, db: Pool | ClientBase, email: string): Promise<boolean> {
  const { rowCount } = await db.query("SELECT FROM past_address WHERE address_hmac = ANY ($1)", [
    hashesOf(runtime, email),
  ])
  return rowCount !== 0
}
