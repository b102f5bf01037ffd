import type { PoolClient } from "pg"
import { ServiceError } from "@/lib/shared/errors"

/**
 * Locks the account's row until the transaction ends, so that concurrent changes of one account run one at a time. Throws
 * `forbidden` when the account is suspended or closed: its sessions have ended, but a request may have begun before that.
 */
export async function lockAccount(client: PoolClient, accountId: string): Promise<void> {
  const { rows } = await client.query<{ status: string }>(
    "SELECT status FROM account WHERE id = $1 FOR NO KEY UPDATE",
    [accountId],
  )
  const status = rows[0]?.status
  if (status !== "active") throw new ServiceError("forbidden", { message: `This account is ${status ?? "unknown"}.` })
}
