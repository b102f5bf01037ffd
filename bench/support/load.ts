import { setTimeout as sleep } from "node:timers/promises"
import { Connection } from "./connection"

const READY_CONNECTIONS = 16

/** The result of a load: each request's duration in milliseconds, and the total in seconds. */
export interface Measured {
  times: number[]
  seconds: number
}

/** Returns the value below which a share `q` of the times lie. */
export function quantile(times: number[], q: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
}

/** Load on one port. Throws for a response with another status than 200. */
export class Load {
  readonly #idle: Connection[] = []
  #sent = 0

  constructor(
    readonly port: number,
    /** The n-th request, ready to send. */
    private readonly requestOf: (n: number) => Buffer,
  ) {}

  /** Runs clients that each send the next request after a response, which finds the maximum rate. */
  async closed(clients: number, ms: number): Promise<Measured> {
    const times: number[] = []
    const startedAt = performance.now()
    const client = async () => {
      const connection = await this.#take()
      while (performance.now() - startedAt < ms) times.push(await this.#ask(connection))
      this.#idle.push(connection)
    }
    await Promise.all(Array.from({ length: clients }, client))
    return this.#end(times, startedAt)
  }

  /** Sends requests at a constant rate, also while earlier ones wait, so that a stall delays every request that arrives in it. */
  async arriving(perSecond: number, ms: number): Promise<Measured> {
    const times: number[] = []
    const pending: Promise<void>[] = []
    for (let i = 0; i < READY_CONNECTIONS; i++) this.#idle.push(await Connection.open(this.port))
    const startedAt = performance.now()
    const total = Math.floor((perSecond * ms) / 1000)
    const arrive = async () => {
      const arrivedAt = performance.now()
      const connection = await this.#take()
      await this.#ask(connection)
      times.push(performance.now() - arrivedAt)
      this.#idle.push(connection)
    }
    while (pending.length < total) {
      const due = Math.min(total, Math.ceil(((performance.now() - startedAt) * perSecond) / 1000))
      while (pending.length < due) {
        const arrival = arrive()
        // Failures are reported when all requests have ended. Until then, this handler keeps Node from exiting.
        arrival.catch(() => {})
        pending.push(arrival)
      }
      await sleep(1)
    }
    await Promise.all(pending)
    return this.#end(times, startedAt)
  }

  /** Closes the connections, because the server could close idle ones just as the next measurement begins. */
  #end(times: number[], startedAt: number): Measured {
    const seconds = (performance.now() - startedAt) / 1000
    for (const connection of this.#idle.splice(0)) connection.close()
    return { times, seconds }
  }

  async #take(): Promise<Connection> {
    return this.#idle.pop() ?? Connection.open(this.port)
  }

  async #ask(connection: Connection): Promise<number> {
    const from = performance.now()
    const status = await connection.send(this.requestOf(this.#sent++))
    if (status !== 200) throw new Error(`port ${this.port} returned ${status}`)
    return performance.now() - from
  }
}

export const median = (figures: number[]): number => quantile(figures, 0.5)
