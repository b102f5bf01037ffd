import type { UserActor } from "@/lib/server/platform/user-actor"
import { ServiceError } from "@/lib/shared/errors"

/** Throws `forbidden` unless the actor owns the account; `what` ends "Only an owner of this account can …". */
export function requireOwner(actor: UserActor, what: string): void {
  if (actor.role === "owner") return
  throw new ServiceError("forbidden", { message: `Only an owner of this account can ${what}.` })
}
