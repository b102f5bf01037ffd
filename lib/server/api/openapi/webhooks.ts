import { z } from "zod"
import type { EventData } from "@/lib/server/webhooks/queue-event"
import type { WebhookEvent } from "@/lib/shared/webhooks/schema"
import { id, schemaOf, time, usd } from "./account-fields"

/** The messages to an account's own programs. */
const WEBHOOKS = {
  "balance.low": {
    summary: "The balance fell to the account's warning, or below zero",
    data: {
      account_id: id("acc", "The account."),
      balance_usd: usd("The balance then."),
      threshold_usd: usd("The balance at which the account warns."),
    },
  },
  "key.limit_reached": {
    summary: "A key spent its whole limit",
    data: {
      account_id: id("acc", "The account."),
      key_id: id("key", "The key."),
      limit_usd: usd("Its limit."),
      limit_period: z.enum(["daily", "lifetime"]),
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
    "`v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body`; one for each valid secret.",
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
          description: "Signed as Standard Webhooks define it.",
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
          responses: { "2XX": { description: "The message was received. Any other status sends it again later." } },
        },
      },
    ]),
  )
