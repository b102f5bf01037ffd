/** What an endpoint can be called for, as the console names it and Slack shows it. */
export const WEBHOOK_EVENTS = {
  "balance.low": "The balance is low",
  "topup.paid": "A top-up was paid",
  "key.created": "A key was created",
  "key.revoked": "A key was revoked",
  "key.near_limit": "A key has spent 80% of its limit",
  "key.limit_reached": "A key has reached its limit",
  "budget.spent": "50%, 80% or all of a budget is spent",
  "errors.high": "Many requests fail",
  "outcomes.alarm": "An alarm of outcomes fired",
  "member.joined": "A member joined",
  "member.left": "A member left or was removed",
  "audit.recorded": "The audit log has a new entry",
  "alias.moved": "The alias moved to another model",
} as const

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS
/** `webhook.test` is sent only by the console's test button. */
export type WebhookType = WebhookEvent | "webhook.test"

export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as WebhookEvent[]

/** The events of a new endpoint unless its creator chooses. Each entry of the audit log would be many messages. */
export const DEFAULT_EVENTS = WEBHOOK_EVENT_NAMES.filter((event) => event !== "audit.recorded")
