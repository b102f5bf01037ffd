import { recordAudit } from "@/lib/server/audit/record-audit"
import { type OperatorActor, requireRight } from "@/lib/server/platform/actor"
import { sendAgain } from "@/lib/server/platform/db/due-rows"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { ServiceError } from "@/lib/shared/errors"
import type { OneMail } from "@/lib/shared/operator/forms"
import { FAREWELLS } from "./farewells"
import { NOTICES } from "./notices"

const SHOWN = 100

/** A mail of the queue, without its text. */
export interface ListedMail {
  id: string
  /** As `NOTICES` or `FAREWELLS` names it. */
  label: string
  to: string
  /** `acc_…` */
  accountId: string
  state: "waiting" | "given_up" | "sent"
  attempts: number
  /** ISO texts. `nextAt` is null unless it waits. */
  createdAt: string
  nextAt: string | null
}

type MailRow = Row<"QueuedMail", "id" | "kind" | "account_id" | "attempts" | "created_at" | "next_at" | "sent_at"> &
  Row<"User", "email">

// Given-up mails first, then those that wait: they need the operator.
const SELECT = `
  SELECT q.id, q.kind, coalesce(q.address, u.email) AS email, q.account_id, q.attempts, q.created_at, q.next_at, q.sent_at
  FROM queued_mail q LEFT JOIN app_user u ON u.id = q.user_id
  WHERE $1::uuid IS NULL OR q.account_id = $1
  ORDER BY (q.sent_at IS NOT NULL), (q.next_at IS NOT NULL), q.created_at DESC LIMIT ${SHOWN}`

const LABELS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...NOTICES, ...FAREWELLS }).map(([kind, { label }]) => [kind, label]),
)

/** A newer process may have queued a kind that this one does not know. */
const labelOf = (kind: string): string => LABELS.get(kind) ?? kind

const stateOf = ({ next_at, sent_at }: MailRow): ListedMail["state"] => {
  if (sent_at) return "sent"
  return next_at ? "waiting" : "given_up"
}

/**
 * Returns at most 100 queued mails of the last 30 days, of one account by UUID or of all: given up, then waiting, then sent ones, the
 * newest first. Farewells are not kept once they were sent. For the operator.
 */
export async function listQueuedMail(
  { pool }: Runtime,
  actor: OperatorActor,
  { accountId = null }: { accountId?: string | null } = {},
): Promise<ListedMail[]> {
  requireRight(actor, "service.read")
  const { rows } = await pool.query<MailRow>(SELECT, [accountId])
  return rows.map((row) => ({
    id: row.id,
    label: labelOf(row.kind),
    to: row.email,
    accountId: publicId("acc", row.account_id),
    state: stateOf(row),
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    nextAt: row.next_at?.toISOString() ?? null,
  }))
}

/** Makes a given-up mail due now and resets its attempts to 0. For the operator. Throws `not_found` for any other mail. */
export async function resendMail({ pool }: Runtime, actor: OperatorActor, { id }: OneMail): Promise<{ id: string }> {
  requireRight(actor, "service.operate")
  await inTransaction(pool, async (client) => {
    if (!(await sendAgain(client, "queued_mail", id)))
      throw new ServiceError("not_found", { message: "This mail is not given up. Reload the page." })
    const { rows } = await client.query<Row<"QueuedMail", "kind" | "account_id">>(
      "SELECT kind, account_id FROM queued_mail WHERE id = $1",
      [id],
    )
    for (const row of rows)
      await recordAudit(client, actor, {
        action: "mail.resend",
        subject: publicId("acc", row.account_id),
        detail: labelOf(row.kind),
      })
  })
  return { id }
}
