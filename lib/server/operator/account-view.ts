import { selectKeys } from "@/lib/server/keys/select-keys"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseEmailAddress } from "@/lib/shared/auth/schema"
import { ServiceError } from "@/lib/shared/errors"
import { formatExactUsd } from "@/lib/shared/format"
import { pico, usd12 } from "@/lib/shared/money"
import { facts, type Outcome, table } from "./outcome"

interface AccountRow {
  balance_pico: string
  held_pico: string
  requests_per_second: number
  requests_per_second_per_key: number
}

/** The id of the account that was made for an address. Throws `not_found`. */
export async function findAccountId(email: string): Promise<string> {
  const { rows } = await runtime().pool.query<{ account_id: string }>(
    `SELECT m.account_id FROM app_user u JOIN member m ON m.user_id = u.id
     WHERE u.email = $1 AND m.role = 'owner' ORDER BY m.created_at LIMIT 1`,
    [parseEmailAddress(email)],
  )
  if (!rows[0]) throw new ServiceError("not_found", { message: "There is no account for this e-mail address." })
  return rows[0].account_id
}

async function findEmail(accountId: string): Promise<string> {
  const { rows } = await runtime().pool.query<{ email: string }>(
    `SELECT u.email FROM member m JOIN app_user u ON u.id = m.user_id
     WHERE m.account_id = $1 AND m.role = 'owner' ORDER BY m.created_at LIMIT 1`,
    [accountId],
  )
  return rows[0]?.email ?? ""
}

/** An account with its keys: what every account command answers. */
export async function accountView(accountId: string): Promise<Outcome> {
  const { pool } = runtime()
  const { rows } = await pool.query<AccountRow>(
    "SELECT balance_pico, held_pico, requests_per_second, requests_per_second_per_key FROM account WHERE id = $1",
    [accountId],
  )
  const [account] = rows
  if (!account) throw new ServiceError("not_found", { message: "There is no such account." })
  const [email, keys] = await Promise.all([findEmail(accountId), selectKeys(pool, accountId)])
  const id = publicId("acc", accountId)
  const [balance, held] = [pico(account.balance_pico), pico(account.held_pico)]
  const summary = facts([
    ["Account", `${email} (${id})`],
    ["Balance", `${formatExactUsd(balance)}, ${formatExactUsd(held)} of it held`],
    ["Rates", `${account.requests_per_second} per second, ${account.requests_per_second_per_key} per key`],
  ])
  const keyTable = table(
    ["Key", "Name", "Masked", "Limit", "Period", "Spent", "Status"],
    keys.map((key) => {
      const limit = key.limitUsd === null ? null : formatExactUsd(key.limitUsd)
      return [key.id, key.name, key.masked, limit, key.period, formatExactUsd(key.spentUsd), key.status]
    }),
  )
  return {
    json: {
      id,
      email,
      balance_usd: usd12(balance),
      held_usd: usd12(held),
      requests_per_second: account.requests_per_second,
      keys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        masked: key.masked,
        limit_usd: key.limitUsd,
        period: key.period,
        spent_usd: key.spentUsd,
        status: key.status,
      })),
    },
    text: `${summary}\n\n${keyTable}`,
  }
}
