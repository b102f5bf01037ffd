import { type Actor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { spentByAccount } from "@/lib/server/usage/spent-by-account"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, pico } from "@/lib/shared/money"
import type { AccountFilter } from "@/lib/shared/operator/search"
import { findAccounts } from "./find-account"
import { likeStart } from "./like-start"

export interface ListAccountsInput {
  limit: number
  /** The `next` of the page before; null for the first page. */
  after: string | null
  /** An identifier that `findAccounts` knows, or the start of a member's address, its domain, or the start of a name. Empty for all. */
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

// A condition for the accounts that a search finds: $4 is a list of ids, or the pattern of a text, and $5 a domain.
const SEARCHES = {
  none: "",
  ids: "AND a.id = ANY ($4::uuid[])",
  text: `AND a.id IN (
      SELECT m.account_id FROM app_user u JOIN member m ON m.user_id = u.id WHERE u.erased_at IS NULL AND u.email LIKE lower($4)
      UNION ALL SELECT m.account_id FROM app_user u JOIN member m ON m.user_id = u.id
        WHERE u.erased_at IS NULL AND split_part(u.email, '@', 2) = lower($5)
      UNION ALL SELECT n.id FROM account n WHERE n.name IS NOT NULL AND lower(n.name) LIKE lower($4))`,
}

// Ids are ordered by time, so the primary key serves pages from the newest account to the oldest.
const select = (search: keyof typeof SEARCHES): string => `
  SELECT a.id, a.name, a.status, a.balance_pico, a.created_at, first_owner_email(a.id) AS owner
  FROM account a
  WHERE ($1::uuid IS NULL OR a.id < $1)
    AND CASE $3::text WHEN 'all' THEN true WHEN 'negative' THEN a.balance_pico < 0 ELSE a.status = $3 END
    ${SEARCHES[search]}
  ORDER BY a.id DESC LIMIT $2`

/** Returns how to search for this text, with the values from $4 on. */
async function searchOf(runtime: Runtime, text: string): Promise<[keyof typeof SEARCHES, unknown[]]> {
  if (text === "") return ["none", []]
  const ids = await findAccounts(runtime, text)
  if (ids) return ["ids", [ids]]
  return ["text", [likeStart(text), text.replace(/^@/, "")]]
}

/** Lists accounts, newest first. For the operator. `next` is null on the last page. Throws `invalid_request` for a bad cursor. */
export async function listAccounts(
  runtime: Runtime,
  actor: Actor,
  { limit, after, q = "", show = "all" }: ListAccountsInput,
): Promise<{ accounts: ListedAccount[]; next: string | null }> {
  requireRight(actor, "service.read")
  const cursor = after === null ? null : parsePublicId("acc", after)
  if (after !== null && cursor === null)
    throw new ServiceError("invalid_request", { param: "after", message: "Use the `next` of the page before." })
  const [search, values] = await searchOf(runtime, q.trim())
  const { rows } = await runtime.pool.query<AccountRow>(select(search), [cursor, limit + 1, show, ...values])
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
