import { setTimeout as sleep } from "node:timers/promises"
import { ONE_QUESTION } from "./requests"
import type { Service } from "./service"

const CLIENTS = 20
const RETRY_MS = 50

/** Twenty clients that ask the same question again and again, until they are stopped. */
export class Load {
  /** How many were answered 200. */
  answered = 0
  /** How many connections broke before their answer: what the service did with those, only the ledger knows. */
  cutOff = 0
  #isOver = false
  readonly #clients: Promise<void>[]

  constructor(
    private readonly service: Service,
    private readonly key: string,
  ) {
    this.#clients = Array.from({ length: CLIENTS }, () => this.#client())
  }

  /** Waits until so many more were answered. */
  async goOn(more: number): Promise<void> {
    const enough = this.answered + more
    while (this.answered < enough) await sleep(10)
  }

  /** Asks no more, and waits for the answers to what was asked. */
  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async #client(): Promise<void> {
    while (!this.#isOver) {
      const status = await this.service.decide(this.key, ONE_QUESTION).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        // A connection that nobody took reached no ledger.
        (error: { cause?: { code?: string } }) => (error.cause?.code === "ECONNREFUSED" ? "refused" : "cut off"),
      )
      if (status === 200) this.answered++
      else await sleep(RETRY_MS)
      if (status === "cut off") this.cutOff++
    }
  }
}
