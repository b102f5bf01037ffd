import type { IncomingMessage } from "node:http"
import { UNKNOWN_CLIENT } from "@/lib/server/auth/refusal-log"
import { clientBlock } from "@/lib/server/platform/client-address"
import type { Runtime } from "@/lib/server/platform/runtime"

/** Returns the client as limits count it. The connection of a client that has left has no address. */
function clientOf(request: IncomingMessage, { env }: Runtime): string {
  try {
    return clientBlock(request, env.TRUSTED_PROXY_HOPS)
  } catch {
    return UNKNOWN_CLIENT
  }
}

/** Counts a response with a refused credential. Returns whether a response is to be logged by itself. */
export const isLogged = (runtime: Runtime, request: IncomingMessage, status: number): boolean =>
  status !== 401 || runtime.refusals.count(runtime, clientOf(request, runtime))
