import { setTimeout as sleep } from "node:timers/promises"
import { DatabaseError } from "pg"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ageMs, type Draw, type Grant } from "./grant"

interface Asked {
  id: string
  /** False to add to a grant that exists. */
  isNew: boolean
  accountId: string
  keyId: string
  modelId: string
  wantedPico: bigint
  smallestPico: bigint
  /** The maximum cost of a request whose cost is not known; 0 when it is. */
  boundPico: bigint
  tags: string | null
}

/**
 * Asks for a grant, or for more of it. Returns the added pico-USD, which may be 0. Null when the grant has ended or was recalled, or when
 * its key may not be used.
 */
export async function extendGrant({ pool }: Runtime, asked: Asked): Promise<bigint | null> {
  const { id, isNew, accountId, keyId, modelId, wantedPico, smallestPico, boundPico, tags } = asked
  const { rows } = await pool.query<{ added: string | null }>({
    name: "extend-grant",
    text: "SELECT extend_grant($1, $2, $3, $4, $5, $6, $7, $8, $9) AS added",
    values: [id, isNew, accountId, keyId, modelId, wantedPico, smallestPico, boundPico, tags],
  })
  const added = rows[0]?.added ?? null
  return added === null ? null : BigInt(added)
}

const END_TRIES = 20
const END_EVERY_MS = 250
const CHECK_VIOLATION = "23514"

/** Ends a grant and gives each request that drew on it a hold of its own, unless it has one. */
async function endGrant({ pool }: Runtime, id: string, draws: Draw[]): Promise<void> {
  await pool.query({
    name: "end-grant",
    text: "SELECT end_grant($1, $2, $3, $4, $5, $6)",
    values: [
      id,
      draws.map(({ request }) => request.id),
      draws.map(({ request }) => request.modelId),
      draws.map(({ request }) => request.pricePico),
      draws.map(({ request }) => request.maxTokens),
      draws.map(ageMs),
    ],
  })
}

/** Ends a grant. If 20 attempts fail, its lease ends it, and its requests take the exact path. Never rejects. */
export async function endGrantWithRetries(runtime: Runtime, grant: Grant): Promise<void> {
  let keepsDraws = true
  for (let tried = 0; tried < END_TRIES; tried++) {
    try {
      return await endGrant(runtime, grant.id, keepsDraws ? [...grant.draws] : [])
    } catch (error) {
      // The grant has less than its requests drew, so none of them gets a hold.
      if (error instanceof DatabaseError && error.code === CHECK_VIOLATION) keepsDraws = false
      else await sleep(END_EVERY_MS, undefined, { ref: false })
    }
  }
}

/** Renews the leases of grants and notes what is unused of each. Returns the ids of those to end, as when a key may no longer be used. */
export async function renewGrants({ pool }: Runtime, grants: { id: string; freePico: bigint }[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: "renew-grants",
    text: "SELECT renew_grants($1, $2) AS id",
    values: [grants.map(({ id }) => id), grants.map(({ freePico }) => freePico)],
  })
  return new Set(rows.map(({ id }) => id))
}

// Locked in the order of their ids, as everywhere.
const RECALL = `
  WITH locked AS (SELECT hold_id FROM credit_grant WHERE account_id = $1 ORDER BY hold_id FOR NO KEY UPDATE)
  UPDATE credit_grant SET recalled_at = coalesce(recalled_at, ledger_now()) WHERE hold_id IN (SELECT hold_id FROM locked)`

/** Asks every process to end its grants on an account. Returns how many there still are. */
export async function recallGrants({ pool }: Runtime, accountId: string): Promise<number> {
  const { rowCount } = await pool.query({ name: "recall-grants", text: RECALL, values: [accountId] })
  return rowCount ?? 0
}

const OVERDUE = `
  SELECT g.hold_id AS id FROM credit_grant g LEFT JOIN hold h ON h.id = g.hold_id
  WHERE h.id IS NULL OR h.state <> 'held' OR h.expires_at <= ledger_now()`
const FORGET = `
  DELETE FROM credit_grant WHERE hold_id = $1 AND NOT EXISTS (SELECT FROM hold WHERE id = $1 AND state = 'held')`

/** Ends grants whose process has crashed, or was suspended for longer than their lease. Any process may run it. */
export async function sweepGrants({ pool }: Runtime): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(OVERDUE)
  for (const { id } of rows) {
    await pool.query("SELECT release($1, 'expired')", [id])
    await pool.query(FORGET, [id])
  }
}
