import { z } from "zod"

/** Everything that is written to the audit log, as `thing.verb`. */
export type AuditAction =
  | "account.create"
  | "account.credit"
  | "account.debit"
  | "account.limits"
  | "session.create"
  | "session.end"
  | "key.create"
  | "key.revoke"
  | "topup.start"
  | "topup.paid"
  | "topup.adjust"
  | "topup.refund"
  | `model.${string}`

/** Which part of the log a page shows. */
export const AuditTopic = z.enum(["all", "sign-ins", "keys", "billing"]).catch("all")
export type AuditTopic = z.output<typeof AuditTopic>

export const ListAuditInput = z.object({
  topic: AuditTopic.default("all"),
  /** The cursor of an older page: the id of the last line of the one before. */
  before: z
    .string()
    .regex(/^\d{1,18}$/)
    .nullable()
    .default(null)
    .catch(null),
})
export type ListAuditInput = z.input<typeof ListAuditInput>

/** One line of the log as the console shows it. */
export interface AuditLine {
  id: string
  /** ISO text. */
  at: string
  action: string
  /** The public id of what it happened to, or null. */
  subject: string | null
  /** The name of the key it happened to, or null. */
  keyName: string | null
  /** Such as the browser that signed in. */
  detail: string | null
  /** An e-mail address of the account's, "Operator" or "The service". */
  by: string
  clientAddress: string | null
}

export interface AuditPage {
  lines: AuditLine[]
  /** Give it as `before` for the next older page; null on the last. */
  next: string | null
}
