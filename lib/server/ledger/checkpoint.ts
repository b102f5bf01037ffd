import { createHmac, timingSafeEqual } from "node:crypto"
import type { ClientBase } from "pg"
import { acceptedSecrets } from "@/lib/server/platform/auth-secret"
import type { Runtime } from "@/lib/server/platform/runtime"
import { HOUR_MS } from "@/lib/shared/time"
import { DIGEST, MOVE_ACCOUNTS, SET_ACCOUNTS, SET_KEYS } from "./recent-checks"

/** A moment up to which every entry was checked. Without AUTH_SECRET, nobody can forge one or change its anchors unnoticed. */
export interface Checkpoint {
  at: Date
  /** From which full hour entries are read again: some may have become visible only after the checkpoint. */
  from: Date
}

const OVERLAP_MS = HOUR_MS

const sign = (secret: string, at: Date, digest: string): Buffer => {
  const key = createHmac("sha256", secret).update("ledger checkpoint").digest()
  return createHmac("sha256", key).update(`${at.toISOString()} ${digest}`).digest()
}

async function readDigest(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(DIGEST)
  return rows[0]?.digest ?? ""
}

const LAST = `
SELECT date_trunc('milliseconds', checked_at) AS at, digest, signature FROM ledger_checkpoint WHERE checked_at <= ledger_now()
ORDER BY id DESC LIMIT 1`

/** Returns the last checkpoint. Null without one, and when it or its anchors were changed or neither secret signed it. */
export async function findCheckpoint(runtime: Runtime, client: ClientBase): Promise<Checkpoint | null> {
  const { rows } = await client.query<{ at: Date; digest: string; signature: string }>(LAST)
  const [last] = rows
  if (!last || last.digest !== (await readDigest(client))) return null
  const given = Buffer.from(last.signature, "hex")
  const isSigned = acceptedSecrets(runtime.env).some((secret) => {
    const expected = sign(secret, last.at, last.digest)
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  if (!isSigned) return null
  const hour = Math.floor((last.at.getTime() - OVERLAP_MS) / HOUR_MS)
  return { at: last.at, from: new Date(hour * HOUR_MS) }
}

const SAVE = "INSERT INTO ledger_checkpoint (checked_at, since, digest, signature) VALUES ($1, $2, $3, $4)"

/** Creates a checkpoint of what was checked in this transaction's snapshot: everything, or what came after `previous`. */
export async function createCheckpoint(
  runtime: Runtime,
  client: ClientBase,
  at: Date,
  previous: Checkpoint | null,
): Promise<void> {
  if (previous) await client.query(MOVE_ACCOUNTS, [previous.from])
  else {
    await client.query("DELETE FROM account_anchor")
    await client.query("DELETE FROM key_anchor")
    await client.query(SET_ACCOUNTS)
  }
  await client.query(SET_KEYS)
  const digest = await readDigest(client)
  const [secret = ""] = acceptedSecrets(runtime.env)
  await client.query(SAVE, [at, previous?.at ?? null, digest, sign(secret, at, digest).toString("hex")])
}
