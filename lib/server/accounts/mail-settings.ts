import { recordAudit } from "@/lib/server/audit/record-audit"
import { THRESHOLD } from "@/lib/server/billing/watch-balances"
import { lockAccount } from "@/lib/server/ledger/lock-account"
import { NOTICE_KINDS, NOTICES, type NoticeKind } from "@/lib/server/mail/notices"
import { type AccountActor, hasRight, requireRight, type UserActor } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { Role } from "@/lib/shared/accounts/roles"
import type { MailSettings, WarnAtInput } from "@/lib/shared/accounts/schema"
import { parseUsd, pico, usd12 } from "@/lib/shared/money"

type SettingsRow = Row<"Member", "muted_mail"> & Row<"Account", "low_balance_pico"> & { threshold_pico: string }

const SELECT = `
  SELECT m.muted_mail, a.low_balance_pico, ${THRESHOLD} AS threshold_pico
  FROM member m JOIN account a ON a.id = m.account_id WHERE m.account_id = $1 AND m.user_id = $2`

function mayTurnOff(role: Role, kind: NoticeKind): boolean {
  const { isSecurity, roles, mayConcern = [] } = NOTICES[kind]
  return !isSecurity && [...roles, ...mayConcern].includes(role)
}

/** Returns which mails the user gets, and at which balance the account warns. Leaves out mails that cannot be turned off. */
export async function readMailSettings({ pool }: Runtime, actor: UserActor): Promise<MailSettings> {
  requireRight(actor, "account.read")
  const { rows } = await pool.query<SettingsRow>(SELECT, [actor.accountId, actor.userId])
  const [row] = rows
  if (!row) throw new Error("a signed-in user is a member of the account")
  return {
    mails: NOTICE_KINDS.filter((kind) => mayTurnOff(actor.role, kind)).map((kind) => ({
      kind,
      label: NOTICES[kind].label,
      isWanted: !row.muted_mail.includes(kind),
    })),
    warning: hasRight(actor, "billing.pay")
      ? { ownUsd: row.low_balance_pico && usd12(pico(row.low_balance_pico)), nowUsd: usd12(pico(row.threshold_pico)) }
      : null,
  }
}

/** Sets the balance at which the account warns. An empty amount restores the default. Needs `billing.pay`. */
export async function warnAt({ pool }: Runtime, actor: AccountActor, { amountUsd }: WarnAtInput): Promise<void> {
  requireRight(actor, "billing.pay")
  await inTransaction(pool, async (client) => {
    await lockAccount(client, actor.accountId)
    await client.query("UPDATE account SET low_balance_pico = $2 WHERE id = $1", [
      actor.accountId,
      amountUsd === "" ? null : parseUsd(amountUsd),
    ])
    await recordAudit(client, actor, { action: "account.warn_at" })
  })
}
