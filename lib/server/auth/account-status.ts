import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { endAutoTopup } from "@/lib/server/billing/saved-card"
import { type AccountActor, type AccountOperator, requireRight } from "@/lib/server/platform/actor"
import { prisma } from "@/lib/server/platform/db/prisma"
import { afterCommit, inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import { endSessionsOfAccount } from "./sessions"

export type AccountStatus = "active" | "suspended" | "closed"

const ACTION = { active: "account.resume", suspended: "account.suspend", closed: "account.close" } as const

// The top-ups that the poller still looks at: a checkout of 30 days ago can no longer be paid, an automatic top-up can.
const OPEN_TOPUPS = `
  SELECT 1 FROM topup WHERE account_id = $1 AND status IN ('created', 'open', 'processing')
    AND (is_automatic OR created_at > now() - interval '30 days') LIMIT 1`

const SET_STATUS = `
  UPDATE account SET status = $2, inactive_since = CASE WHEN $2 <> 'active' THEN coalesce(inactive_since, ledger_now()) END
  WHERE id = $1`

async function refuseOpenTopups(client: PoolClient, { accountId, type }: AccountActor): Promise<void> {
  const { rowCount } = await client.query(OPEN_TOPUPS, [accountId])
  if (!rowCount) return
  const advice =
    type === "operator"
      ? "Suspend the account now, and close it once the top-up has ended."
      : "Finish or cancel it under Billing, then close the account."
  throw new ServiceError("invalid_request", { message: `A top-up of this account is still open. ${advice}` })
}

/**
 * Sets the account's status, ends the sessions in which it is selected and writes the audit row, in the transaction of `client`, which
 * must hold the account's lock. Closing also ends automatic top-up. Returns a function that records the ended sessions, to be called
 * after the transaction. Throws `invalid_request` for closing while a top-up is open.
 */
export async function enterStatus(
  runtime: Runtime,
  client: PoolClient,
  actor: AccountActor,
  status: AccountStatus,
): Promise<() => void> {
  const { accountId } = actor
  if (status === "closed") await refuseOpenTopups(client, actor)
  await client.query(SET_STATUS, [accountId, status])
  if (status === "closed") await endAutoTopup(client, actor, null)
  const record = await endSessionsOfAccount(runtime, client, actor)
  await recordAudit(client, actor, { action: ACTION[status], subject: accountId })
  return record
}

/** Throws `invalid_request` when the operator is a member of the account: a suspension would lock them out of it. */
async function refuseOwnAccount(client: PoolClient, { accountId, userId }: AccountOperator): Promise<void> {
  const { rowCount } = await client.query("SELECT FROM member WHERE account_id = $1 AND user_id = $2", [
    accountId,
    userId,
  ])
  if (rowCount)
    throw new ServiceError("invalid_request", {
      message:
        "You are a member of this account. Suspending or closing it would lock you out of it. Another operator or the command line can do it.",
    })
}

/**
 * Suspends, resumes or closes the actor's account, and ends its sessions. For the operator. Every process applies this to the keys
 * within 2 s, and `place_holds` refuses new holds after the commit. Requests that the engine works on finish. Repeating changes
 * nothing. Closing is final, keeps the balance and, unlike `closeAccount`, erases no personal data. Throws `invalid_request` for a
 * closed account, for closing one with an open top-up, and for suspending or closing one that the operator is a member of.
 */
export async function setAccountStatus(runtime: Runtime, actor: AccountOperator, status: AccountStatus): Promise<void> {
  requireRight(actor, "service.operate")
  const { accountId } = actor
  const recordEnds = await inTransaction(runtime.pool, async (client) => {
    const { rows } = await client.query<{ status: AccountStatus }>(
      "SELECT status FROM account WHERE id = $1 FOR NO KEY UPDATE",
      [accountId],
    )
    const before = rows[0]?.status
    if (before === status) return null
    if (status !== "active") await refuseOwnAccount(client, actor)
    if (before === "closed") throw new ServiceError("invalid_request", { message: "This account is closed for good." })
    return enterStatus(runtime, client, actor, status)
  })
  if (recordEnds) afterCommit(runtime.pool, recordEnds)
}

/** Returns whether every account of the user is suspended or closed, so that the user cannot sign in. False without an account. */
export async function isBlocked(runtime: Runtime, userId: string): Promise<boolean> {
  const members = await prisma(runtime).member.findMany({
    where: { userId },
    select: { account: { select: { status: true } } },
  })
  return members.length > 0 && members.every(({ account }) => account.status !== "active")
}
