import type { OperatorActor, UserActor } from "@/lib/server/platform/actor"
import { addressBlock } from "@/lib/server/platform/client-address"
import type { Runtime } from "@/lib/server/platform/runtime"
import { keyedHash } from "./sign-in-events"

/** Returns who was refused: an account's member by a hash of the address, an operator by the user's id. */
const whoOf = (runtime: Runtime, actor: UserActor | OperatorActor) =>
  actor.type === "user"
    ? { accountId: actor.accountId, emailHash: keyedHash(runtime, "email", actor.email) }
    : { userId: actor.userId ?? undefined }

/**
 * Logs that a signed-in user or operator may not run an action. Its response is a 200 that holds the error, so the line of the request
 * does not say so.
 */
export function recordRefusal(runtime: Runtime, actor: UserActor | OperatorActor, code: string, reason?: string): void {
  const { clientAddress } = actor
  runtime.log.info("A server action was refused", {
    event: "action.refused",
    code,
    ...(reason === undefined ? {} : { reason }),
    ...whoOf(runtime, actor),
    ...(clientAddress ? { clientHash: keyedHash(runtime, "client", addressBlock(clientAddress)) } : {}),
  })
}
