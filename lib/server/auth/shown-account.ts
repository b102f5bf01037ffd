import type { UserActor } from "@/lib/server/platform/actor"
import { ServiceError } from "@/lib/shared/errors"

/** Returns whether a request comes from a tab that shows another account than its session. False when the tab names none. */
export const isFromOtherAccount = ({ accountId }: UserActor, shown: string | null | undefined): boolean =>
  Boolean(shown) && shown !== accountId

/**
 * Throws `account_switched` for a request of a tab that shows another account than its session, which another tab switched. `shown`
 * is the header `x-svc-account`. Forms without JavaScript send none: they only switch the account, sign in or sign out.
 */
export function refuseOtherAccount(actor: UserActor, shown: string | string[] | null | undefined): void {
  if (isFromOtherAccount(actor, shown?.toString())) throw new ServiceError("account_switched")
}
