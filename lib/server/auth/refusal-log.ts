import { networksOf } from "@/lib/server/platform/client-networks"
import type { Runtime } from "@/lib/server/platform/runtime"
import { keyedHash } from "./sign-in-events"

const MINUTE_MS = 60_000
/** How many refused credentials of one client, and of its network, are logged in a minute. Further ones are only counted. */
const LINES_PER_MINUTE = { client: 10, network: 50 } as const

/** How many clients and networks are counted apart. This bounds the memory that an attacker with many addresses can use. */
const MAX_COUNTS = 10_000
/** The client whose address is unknown. It also stands for those that are not counted apart. */
export const UNKNOWN_CLIENT = "others"

interface Count {
  logged: number
  mostLogged: number
  unlogged: number
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    refusals: RefusalLog
  }
}

/** Bounds how many log lines refused credentials cause: API keys, tokens, sessions, mailed links, sign-ins with a provider and signatures. A crash may lose the counts of a minute. */
export class RefusalLog {
  #counts = new Map<string, Count>()
  #timer: NodeJS.Timeout | null = null

  /** Counts a refusal. Returns whether it is to be logged by itself. `client` is what rate limits count as one client. */
  count(runtime: Runtime, client: string): boolean {
    const network = this.#of(networksOf(client).at(-1)?.network ?? "", LINES_PER_MINUTE.network)
    // One without an address is in no network.
    const own =
      network.logged < network.mostLogged ? this.#of(client || UNKNOWN_CLIENT, LINES_PER_MINUTE.client) : network
    this.#timer ??= setTimeout(() => this.flush(runtime), MINUTE_MS).unref()
    const isLogged = own.logged < own.mostLogged
    if (isLogged) for (const count of new Set([own, network])) count.logged++
    else own.unlogged++
    return isLogged
  }

  /** Logs how many refusals of each client or network have no line of their own, and starts to count anew. */
  flush(runtime: Runtime): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    const counts = this.#counts
    this.#counts = new Map()
    for (const [name, { unlogged }] of counts)
      if (unlogged > 0)
        runtime.log.warn("A client's further refused credentials of this minute were only counted", {
          event: "credentials.refused",
          status: 401,
          count: unlogged,
          ...(name === UNKNOWN_CLIENT || name === "" ? {} : { clientHash: keyedHash(runtime, "client", name) }),
        })
  }

  #of(name: string, mostLogged: number): Count {
    const known = this.#counts.get(name)
    if (known) return known
    if (this.#counts.size >= MAX_COUNTS && name !== UNKNOWN_CLIENT)
      return this.#of(UNKNOWN_CLIENT, LINES_PER_MINUTE.client)
    const count = { logged: 0, mostLogged, unlogged: 0 }
    this.#counts.set(name, count)
    return count
  }
}
