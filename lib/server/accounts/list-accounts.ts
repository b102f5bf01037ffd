import { z } from "zod"
import { type Actor, requireRight } from "@/lib/server/platform/actor"
import { parsePublicId, publicId } from "@/lib/server/platform/ids"
import { parseInput } from "@/lib/server/platform/parse-input"
import { runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { type Pico, pico } from "@/lib/shared/money"

/** `after` is the `next` of the page before. */
export const ListAccountsInput = z.strictObject({
  limit: z.int().min(1).max(1_000),
  after: z.string().nullable(),
})
export type ListAccountsInput = z.output<typeof ListAccountsInput>

export interface ListedAccount {
  /** The address of the first owner; null for an account without one. */
  email: string | null
  status: string
  balancePico: Pico
  /** ISO text. */
  createdAt: string
}

interface Row {
  id: string
  email: string | null
  status: string
  balance_pico: string
  created_at: Date
}

// Ids are ordered by time, so the primary key serves pages from the newest account to the oldest.
const SELECT = `
  SELECT a.id, a.status, a.balance_pico, a.created_at,
    (SELECT u.email FROM member m JOIN app_user u ON u.id = m.user_id
     WHERE m.account_id = a.id AND m.role = 'owner' ORDER BY m.created_at LIMIT 1) AS email
  FROM account a WHERE $1::uuid IS NULL OR a.id < $1 ORDER BY a.id DESC LIMIT $2`

/** Lists accounts, newest first. For the operator. `next` is null on the last page. Throws `invalid_request` for a bad cursor. */
export async function listAccounts(
  actor: Actor,
  input: ListAccountsInput,
): Promise<{ accounts: ListedAccount[]; next: string | null }> {
  requireRight(actor, "service.operate")
  const { limit, after } = parseInput(ListAccountsInput, input)
  const cursor = after === null ? null : parsePublicId("acc", after)
  if (after !== null && cursor === null)
    throw new ServiceError("invalid_request", { param: "after", message: "Use the `next` of the page before." })
  const { rows } = await runtime().pool.query<Row>(SELECT, [cursor, limit + 1])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    accounts: page.map((row) => ({
      email: row.email,
      status: row.status,
      balancePico: pico(row.balance_pico),
      createdAt: row.created_at.toISOString(),
    })),
    next: rows.length > limit && last ? publicId("acc", last.id) : null,
  }
}
