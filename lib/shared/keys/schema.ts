import { z } from "zod"
import { parseUsd } from "@/lib/shared/money"
import { Name, plainLine } from "@/lib/shared/plain-line"
import { TagsField } from "@/lib/shared/tags/tags-field"
import { KEY_TEXTS, type KeyTextName, type KeyTexts, mapKeyTexts } from "./key-texts"
import { type KeyRestrictions, RESTRICTION_FIELDS } from "./restrictions"

/** A positive amount in USD, as typed. */
export const Amount = z.string({ error: "Enter an amount in USD." }).superRefine((text, context) => {
  const amount = parseUsd(text)
  if (amount === null) context.addIssue({ code: "custom", message: "Enter an amount in USD, such as 5 or 0.50." })
  else if (amount <= 0n) context.addIssue({ code: "custom", message: "Enter more than zero." })
})

const SpendLimit = z.strictObject({
  amountUsd: Amount,
  period: z.enum(["daily", "lifetime"], { error: "Choose daily or lifetime." }),
})

/** An ISO time, or an ISO date, which means the end of that day in UTC. */
export const Expiry = z
  .union(
    [
      z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
      z.iso.date().transform((text) => new Date(`${text}T23:59:59.999Z`)),
    ],
    { error: "Enter a date." },
  )
  .refine((at) => at.getTime() > Date.now(), "Choose a day that has not passed.")
  .transform((at) => at.toISOString())

const textOf = (name: KeyTextName) => {
  const { label, maxLength } = KEY_TEXTS[name]
  return plainLine(maxLength, `Enter a ${label.toLowerCase()}.`).optional()
}

/** The settings of a new key. The limit and the expiry cannot be changed later. */
export const CreateKeyInput = z.strictObject({
  name: Name,
  limit: SpendLimit.nullable(),
  expiresAt: Expiry.nullable(),
  ...mapKeyTexts(textOf),
  models: RESTRICTION_FIELDS.models.optional(),
  routes: RESTRICTION_FIELDS.routes.optional(),
  networks: RESTRICTION_FIELDS.networks.optional(),
  tags: TagsField.optional(),
})
export type CreateKeyInput = z.output<typeof CreateKeyInput>

/** What was typed into the form for a new key, checked only for its shape. It has no secret. */
export const KeyDraft = z.object({
  name: z.string(),
  limit: z.object({ amountUsd: z.string(), period: z.enum(["daily", "lifetime"]) }).nullable(),
  expiresAt: z.string().nullable(),
  ...mapKeyTexts(() => z.string().optional()),
  models: RESTRICTION_FIELDS.models.optional(),
  routes: RESTRICTION_FIELDS.routes.optional(),
  networks: z.union([z.array(z.string()), z.string()]).optional(),
  tags: z.union([z.array(z.string()), z.string()]).optional(),
})
export type KeyDraft = z.output<typeof KeyDraft>

/** A key by its public id, `key_…`. */
export const KeyInput = z.strictObject({ id: z.string() })
export type KeyInput = z.output<typeof KeyInput>

/** The most hours for which the secret before a replacement keeps working. */
export const MAX_OVERLAP_HOURS = 24

/** `overlapHours` is text, as a field or an option has it. With 0, the old secret stops working at once. */
export const ReplaceKeyInput = z.strictObject({
  id: z.string(),
  overlapHours: z
    .string()
    .regex(/^\d{1,2}$/, `Enter 0 to ${MAX_OVERLAP_HOURS} whole hours.`)
    .transform(Number)
    .refine((hours) => hours <= MAX_OVERLAP_HOURS, `Enter 0 to ${MAX_OVERLAP_HOURS} whole hours.`),
})
export type ReplaceKeyInput = z.output<typeof ReplaceKeyInput>

const MAX_KEYS_AT_ONCE = 100

export const KeysInput = z.strictObject({
  ids: z.array(z.string()).min(1).max(MAX_KEYS_AT_ONCE, `Choose at most ${MAX_KEYS_AT_ONCE} keys at once.`),
})
export type KeysInput = z.output<typeof KeysInput>

/** The settings of a key that can be changed. An empty text or list removes the current one, a missing one leaves it. */
export const ChangeKeyInput = z.strictObject({
  id: z.string(),
  name: Name,
  tags: TagsField.optional(),
  ...mapKeyTexts(textOf),
})
export type ChangeKeyInput = z.output<typeof ChangeKeyInput>

/** A paused key is refused until someone resumes it. */
export type KeyStatus = "active" | "limit_reached" | "paused" | "expired" | "revoked"

/** A key as lists show it, without its secret. Money is exact USD text, times are ISO text. */
export interface KeySummary extends KeyTexts, KeyRestrictions {
  /** `key_…` */
  id: string
  name: string
  kind: "secret" | "playground"
  /** `svcd_AbCd…wXyZ`; null for the Playground key, which has no secret. */
  masked: string | null
  limitUsd: string | null
  period: "daily" | "lifetime" | null
  /** In the current period; without a limit since the creation of the key. */
  spentUsd: string
  /** When the next period of a daily limit starts; else null. */
  resetsAt: string | null
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  /** The secret before a replacement, while it works. */
  oldSecret: OldSecret | null
  status: KeyStatus
  /** `name=value`, in the order of their names. */
  tags: string[]
  /** Who created it, also after leaving the account; null for keys of the operator and the Playground key. */
  createdBy: KeyCreator | null
}

/** A secret that was replaced and still works. Times are ISO text. */
export interface OldSecret {
  masked: string
  until: string
  lastUsedAt: string | null
  /** The last use of the secret that replaced it. */
  newUsedAt: string | null
}

export interface KeyCreator {
  /** `usr_…` */
  id: string
  email: string
  isMember: boolean
}

/** The result of a creation or a replacement, the only time that the secret is shown. */
export interface CreatedKey {
  id: string
  name: string
  token: string
  masked: string
}
