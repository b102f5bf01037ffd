import type { UserActor } from "@/lib/server/platform/actor"
import { addressBlock } from "@/lib/server/platform/client-address"
import type { Runtime } from "@/lib/server/platform/runtime"
import { keyedHash } from "./sign-in-events"

/** Logs that a signed-in user may not run an action. Its response is a 200 that holds the error, so the line of the request does not say so. */
export function recordRefusal(
  runtime: Runtime,
  { accountId, email, clientAddress }: UserActor,
  code: string,
  reason?: string,
): void {
  runtime.log.info("A server action was refused", {
    event: "action.refused",
    code,
    ...(reason === undefined ? {} : { reason }),
    accountId,
    emailHash: keyedHash(runtime, "email", email),
    ...(clientAddress ? { clientHash: keyedHash(runtime, "client", addressBlock(clientAddress)) } : {}),
  })
}
