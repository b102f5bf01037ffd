import type { PoolClient } from "pg"
import { recordAudit } from "@/lib/server/audit/record-audit"
import { sendLinkMail } from "@/lib/server/mail/link-mails"
import { type OperatorActor, requireRight } from "@/lib/server/platform/actor"
import type { Row } from "@/lib/server/platform/db/row"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { newId, parsePublicId, publicId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import type { InvitedRole, OperatorRole } from "@/lib/shared/accounts/roles"
import { ServiceError } from "@/lib/shared/errors"
import type { InviteOperator, OneOperator } from "@/lib/shared/operator/operators"

/** A person who may open the operator's area. */
export interface OperatorSummary {
  /** `opr_…`; null for an admin, whom a setting names. */
  id: string | null
  email: string
  role: OperatorRole
  /** ISO text; null for an admin. */
  invitedAt: string | null
  /** Whether a user has signed in with the address. */
  isUser: boolean
}

type OperatorRow = Row<"Operator", "id" | "email" | "created_at"> & { role: InvitedRole; is_user: boolean }

const LIST = `
  SELECT id, email, role, created_at, EXISTS (SELECT FROM app_user u WHERE u.email = o.email) AS is_user
  FROM operator o ORDER BY email`

/**
 * Returns the admins, then the people whom they invited. An invited person whom `OPERATOR_EMAILS` names later is in both parts, because
 * the invited role applies again without the setting. Needs `service.operate`.
 */
export async function listOperators({ env, pool }: Runtime, actor: OperatorActor): Promise<OperatorSummary[]> {
  requireRight(actor, "service.operate")
  const emails = [...env.OPERATOR_EMAILS].toSorted()
  const users = await pool.query<Row<"User", "email">>("SELECT email FROM app_user WHERE email = ANY ($1)", [emails])
  const { rows } = await pool.query<OperatorRow>(LIST)
  const admins = emails.map((email): OperatorSummary => {
    const isUser = users.rows.some((user) => user.email === email)
    return { id: null, email, role: "admin", invitedAt: null, isUser }
  })
  const invited = rows.map(
    ({ id, email, role, created_at: createdAt, is_user: isUser }): OperatorSummary => ({
      ...{ id: publicId("opr", id), email, role, invitedAt: createdAt.toISOString(), isUser },
    }),
  )
  return [...admins, ...invited]
}

/** Returns the address of the operator who acts; null at the command line. */
async function addressOf(client: PoolClient, { userId }: OperatorActor): Promise<string | null> {
  const { rows } = await client.query<Row<"User", "email">>("SELECT email FROM app_user WHERE id = $1", [userId])
  return rows[0]?.email ?? null
}

const INVITE = `
  INSERT INTO operator (id, email, role) VALUES ($1, $2, $3)
  ON CONFLICT (email) DO UPDATE SET role = $3 RETURNING id`

/** Sends the mail after the transaction. What was changed stays when the mail fails. */
async function mail(runtime: Runtime, facts: { to: string; role: InvitedRole | null; by: string | null }) {
  try {
    await sendLinkMail(runtime, "operator_role", facts)
  } catch (cause) {
    throw new ServiceError("upstream_error", {
      message: "The change was saved, but the e-mail about it could not be sent. Write to the person yourself.",
      cause,
    })
  }
}

/**
 * Lets the person with an address operate the service in a role, or changes the role, and mails the person. The role counts from the
 * person's next page or action on. Needs `service.operate`. Throws `invalid_request` for an admin's address, and `upstream_error` when
 * the mail could not be sent.
 */
export async function inviteOperator(
  runtime: Runtime,
  actor: OperatorActor,
  { email, role }: InviteOperator,
): Promise<{ id: string }> {
  requireRight(actor, "service.operate")
  if (runtime.env.OPERATOR_EMAILS.has(email))
    throw new ServiceError("invalid_request", {
      param: "email",
      message: "OPERATOR_EMAILS names this person as an admin.",
    })
  const { id, by } = await inTransaction(runtime.pool, async (client) => {
    const { rows } = await client.query<Row<"Operator", "id">>(INVITE, [newId(), email, role])
    const subject = publicId("opr", rows[0]?.id ?? "")
    await recordAudit(client, actor, { action: "operator.invite", subject, detail: role })
    return { id: subject, by: await addressOf(client, actor) }
  })
  await mail(runtime, { to: email, role, by })
  return { id }
}

/**
 * Ends what an invited person may do in the operator's area, from the person's next page or action on, and mails the person. Needs
 * `service.operate`. Throws `not_found`, and `upstream_error` when the mail could not be sent.
 */
export async function removeOperator(
  runtime: Runtime,
  actor: OperatorActor,
  { id }: OneOperator,
): Promise<{ id: string }> {
  requireRight(actor, "service.operate")
  const { to, by } = await inTransaction(runtime.pool, async (client) => {
    const { rows } = await client.query<Row<"Operator", "email">>(
      "DELETE FROM operator WHERE id = $1 RETURNING email",
      [parsePublicId("opr", id)],
    )
    if (!rows[0]) throw new ServiceError("not_found", { message: "There is no such operator." })
    await recordAudit(client, actor, { action: "operator.remove", subject: id })
    return { to: rows[0].email, by: await addressOf(client, actor) }
  })
  await mail(runtime, { to, role: null, by })
  return { id }
}
