import type { ClientBase } from "pg"
import type { Role } from "@/lib/shared/accounts/roles"
import type { SpentPercent } from "@/lib/shared/keys/budgets"
import type { OutcomeClaim } from "@/lib/shared/outcomes/outcome-claims"
import type { WebhookEvent } from "@/lib/shared/webhooks/events"
import type { QuestionTypeName } from "@/questions/question-types"

/** What each event reports. Money is exact USD text. It holds nothing that a user wrote, such as names. */
export interface EventData {
  "balance.low": { account_id: string; balance_usd: string; threshold_usd: string }
  "topup.paid": { account_id: string; topup_id: string; amount_usd: string }
  "key.created": { account_id: string; key_id: string }
  "key.revoked": { account_id: string; key_id: string }
  "key.near_limit": { account_id: string; key_id: string; limit_usd: string; limit_period: "daily" | "lifetime" }
  "key.limit_reached": { account_id: string; key_id: string; limit_usd: string; limit_period: "daily" | "lifetime" }
  /** `user_id` is null unless the budget is a member's. */
  "budget.spent": {
    account_id: string
    budget_id: string
    of: "account" | "member" | "tag"
    user_id: string | null
    percent: SpentPercent
    limit_usd: string
    limit_period: "daily" | "monthly"
    resets_at: string
  }
  /** `hour` is the start of the hour, as ISO text. */
  "errors.high": { account_id: string; hour: string; requests: number; failed: number }
  /** `target` and `errors` are null for calibration. */
  "outcomes.alarm": {
    account_id: string
    model: string
    question_type: QuestionTypeName
    claim: OutcomeClaim
    target: number | null
    counted: number
    errors: number | null
  }
  "member.joined": { account_id: string; user_id: string; role: Role }
  "member.left": { account_id: string; user_id: string }
  /** `subject` is the id of what was changed, if it has one that the account knows. */
  "audit.recorded": { account_id: string; entry_id: string; action: string; subject: string | null }
  "alias.moved": { alias: string; from: string; to: string }
}

/** Returns the JSON that an endpoint receives. */
export const eventBody = (type: string, data: object, at = new Date()): string =>
  JSON.stringify({ type, timestamp: at.toISOString(), data })

interface QueuedEvent<Type extends WebhookEvent> {
  /** Null for the endpoints of every account. */
  accountId: string | null
  type: Type
  /** Names what caused it. The same source is never delivered to the same endpoint as a second message. */
  source: string
  data: EventData[Type]
}

// Without the lock, an endpoint that is being deleted would fail the foreign key, and with it the cause of the event.
const INSERT = `
  INSERT INTO webhook_delivery (id, account_id, endpoint_id, type, source, body)
  SELECT gen_random_uuid(), e.account_id, e.id, $2, $3, $4
  FROM webhook_endpoint e JOIN account a ON a.id = e.account_id AND a.status = 'active'
  WHERE ($1::uuid IS NULL OR e.account_id = $1) AND $2 = ANY (e.events) AND e.turned_off_at IS NULL
  FOR KEY SHARE OF e
  ON CONFLICT (endpoint_id, source) DO NOTHING`

/** Queues a message to each endpoint of an active account that wants the event, in the transaction of its cause. A job sends it. */
export async function queueEvent<Type extends WebhookEvent>(
  client: ClientBase,
  { accountId, type, source, data }: QueuedEvent<Type>,
): Promise<void> {
  await client.query(INSERT, [accountId, type, source, eventBody(type, data)])
}
