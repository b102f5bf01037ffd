import type { AuditTopic } from "./schema"

interface ActionFacts {
  /** What was done, in one sentence. */
  text: string
  /** The filter that shows it in an account's log. Null for what concerns no account. */
  topic: Exclude<AuditTopic, "all"> | null
}

/** Every action of the audit log, as `thing.verb`. */
const AUDIT_ACTIONS = {
  "account.create": { text: "Created the account", topic: "sign-ins" },
  "account.rename": { text: "Renamed the account", topic: "members" },
  "account.credit": { text: "Added credit", topic: "billing" },
  "account.debit": { text: "Subtracted credit", topic: "billing" },
  "account.limits": { text: "Changed the rate limits", topic: "members" },
  "account.warn_at": { text: "Changed the balance at which it warns", topic: "billing" },
  "account.suspend": { text: "Suspended the account", topic: "members" },
  "account.resume": { text: "Resumed the account", topic: "members" },
  "account.close": { text: "Closed the account", topic: "members" },
  "account.billing_details": { text: "Changed whom statements and invoices name", topic: "billing" },
  "account.key_rules": { text: "Changed the spend limits of new keys", topic: "keys" },
  "account.keep_outcomes": { text: "Turned on the keeping of outcomes", topic: "members" },
  "account.drop_outcomes": { text: "Turned off the keeping of outcomes", topic: "members" },
  "account.allow_shadows": { text: "Agreed to comparisons with new models", topic: "members" },
  "account.refuse_shadows": { text: "Refused comparisons with new models", topic: "members" },
  "outcomes.set_alarms": { text: "Set the alarms of a question", topic: "members" },
  "outcomes.end_alarms": { text: "Ended the alarms of a question", topic: "members" },
  "outcomes.upload": { text: "Uploaded outcomes", topic: "members" },
  "account.look": { text: "Viewed the account", topic: "members" },
  "account.export": { text: "Exported the account's data", topic: "members" },
  "user.delete": { text: "Deleted their own user", topic: "members" },
  "user.email_ask": { text: "Requested a change of their e-mail address", topic: "sign-ins" },
  "user.email_cancel": { text: "Cancelled the change of their e-mail address", topic: "sign-ins" },
  "user.email": { text: "Changed their e-mail address", topic: "sign-ins" },
  "user.link": { text: "Linked their user to a person of the OpenID provider", topic: "sign-ins" },
  "member.invite": { text: "Invited a person", topic: "members" },
  "member.resend": { text: "Sent an invitation again", topic: "members" },
  "member.revoke": { text: "Revoked an invitation", topic: "members" },
  "member.join": { text: "Joined the account", topic: "members" },
  "member.role": { text: "Changed the role of a member", topic: "members" },
  "member.offer": { text: "Offered a member the ownership", topic: "members" },
  "member.take_over": { text: "Took over the ownership", topic: "members" },
  // Of versions in which the other member had nothing to accept.
  "member.transfer": { text: "Transferred the ownership", topic: "members" },
  "member.remove": { text: "Removed a member", topic: "members" },
  "member.leave": { text: "Left the account", topic: "members" },
  "session.create": { text: "Signed in", topic: "sign-ins" },
  "session.confirm": { text: "Confirmed a session by e-mail", topic: "sign-ins" },
  "session.end": { text: "Ended a session", topic: "sign-ins" },
  "key.create": { text: "Created a key", topic: "keys" },
  "key.change": { text: "Changed the name, note or tags of a key", topic: "keys" },
  "key.pause": { text: "Paused a key", topic: "keys" },
  "key.resume": { text: "Resumed a key", topic: "keys" },
  "key.replace": { text: "Replaced the secret of a key", topic: "keys" },
  "key.end_secret": { text: "Ended the old secret of a key", topic: "keys" },
  "key.restrict": { text: "Changed where a key may be used", topic: "keys" },
  "key.revoke": { text: "Revoked a key", topic: "keys" },
  "budget.set": { text: "Set a budget", topic: "keys" },
  "budget.remove": { text: "Removed a budget", topic: "keys" },
  "token.create": { text: "Created an account token", topic: "keys" },
  "token.revoke": { text: "Revoked an account token", topic: "keys" },
  "webhook.create": { text: "Added a webhook", topic: "keys" },
  "webhook.delete": { text: "Deleted a webhook", topic: "keys" },
  "webhook.rotate": { text: "Replaced the secret of a webhook", topic: "keys" },
  "webhook.end_secret": { text: "Ended the old secret of a webhook", topic: "keys" },
  "webhook.test": { text: "Sent a test to a webhook", topic: "keys" },
  "webhook.events": { text: "Changed which events go to a webhook or Slack address", topic: "keys" },
  "slack.create": { text: "Added a Slack address", topic: "keys" },
  "webhook.resend": { text: "Sent a webhook message again", topic: "keys" },
  "record.sign": { text: "Had a sign-off record signed", topic: "keys" },
  "topup.start": { text: "Started a top-up", topic: "billing" },
  "topup.cancel": { text: "Requested the cancellation of a checkout", topic: "billing" },
  "topup.paid": { text: "Added the credit of a paid top-up", topic: "billing" },
  "topup.adjust": { text: "Adjusted the balance for a refund or dispute", topic: "billing" },
  "topup.attention": { text: "A completed checkout needs the operator's attention", topic: "billing" },
  "topup.settle": { text: "Settled a checkout that needed attention", topic: "billing" },
  "topup.end": { text: "Ended a checkout that needed attention", topic: "billing" },
  "topup.refund": { text: "Requested the refund of a top-up", topic: "billing" },
  "topup.refund_refused": { text: "The refund of a top-up was refused", topic: "billing" },
  "topup.refresh": { text: "Requested a check of a top-up with Stripe", topic: "billing" },
  "topup.reconcile": { text: "Requested a check of all payments with Stripe", topic: null },
  "auto_topup.on": { text: "Turned automatic top-up on or changed it", topic: "billing" },
  "auto_topup.off": { text: "Turned automatic top-up off", topic: "billing" },
  "auto_topup.charge": { text: "Started an automatic top-up", topic: "billing" },
  "auto_topup.pause": { text: "Paused automatic top-up", topic: "billing" },
  "auto_topup.resume": { text: "Resumed automatic top-up", topic: "billing" },
  "card.save": { text: "Saved a card", topic: "billing" },
  "card.remove": { text: "Removed the saved card", topic: "billing" },
  "ledger.verify": { text: "Requested a check of the ledger", topic: null },
  "model.add": { text: "Added a model", topic: null },
  "model.engine": { text: "Changed where a model's engines are", topic: null },
  "model.price": { text: "Set the price of a model", topic: null },
  "model.record": { text: "Recorded a model's answers to the examples", topic: null },
  "model.limits": { text: "Set the limits of a model", topic: null },
  "model.retire": { text: "Retired a model", topic: null },
  "model.alias": { text: "Moved the alias", topic: null },
  "model.name": { text: "Changed a name that clients of other APIs use for a model", topic: null },
  "model.plan": { text: "Planned a move of the alias, or cancelled it", topic: null },
  // Of versions in which an announced move was made by hand.
  "model.announce": { text: "Announced a move of the alias", topic: null },
  "model.shadow": { text: "Changed which model the alias is compared with", topic: null },
  "signing_key.rotate": { text: "Replaced the key that signs records", topic: null },
  "operator_token.create": { text: "Created an operator's token", topic: null },
  "operator_token.revoke": { text: "Revoked an operator's token", topic: null },
  "allowance.set": { text: "Set an allowance", topic: null },
  "allowance.end": { text: "Ended an allowance", topic: null },
  "operator.invite": { text: "Invited an operator, or changed the role", topic: null },
  "operator.remove": { text: "Removed an operator", topic: null },
  "mail.resend": { text: "Sent a queued mail again", topic: null },
} as const satisfies Record<string, ActionFacts>

export type AuditAction = keyof typeof AUDIT_ACTIONS

/** Returns the actions that `isWanted` accepts. */
export const auditActions = (isWanted: (action: string, topic: ActionFacts["topic"]) => boolean): string[] =>
  Object.entries<ActionFacts>(AUDIT_ACTIONS).flatMap(([action, { topic }]) => (isWanted(action, topic) ? [action] : []))

/** Describes an action in one sentence, without what it changed. An action of a newer version is its own description. */
export const describeAction = (action: string): string =>
  Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction].text : action
