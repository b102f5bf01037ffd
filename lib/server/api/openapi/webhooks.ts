import { z } from "zod"
import type { EventData } from "@/lib/server/events/queue-event"
import { ROLE_NAMES } from "@/lib/shared/accounts/roles"
import { OUTCOME_CLAIMS } from "@/lib/shared/outcomes/outcome-claims"
import type { WebhookEvent } from "@/lib/shared/webhooks/events"
import { TYPE_NAMES } from "@/questions/question-types"
import { id, schemaOf, time, usd, whole } from "./account-fields"

const KEY_LIMIT = {
  account_id: id("acc", "The account."),
  key_id: id("key", "The key."),
  limit_usd: usd("Its limit."),
  limit_period: z.enum(["daily", "lifetime"]),
}

/** The webhook messages, by event type. */
const WEBHOOKS = {
  "balance.low": {
    summary: "The balance fell to the account's warning threshold or below it",
    data: {
      account_id: id("acc", "The account."),
      balance_usd: usd("The balance at that time."),
      threshold_usd: usd("The balance at or below which owners are warned."),
    },
  },
  "topup.paid": {
    summary: "The credit of a top-up was added, also of an automatic one",
    data: {
      account_id: id("acc", "The account."),
      topup_id: id("top", "The top-up."),
      amount_usd: usd("The credit."),
    },
  },
  "key.created": {
    summary: "A key was created",
    data: { account_id: id("acc", "The account."), key_id: id("key", "The key.") },
  },
  "key.revoked": {
    summary: "A key was revoked",
    data: { account_id: id("acc", "The account."), key_id: id("key", "The key.") },
  },
  "key.near_limit": {
    summary: "A key spent 80% of its limit",
    data: KEY_LIMIT,
  },
  "key.limit_reached": {
    summary: "A key spent its whole limit",
    data: KEY_LIMIT,
  },
  "budget.spent": {
    summary: "50%, 80% or all of a budget was spent",
    data: {
      account_id: id("acc", "The account."),
      budget_id: id("bud", "The budget."),
      of: z.enum(["account", "member", "tag"]).meta({ description: "What the budget limits." }),
      user_id: id("usr", "The member whose keys it limits; null for another budget.").nullable(),
      percent: z.literal([50, 80, 100]).meta({ description: "The part that was spent at least." }),
      limit_usd: usd("Its limit."),
      limit_period: z.enum(["daily", "monthly"]),
      resets_at: time("When its period ends."),
    },
  },
  "errors.high": {
    summary: "At least 10 requests of an hour, and 5% of all, failed with a status of 500 or above",
    data: {
      account_id: id("acc", "The account."),
      hour: time("The start of the hour, in UTC."),
      requests: whole("The requests of the hour that were answered or failed, up to this message."),
      failed: whole("Those that failed."),
    },
  },
  "outcomes.alarm": {
    summary:
      "At least 95% sure: for a time, more answers were wrong than was accepted, or predictions did not come true",
    data: {
      account_id: id("acc", "The account."),
      model: z.string().meta({ description: "The pinned model that answered." }),
      question_type: z.enum(TYPE_NAMES),
      claim: z.enum(OUTCOME_CLAIMS).meta({
        description: "The answers above or below the threshold, or the calibration of all.",
      }),
      target: z.number().nullable().meta({ description: "The accepted error rate; null for calibration." }),
      counted: whole("The outcomes that the alarm counted."),
      errors: whole("The wrong ones of these answers; null for calibration.").nullable(),
    },
  },
  "member.joined": {
    summary: "A person joined the account",
    data: { account_id: id("acc", "The account."), user_id: id("usr", "The member."), role: z.enum(ROLE_NAMES) },
  },
  "member.left": {
    summary: "A member left the account or was removed from it",
    data: { account_id: id("acc", "The account."), user_id: id("usr", "The former member.") },
  },
  "audit.recorded": {
    summary: "The audit log of the account has a new entry",
    data: {
      account_id: id("acc", "The account."),
      entry_id: z.string().meta({ description: "The entry's `id` in the export of the audit log." }),
      action: z.string().meta({ description: "What was done, such as `key.create`." }),
      subject: z.string().nullable().meta({ description: "The id of what was changed; null without one." }),
    },
  },
  "alias.moved": {
    summary: "An alias points at another model",
    data: { alias: z.string(), from: z.string(), to: z.string() },
  },
} as const satisfies { [Type in WebhookEvent]: { summary: string; data: Record<keyof EventData[Type], z.ZodType> } }

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
})

const WEBHOOK_HEADERS = [
  header("webhook-id", "The same when a message is sent again."),
  header("webhook-timestamp", "Seconds since 1970."),
  header(
    "webhook-signature",
    "`v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`. One signature for each valid secret, separated by spaces.",
  ),
]

/** Returns the section `webhooks` of the document. */
export const webhooks = () =>
  Object.fromEntries(
    Object.entries(WEBHOOKS).map(([type, { summary, data }]) => [
      type,
      {
        post: {
          operationId: type.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
          summary,
          description: "Signed as the Standard Webhooks specification defines.",
          security: [],
          parameters: WEBHOOK_HEADERS,
          requestBody: {
            required: true,
            content: {
              "application/json": {
                schema: schemaOf(
                  z.strictObject({
                    type: z.literal(type),
                    timestamp: time("When it happened."),
                    data: z.strictObject(data),
                  }),
                ),
              },
            },
          },
          responses: {
            "2XX": {
              description:
                "The message was received. After any other status, the service sends it again, for about two days.",
            },
          },
        },
      },
    ]),
  )
