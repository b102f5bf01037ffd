import { z } from "zod"
import { RESTRICTION_FIELDS } from "@/lib/shared/keys/restrictions"
import { CreateKeyInput, type KeySummary, MAX_OVERLAP_HOURS } from "@/lib/shared/keys/schema"
import { Id, Time, Usd } from "./admin-fields"

const LIMIT = { limit_usd: z.string(), limit_period: z.enum(["daily", "lifetime"]) }

const Fields = z.strictObject({
  name: z.string().meta({ description: "What the key is for." }),
  limit_usd: LIMIT.limit_usd.nullable().default(null).meta({ description: "The spend limit; null for none." }),
  limit_period: LIMIT.limit_period.nullable().default(null).meta({ description: "How long the limit counts." }),
  expires_at: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: "When it expires, in ISO 8601; null for never." }),
  note: z.string().default(""),
  models: z.array(z.string()).default([]).meta({ description: "Empty for every model." }),
  routes: z.array(z.string()).default([]).meta({ description: "Empty for every route." }),
  networks: z.array(z.string()).default([]).meta({ description: "Addresses and ranges; empty for every one." }),
  tags: z.array(z.string()).default([]).meta({ description: "Cost centres such as `team=search`." }),
})

/** The settings of a new key, which the schema of the console's form checks. */
export const CreateKeyBody = Fields.transform((body, context) => {
  const { limit_usd: amountUsd, limit_period: period, expires_at: expiresAt, ...rest } = body
  if ((amountUsd === null) !== (period === null)) {
    context.addIssue({ code: "custom", path: ["limit_usd"], message: "Give `limit_usd` and `limit_period` together." })
    return z.NEVER
  }
  const limit = amountUsd !== null && period !== null ? { amountUsd, period } : null
  const parsed = CreateKeyInput.safeParse({ ...rest, limit, expiresAt })
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) {
    const [field, ...below] = path
    const name = field === "limit" ? "limit_usd" : field === "expiresAt" ? "expires_at" : String(field)
    context.addIssue({ code: "custom", path: [name, ...(field === "limit" ? [] : below)], message })
  }
  return z.NEVER
})

export const ReplaceKeyBody = z.strictObject({
  overlap_hours: z
    .int()
    .min(0)
    .max(MAX_OVERLAP_HOURS)
    .default(MAX_OVERLAP_HOURS)
    .meta({ description: "How long the old secret works; 0 for not at all." }),
})

export const RestrictKeyBody = z.strictObject({
  models: RESTRICTION_FIELDS.models,
  routes: RESTRICTION_FIELDS.routes,
  networks: RESTRICTION_FIELDS.networks,
})

export const CreatedKeyView = z.strictObject({
  id: Id("key", "The key's public id."),
  masked: z.string().meta({ description: "The key as lists show it." }),
  key: z.string().nullable().meta({ description: "The secret, shown only once; null on a repeated request." }),
})

export const KeyView = z.strictObject({
  id: Id("key", "The key's public id."),
  name: z.string(),
  kind: z.enum(["secret", "playground"]),
  masked: z.string().nullable(),
  status: z.enum(["active", "limit_reached", "paused", "expired", "revoked"]),
  limit_usd: Usd("The spend limit; null without one.").nullable(),
  limit_period: LIMIT.limit_period.nullable(),
  used_usd: Usd("What it spent in its current period; without a limit since its creation."),
  created_at: Time("When it was created."),
  last_used_at: Time("When it was last used.").nullable(),
  expires_at: Time("When it expires; null for never.").nullable(),
  models: z.array(z.string()),
  routes: z.array(z.string()),
  networks: z.array(z.string()),
  tags: z.array(z.string()),
})

export const viewOfKey = (key: KeySummary): z.input<typeof KeyView> => ({
  id: key.id,
  name: key.name,
  kind: key.kind,
  masked: key.masked,
  status: key.status,
  limit_usd: key.limitUsd,
  limit_period: key.period,
  used_usd: key.spentUsd,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt,
  expires_at: key.expiresAt,
  models: key.models,
  routes: key.routes,
  networks: key.networks,
  tags: key.tags,
})
