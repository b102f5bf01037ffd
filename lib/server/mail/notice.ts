import type { Role } from "@/lib/shared/accounts/roles"
import type { WebhookEvent } from "@/lib/shared/webhooks/events"

/** What a kind of mail says, and who gets it. */
export interface Notice<Facts> {
  /** As the settings name it. */
  label: string
  /** The event that webhooks and Slack addresses get of the same cause, if there is one. */
  event?: WebhookEvent
  /** A member cannot turn off mails about the safety of the account. */
  isSecurity: boolean
  /** Members with any of these roles receive it. */
  roles: readonly Role[]
  /** Members with these roles receive it when it is about them, and can turn it off too. */
  mayConcern?: readonly Role[]
  /** Facts for the tests. */
  sample: Facts
  /** Returns the subject and the parts, with a path of the console as the link. `account` is its name in quotation marks, or "the account". */
  write(
    facts: Facts,
    account: string,
  ): { subject: string; intro: string; action: { label: string; path: string }; terms: string }
}

export type Notices<Facts> = { [Kind in keyof Facts]: Notice<Facts[Kind]> }

export const PAYERS: readonly Role[] = ["owner", "billing"]
export const KEY_MANAGERS: readonly Role[] = ["owner", "developer"]
export const OWNERS: readonly Role[] = ["owner"]
