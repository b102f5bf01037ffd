import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { spentByAccount } from "@/lib/server/usage/spent-by-account"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, pico } from "@/lib/shared/money"
import type { AccountFilter } from "@/lib/shared/operator/search"

export interface ListAccountsInput {
  limit: number
  /** The `next` of the page before; null for the first page. */
  after: string | null
  /** A part of a member's e-mail address, or the whole id of an account or a key. Empty for all. */
  q?: string
  show?: AccountFilter
}

export interface ListedAccount {
  /** `acc_…` */
  id: string
  /** What an owner called it; null without a name. */
  name: string | null
  /** The address of the first owner; null for an account without one. */
  email: string | null
  status: string
  balancePico: Pico
  /** Of the last 30 days including today, in UTC. Charges of the last seconds may be missing. */
  spentPico: Pico
  /** ISO text. */
  createdAt: string
}

type AccountRow = Row<"Account", "id" | "name" | "status" | "balance_pico" | "created_at"> & { owner: string | null }

// Ids are ordered by time, so the primary key serves pages from the newest account to the oldest.
const SELECT = `
  SELECT a.id, a.name, a.status, a.balance_pico, a.created_at, first_owner_email(a.id) AS owner
  FROM account a
  WHERE ($1::uuid IS NULL OR a.id < $1)
    AND CASE $3::text WHEN 'all' THEN true WHEN 'negative' THEN a.balance_pico < 0 ELSE a.status = $3 END
    AND ($4::uuid IS NULL OR a.id = $4)
    AND ($5::uuid IS NULL OR a.id = (SELECT account_id FROM api_key WHERE id = $5))
    AND ($6::text = '' OR a.id IN (
      SELECT m.account_id FROM app_user u JOIN member m ON m.user_id = u.id WHERE strpos(u.email, $6) > 0))
  ORDER BY a.id DESC LIMIT $2`

/** Returns $4 to $6 of `SELECT`. */
function searchValues(q: string): [string | null, string | null, string] {
  const text = q.trim().toLowerCase()
  const [account, key] = [parsePublicId("acc", text), parsePublicId("key", text)]
  return [account, key, account || key ? "" : text]
}

/** Lists accounts, newest first. For the operator. `next` is null on the last page. Throws `invalid_request` for a bad cursor. */
export async function listAccounts(
  runtime: Runtime,
  actor: Actor,
  { limit, after, q = "", show = "all" }: ListAccountsInput,
): Promise<{ accounts: ListedAccount[]; next: string | null }> {
  requireRight(actor, "service.operate")
  const cursor = after === null ? null : parsePublicId("acc", after)
  if (after !== null && cursor === null)
    throw new ServiceError("invalid_request", { param: "after", message: "Use the `next` of the page before." })
  const { rows } = await runtime.pool.query<AccountRow>(SELECT, [cursor, limit + 1, show, ...searchValues(q)])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const spent = await spentByAccount(
    runtime,
    page.map(({ id }) => id),
  )
  return {
    accounts: page.map((row) => ({
      id: publicId("acc", row.id),
      name: row.name,
      email: row.owner,
      status: row.status,
      balancePico: pico(row.balance_pico),
      spentPico: spent.get(row.id) ?? pico(0),
      createdAt: row.created_at.toISOString(),
    })),
    next: rows.length > limit && last ? publicId("acc", last.id) : null,
  }
}
