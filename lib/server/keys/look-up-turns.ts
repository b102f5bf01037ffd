import { FairQueue } from "@/lib/server/engines/fair-queue"
import { networksOf } from "@/lib/server/platform/client-networks"

/** How many secrets that are not known here, and sessions, are looked up at once. */
const LOOK_UPS = 2

const newQueue = (): FairQueue => new FairQueue(LOOK_UPS, Number.POSITIVE_INFINITY)
/** A turn comes soon, so waiting for it is never aborted. */
const never = (): AbortSignal => new AbortController().signal

/**
 * The order of look-ups that anybody can cause. Networks take turns, and the clients of a network take turns among each other. So neither
 * a client nor a network, which one attacker may own as a whole, delays another's look-up by more than a few.
 */
export class LookUpTurns {
  readonly #all = newQueue()
  readonly #byNetwork = new Map<string, FairQueue>()

  /** Runs `find` in its turn. `client` is what rate limits count as one client. */
  async run<T>(client: string, find: () => Promise<T>): Promise<T> {
    const network = networksOf(client).at(-1)?.network ?? client
    const queue = this.#byNetwork.get(network) ?? newQueue()
    this.#byNetwork.set(network, queue)
    const leaveNetwork = await queue.enter(client, never())
    const leave = await this.#all.enter(network, never())
    try {
      return await find()
    } finally {
      leave()
      leaveNetwork()
      const { running, waiting } = queue.state
      if (running + waiting === 0) this.#byNetwork.delete(network)
    }
  }
}
