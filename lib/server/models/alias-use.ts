import type { ClientBase } from "pg"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { spentByAccount } from "@/lib/server/usage/spent-by-account"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { type Pico, pico } from "@/lib/shared/money"
import { HOUR_MS } from "@/lib/shared/time"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    aliasUses: AliasUses
  }
}

/** A use is saved again after this long. */
const SAVED_FOR_MS = HOUR_MS

/** Collects which accounts send the alias, without work for the database on each request. */
export class AliasUses {
  /** When each account's last saved use was, in ms. */
  readonly #saved = new Map<string, number>()
  readonly #pending = new Map<string, number>()

  used(accountId: string, now = Date.now()): void {
    if (now - (this.#saved.get(accountId) ?? Number.NEGATIVE_INFINITY) < SAVED_FOR_MS) return
    this.#saved.set(accountId, now)
    this.#pending.set(accountId, now)
  }

  /** Returns the uses to save, in ms by account, and clears them. */
  take(now = Date.now()): Map<string, number> {
    for (const [id, at] of this.#saved) if (now - at >= SAVED_FOR_MS) this.#saved.delete(id)
    const taken = new Map(this.#pending)
    this.#pending.clear()
    return taken
  }

  /** Puts back uses that could not be saved. */
  giveBack(uses: Map<string, number>): void {
    for (const [id, at] of uses) this.#pending.set(id, Math.max(at, this.#pending.get(id) ?? 0))
  }
}

// Ordered, so that two processes never wait for each other's rows.
const SAVE = `
  INSERT INTO alias_use (alias_id, account_id, last_used_at)
  SELECT $1, u.id, u.at FROM unnest($2::uuid[], $3::timestamptz[]) AS u(id, at) ORDER BY u.id
  ON CONFLICT (alias_id, account_id) DO UPDATE SET last_used_at = greatest(alias_use.last_used_at, excluded.last_used_at)`

/** Saves when accounts last sent the alias, in one statement. */
export async function saveAliasUses({ pool, aliasUses }: Runtime): Promise<void> {
  const uses = aliasUses.take()
  if (uses.size === 0) return
  try {
    await pool.query(SAVE, [ALIAS, [...uses.keys()], [...uses.values()].map((at) => new Date(at))])
  } catch (error) {
    aliasUses.giveBack(uses)
    throw error
  }
}

/** Accounts that sent the alias within this many days count as its users. */
export const ALIAS_DAYS = 30

const USERS = `SELECT account_id FROM alias_use WHERE alias_id = $1 AND last_used_at > now() - make_interval(days => ${ALIAS_DAYS})`

/** Returns the ids of the accounts that sent the alias in the last 30 days. */
export async function accountsOfAlias(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<Row<"AliasUse", "account_id">>(USERS, [ALIAS])
  return rows.map(({ account_id }) => account_id)
}

export interface AliasAccount {
  /** `acc_…` */
  id: string
  email: string | null
  /** ISO text, at most an hour before the account's last use. */
  lastUsedAt: string
  /** Of the account on all models in the last 30 days. */
  spentPico: Pico
}

type UseRow = Row<"AliasUse", "account_id" | "last_used_at"> & { owner: string | null; total: number }

const SELECT = `
  SELECT x.account_id, x.last_used_at, count(*) OVER ()::int AS total,
    first_owner_email(x.account_id) AS owner
  FROM alias_use x WHERE x.alias_id = $1 AND x.last_used_at > now() - make_interval(days => ${ALIAS_DAYS})
  ORDER BY x.last_used_at DESC, x.account_id LIMIT $2`

/**
 * Returns the accounts that sent the alias in the last 30 days, which a move of the alias affects. At most `limit`, the latest
 * use first. `total` counts all of them. For the operator.
 */
export async function listAliasAccounts(
  runtime: Runtime,
  actor: Actor,
  limit = 100,
): Promise<{ total: number; accounts: AliasAccount[] }> {
  requireRight(actor, "service.read")
  const { rows } = await runtime.pool.query<UseRow>(SELECT, [ALIAS, limit])
  const spent = await spentByAccount(
    runtime,
    rows.map(({ account_id }) => account_id),
  )
  const accounts = rows.map(({ account_id: id, owner: email, last_used_at }) => ({
    id: publicId("acc", id),
    email,
    lastUsedAt: last_used_at.toISOString(),
    spentPico: spent.get(id) ?? pico(0),
  }))
  return { total: rows[0]?.total ?? 0, accounts }
}
