import { z } from "zod"

/** Every action of the audit log, as `thing.verb`. */
export type AuditAction =
  | "account.create"
  | "account.credit"
  | "account.debit"
  | "account.limits"
  | "account.warn_at"
  | "account.suspend"
  | "account.resume"
  | "account.close"
  | "account.rename"
  | "account.export"
  | "user.delete"
  | "user.email_ask"
  | "user.email_cancel"
  | "user.email"
  | "member.invite"
  | "member.resend"
  | "member.revoke"
  | "member.join"
  | "member.role"
  | "member.transfer"
  | "member.remove"
  | "member.leave"
  | "session.create"
  | "session.confirm"
  | "session.end"
  | "key.create"
  | "key.change"
  | "key.pause"
  | "key.resume"
  | "key.revoke"
  | "token.create"
  | "token.revoke"
  | "webhook.create"
  | "webhook.delete"
  | "webhook.rotate"
  | "webhook.test"
  | "webhook.resend"
  | "topup.start"
  | "topup.cancel"
  | "topup.paid"
  | "topup.adjust"
  | "topup.refund"
  | "topup.refund_refused"
  | "topup.refresh"
  | "topup.reconcile"
  | "auto_topup.on"
  | "auto_topup.off"
  | "auto_topup.charge"
  | "auto_topup.pause"
  | "auto_topup.resume"
  | "card.save"
  | "card.remove"
  | "ledger.verify"
  | "mail.resend"
  | `model.${string}`

export const AuditTopic = z.enum(["all", "sign-ins", "members", "keys", "billing"]).catch("all")
export type AuditTopic = z.output<typeof AuditTopic>

export const ListAuditInput = z.object({
  topic: AuditTopic.default("all"),
  /** The cursor of the next older page: the id of the last row of the page before. */
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullable()
    .default(null)
    .catch(null),
})
export type ListAuditInput = z.input<typeof ListAuditInput>

export interface AuditLine {
  id: string
  /** ISO text. */
  at: string
  action: string
  /** The public id of the changed thing, or null. */
  subject: string | null
  /** The name of the changed key, or null. */
  keyName: string | null
  /** The address of the changed member or invitation, or null. */
  person: string | null
  /** More about the event, such as the browser of a sign-in. */
  detail: string | null
  /** The e-mail address of a member, "Operator" or "The service". */
  by: string
  clientAddress: string | null
}

export interface AuditPage {
  lines: AuditLine[]
  /** The `before` of the next older page; null on the last one. */
  next: string | null
}
