import { setTimeout as delay } from "node:timers/promises"
import type { Pool, PoolClient } from "pg"
import Stripe from "stripe"

/** Thrown by every step of a simulated process once it has been killed. */
class Crash extends Error {}

/** Kills a simulated process before or after one of its steps. Each query and each HTTP request is two steps: send and receive. */
export class Fuse {
  #left = Number.POSITIVE_INFINITY
  #blown = false

  /** Kills the process at this step, counted from zero. */
  arm(steps: number): void {
    this.#left = steps
  }

  get blown(): boolean {
    return this.#blown
  }

  replace(): void {
    this.#left = Number.POSITIVE_INFINITY
    this.#blown = false
  }

  async around<Result>(step: () => Promise<Result>): Promise<Result> {
    this.#burn()
    const result = await step()
    this.#burn()
    return result
  }

  #burn(): void {
    if (this.#left-- <= 0) this.#blown = true
    if (this.#blown) throw new Crash("the process is gone")
  }
}

type Query = (...args: unknown[]) => Promise<unknown>

function fusedClient(client: PoolClient, fuse: Fuse): PoolClient {
  const query = client.query.bind(client) as Query
  return new Proxy(client, {
    get(target, name) {
      if (name === "query") return (...args: unknown[]) => fuse.around(() => query(...args))
      // A dead process's connection closes, and PostgreSQL rolls back what it had not committed.
      if (name === "release") return (broken?: Error) => target.release(fuse.blown ? true : broken)
      const value = Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

export function fusedPool(pool: Pool, fuse: Fuse): Pool {
  const query = pool.query.bind(pool) as Query
  return new Proxy(pool, {
    get(target, name) {
      if (name === "query") return (...args: unknown[]) => fuse.around(() => query(...args))
      if (name === "connect") return async () => fusedClient(await target.connect(), fuse)
      const value = Reflect.get(target, name)
      return typeof value === "function" ? value.bind(target) : value
    },
  })
}

/**
 * The fault of the next request with this method. The request or its response is lost, Stripe completes the request after the
 * client's timeout, or the response arrives late and is out of date.
 */
export interface NetworkFault {
  method: string
  how: "request lost" | "response lost" | "completed late" | "response late"
}

const LATE_MS = 15

type HttpClient = ReturnType<typeof Stripe.createNodeHttpClient>

export class FusedHttp {
  readonly networkFaults: NetworkFault[] = []
  onRequest: () => void = () => {}
  #late: Promise<unknown>[] = []

  constructor(private readonly fuse: Fuse) {}

  async settled(): Promise<void> {
    await Promise.allSettled(this.#late.splice(0))
  }

  client(): HttpClient {
    const http = Stripe.createNodeHttpClient()
    const makeRequest = http.makeRequest.bind(http)
    http.makeRequest = async (...args) => {
      this.onRequest()
      const index = this.networkFaults.findIndex(({ method }) => method === args[3])
      const how = index === -1 ? null : this.networkFaults.splice(index, 1)[0]?.how
      if (how === "completed late") this.#late.push(delay(LATE_MS).then(() => makeRequest(...args)))
      if (how === "request lost" || how === "completed late") throw Stripe.HttpClient.makeTimeoutError()
      const answer = await this.fuse.around(() => makeRequest(...args))
      if (how === "response lost") throw Stripe.HttpClient.makeTimeoutError()
      if (how !== "response late") return answer
      const json = await answer.toJSON()
      await delay(LATE_MS)
      return Object.assign(answer, { toJSON: async () => json })
    }
    return http
  }
}
