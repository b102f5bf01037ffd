import { z } from "zod"

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
export type ListAuditInput = z.output<typeof ListAuditInput>

/** Where a program that reads the log forward continues. */
export interface ForwardInput {
  /** The id of the last row that it has; "0" for the start. */
  after: string
  limit: number
}

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
