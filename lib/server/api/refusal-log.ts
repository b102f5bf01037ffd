import type { IncomingMessage } from "node:http"
import { keyedHash } from "@/lib/server/auth/sign-in-events"
import { clientBlock } from "@/lib/server/platform/client-address"
import type { Runtime } from "@/lib/server/platform/runtime"

const MINUTE_MS = 60_000
/** How many refused credentials of one client are logged in a minute. Further ones are only counted. */
const LINES_PER_MINUTE = 10

/** How many clients are counted apart. This bounds the memory that an attacker with many addresses can use. */
const MAX_CLIENTS = 10_000
const OTHERS = "others"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    refusals: RefusalLog
  }
}

/** Bounds how many log lines the refused credentials of one client cause. A crash may lose the counts of a minute. */
export class RefusalLog {
  #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null

  /** Counts a request that is refused with 401. Returns whether it is to be logged by itself. */
  count(runtime: Runtime, request: IncomingMessage): boolean {
    const client = this.#nameOf(clientOf(request, runtime))
    const count = (this.#counts.get(client) ?? 0) + 1
    this.#counts.set(client, count)
    this.#timer ??= setTimeout(() => this.flush(runtime), MINUTE_MS).unref()
    return count <= LINES_PER_MINUTE
  }

  /** Logs how many refusals of each client have no line of their own, and starts to count anew. */
  flush(runtime: Runtime): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const counts = this.#counts
    this.#counts = new Map()
    for (const [client, count] of counts)
      if (count > LINES_PER_MINUTE)
        runtime.log.warn("A client's further refused credentials of this minute were only counted", {
          event: "credentials.refused",
          status: 401,
          count: count - LINES_PER_MINUTE,
          ...(client === OTHERS ? {} : { clientHash: keyedHash(runtime, "client", client) }),
        })
  }

  #nameOf(client: string): string {
    return this.#counts.has(client) || this.#counts.size < MAX_CLIENTS ? client : OTHERS
  }
}

/** Returns the client as limits count it. The connection of a client that has left has no address. */
function clientOf(request: IncomingMessage, { env }: Runtime): string {
  try {
    return clientBlock(request, env.TRUSTED_PROXY_HOPS)
  } catch {
    return OTHERS
  }
}
