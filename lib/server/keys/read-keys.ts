import type { QueryResultRow } from "pg"
import { type AccountActor, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { KEY_TEXT_NAMES, KEY_TEXTS, type KeyTexts, mapKeyTexts } from "@/lib/shared/keys/key-texts"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import type { SpendSample } from "@/lib/shared/keys/plan-limit"
import type { KeyStatus, KeySummary } from "@/lib/shared/keys/schema"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { pico, usd12, usdPerMillion } from "@/lib/shared/money"

type KeyRow = Row<
  "ApiKey",
  | "id"
  | "name"
  | "masked"
  | "limit_pico"
  | "spent_pico"
  | "created_at"
  | "last_used_at"
  | "expires_at"
  | "revoked_at"
  | "created_by"
  | "previous_masked"
  | "previous_until"
  | "previous_used_at"
  | "models"
  | "networks"
  | "tags"
> &
  KeyTexts & {
    kind: KeySummary["kind"]
    limit_period: KeySummary["period"]
    resets_at: Date | null
    status: KeyStatus
    creator: string | null
    is_member: boolean
    new_used_at: Date | null
    routes: KeySummary["routes"]
  }

const TEXTS = KEY_TEXT_NAMES.map((name) => `${KEY_TEXTS[name].column} AS "${name}"`).join()

// place_holds uses spent_in_period too, so a page never disagrees with a refusal.
const select = (which: string) => `
  SELECT id, name, ${TEXTS}, kind, masked, limit_pico, limit_period, spent AS spent_pico, created_at, expires_at, revoked_at, models, routes, networks, tags,
    greatest(last_used_at, previous_used_at) AS last_used_at, last_used_at AS new_used_at, previous_used_at,
    CASE WHEN previous_until > at AND revoked_at IS NULL THEN previous_until END AS previous_until, previous_masked,
    CASE WHEN limit_period = 'daily' THEN date_trunc('day', at, 'UTC') + interval '24 h' END AS resets_at,
    CASE WHEN revoked_at IS NOT NULL THEN 'revoked'
         WHEN expires_at <= at THEN 'expired'
         WHEN paused_at IS NOT NULL THEN 'paused'
         WHEN spent >= limit_pico THEN 'limit_reached'
         ELSE 'active' END AS status,
    created_by, (SELECT email FROM app_user u WHERE u.id = created_by) AS creator,
    EXISTS (SELECT FROM member m WHERE m.account_id = key.account_id AND m.user_id = created_by) AS is_member
  FROM (SELECT k.*, at, spent_in_period(k, at) AS spent FROM api_key k, ledger_now() AS at WHERE account_id = $1 ${which}) AS key
  ORDER BY id DESC`

const EVERY = select("")
const ONE = select("AND k.id = $2")
const NEWEST = select("AND k.revoked_at IS NULL ORDER BY k.id DESC LIMIT $2")

const summaryOf = (row: KeyRow): KeySummary => ({
  id: publicId("key", row.id),
  name: row.name,
  ...mapKeyTexts((name) => row[name]),
  kind: row.kind,
  masked: row.masked,
  limitUsd: row.limit_pico === null ? null : usd12(pico(row.limit_pico)),
  period: row.limit_period,
  spentUsd: usd12(pico(row.spent_pico)),
  resetsAt: row.resets_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  expiresAt: row.expires_at?.toISOString() ?? null,
  revokedAt: row.revoked_at?.toISOString() ?? null,
  oldSecret:
    row.previous_until === null || row.previous_masked === null
      ? null
      : {
          masked: row.previous_masked,
          until: row.previous_until.toISOString(),
          lastUsedAt: row.previous_used_at?.toISOString() ?? null,
          newUsedAt: row.new_used_at?.toISOString() ?? null,
        },
  status: row.status,
  models: row.models,
  routes: row.routes,
  networks: row.networks,
  tags: row.tags,
  createdBy:
    row.created_by === null
      ? null
      : { id: publicId("usr", row.created_by), email: row.creator ?? "", isMember: row.is_member },
})

async function selectKeys(
  { pool }: Runtime,
  actor: AccountActor,
  statement: string,
  ...values: unknown[]
): Promise<KeySummary[]> {
  requireRight(actor, "keys.read")
  const { rows } = await pool.query<KeyRow>(statement, [actor.accountId, ...values])
  return rows.map(summaryOf)
}

/** Returns every key of the actor's account, newest first, including revoked keys and the Playground key. */
export const listKeys = (runtime: Runtime, actor: AccountActor): Promise<KeySummary[]> =>
  selectKeys(runtime, actor, EVERY)

/** Returns at most `max` keys of the actor's account that are not revoked, newest first. */
export const listNewestKeys = (runtime: Runtime, actor: AccountActor, max: number): Promise<KeySummary[]> =>
  selectKeys(runtime, actor, NEWEST, max)

/** Returns a key of the actor's account by its public id; null for an unknown id and for another account's key. */
export async function findKey(runtime: Runtime, actor: AccountActor, id: string): Promise<KeySummary | null> {
  const keyId = parsePublicId("key", id)
  return keyId ? ((await selectKeys(runtime, actor, ONE, keyId))[0] ?? null) : null
}

/** Returns the UUID of the user's active account that has a key, so that a link can offer it; null when there is none. */
export async function findAccountOfKey({ pool }: Runtime, actor: UserActor, id: string): Promise<string | null> {
  requireRight(actor, "keys.read")
  const { rows } = await pool.query<Row<"ApiKey", "account_id">>(
    `SELECT k.account_id FROM api_key k JOIN member m ON m.account_id = k.account_id AND m.user_id = $2
       JOIN account a ON a.id = k.account_id AND a.status = 'active' WHERE k.id = $1`,
    [parsePublicId("key", id), actor.userId],
  )
  return rows[0]?.account_id ?? null
}

/** Returns the cost of the account's last ten charged decisions and the alias's price, for planning a spend limit. */
export async function sampleSpend({ pool, catalogue }: Runtime, actor: AccountActor): Promise<SpendSample> {
  requireRight(actor, "keys.read")
  const { rows } = await pool.query<{ count: string; total: string }>(
    `SELECT count(*), coalesce(-sum(amount_pico), 0) AS total FROM (
       SELECT amount_pico FROM ledger_entry WHERE account_id = $1 AND kind = 'charge' ORDER BY id DESC LIMIT 10) AS last`,
    [actor.accountId],
  )
  return {
    count: Number(rows[0]?.count ?? 0),
    totalUsd: usd12(pico(rows[0]?.total ?? 0)),
    pricePerMillionUsd: usdPerMillion(catalogue.resolve(ALIAS)?.pricePico ?? null),
  }
}

type ReadRows = <Found extends QueryResultRow>(text: string, values: unknown[]) => Promise<Found[]>

/** Returns a reader outside of any transaction, for `readKeyLabels`. */
export const readFromPool =
  ({ pool }: Pick<Runtime, "pool">): ReadRows =>
  async (text, values) =>
    (await pool.query(text, values)).rows

/** Returns a label for each key of an account, revoked ones included, by its UUID. `read` may read within a snapshot. */
export async function readKeyLabels(accountId: string, read: ReadRows): Promise<ReadonlyMap<string, string>> {
  return labelKeys(
    await read<Row<"ApiKey", "id" | "name" | "masked">>("SELECT id, name, masked FROM api_key WHERE account_id = $1", [
      accountId,
    ]),
  )
}
