import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto"
import type { ClientBase } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Present, Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { openSecret, resealSecret, sealSecret } from "@/lib/server/platform/sealed-secret"

const PURPOSE = "signing keys"

/** An Ed25519 key of the installation, as everyone may see it. */
export interface SigningKey {
  id: string
  /** The 32 bytes as base64url. */
  publicKey: string
  /** ISO 8601, in milliseconds. Null for the key that signs. Every signature of a retired key is from before. */
  retiredAt: string | null
}

const LIST = "SELECT id, public_key, retired_at FROM signing_key ORDER BY id"

/** Returns every key that ever signed, oldest first. Public like `/status.json`, so it takes no actor. */
export async function listSigningKeys({ pool }: Pick<Runtime, "pool">): Promise<SigningKey[]> {
  const { rows } = await pool.query<Row<"SigningKey", "id" | "public_key" | "retired_at">>(LIST)
  return rows.map(({ id, public_key, retired_at }) => ({
    id: publicId("sig", id),
    publicKey: public_key.toString("base64url"),
    retiredAt: retired_at?.toISOString() ?? null,
  }))
}

/** Creates the key that signs, unless there is one. Returns its id, or null. */
async function createKey(client: ClientBase, { env }: Runtime): Promise<string | null> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519")
  const { x = "" } = publicKey.export({ format: "jwk" })
  const stored = sealSecret(env, PURPOSE, privateKey.export({ format: "der", type: "pkcs8" }))
  const id = newId()
  const { rowCount } = await client.query(
    "INSERT INTO signing_key (id, public_key, private_key) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
    [id, Buffer.from(x, "base64url"), stored],
  )
  return rowCount ? publicId("sig", id) : null
}

// `at` is read before the lock is granted, so a rotation that waits for the lock retires the key later.
const IN_USE = `
  SELECT id, public_key, private_key, clock_timestamp() AS at FROM signing_key WHERE retired_at IS NULL FOR SHARE`

type KeyInUse = Present<Row<"SigningKey", "id" | "public_key" | "private_key">> & { at: Date }

async function findKeyInUse(client: ClientBase): Promise<KeyInUse | null> {
  const { rows } = await client.query<KeyInUse>(IN_USE)
  return rows[0] ?? null
}

/**
 * Locks the key that signs until the transaction ends, so that no rotation retires it meanwhile. The first call creates it. `at` is
 * before any later retirement. Throws when no known AUTH_SECRET opens the key.
 */
export async function lockSigningKey(client: ClientBase, runtime: Runtime) {
  let found = await findKeyInUse(client)
  if (!found) {
    await createKey(client, runtime)
    found = await findKeyInUse(client)
  }
  if (!found) throw new Error("Signing keys were rotated twice within one signature.")
  const secret = openSecret(runtime.env, PURPOSE, found.private_key)
  if (!secret) throw new Error("No AUTH_SECRET opens the signing key. Run `operator signing rotate`.")
  const privateKey: KeyObject = createPrivateKey({ key: secret, format: "der", type: "pkcs8" })
  return { id: publicId("sig", found.id), publicKey: found.public_key.toString("base64url"), privateKey, at: found.at }
}

/**
 * Retires the key that signs and creates another one. Signatures stay valid: the public key is listed for good, and its private key
 * is deleted. For the operator. Returns every key, oldest first.
 */
export async function rotateSigningKey(runtime: Runtime, actor: Actor): Promise<SigningKey[]> {
  requireRight(actor, "service.operate")
  await inTransaction(runtime.pool, async (client) => {
    // Signatures hold their key's lock, and none begins until the new key is there.
    await client.query("LOCK TABLE signing_key IN EXCLUSIVE MODE")
    await client.query(
      "UPDATE signing_key SET retired_at = clock_timestamp(), private_key = NULL WHERE retired_at IS NULL",
    )
    const subject = await createKey(client, runtime)
    await recordAudit(client, actor, { action: "signing_key.rotate", ...(subject && { subject }) })
  })
  return listSigningKeys(runtime)
}

/**
 * Encrypts the key that signs under the current AUTH_SECRET, so that the previous one is no longer needed. Returns how many keys it
 * encrypted. Any server may run it at any time.
 */
export async function renewSigningKey({ pool, env }: Runtime): Promise<number> {
  if (!env.AUTH_SECRET_PREVIOUS) return 0
  const { rows } = await pool.query<Present<Row<"SigningKey", "id" | "private_key">>>(
    "SELECT id, private_key FROM signing_key WHERE retired_at IS NULL",
  )
  let count = 0
  for (const { id, private_key: stored } of rows) {
    const next = resealSecret(env, PURPOSE, stored)
    if (!next) continue
    // A rotation may have retired the key meanwhile.
    const update = "UPDATE signing_key SET private_key = $2 WHERE id = $1 AND private_key = $3"
    count += (await pool.query(update, [id, next, stored])).rowCount ?? 0
  }
  return count
}
