import { setTimeout as sleep } from "node:timers/promises"
import { ONE_QUESTION } from "./requests"
import type { Service } from "./service"

const CLIENTS = 20
const RETRY_MS = 50

/** Sends one question again and again from 20 clients. Refused connections are retried, not counted. */
export class Load {
  answered = 0
  /** The number of responses with another status than 200. */
  failed = 0
  /** The number of connections that broke before the response. The ledger may have charged those. */
  cutOff = 0
  #isOver = false
  readonly #clients: Promise<void>[]

  constructor(
    private readonly service: Service,
    private readonly key: string,
    private readonly pauseMs = 0,
  ) {
    this.#clients = Array.from({ length: CLIENTS }, () => this.#client())
  }

  async goOn(more: number): Promise<void> {
    const enough = this.answered + more
    while (this.answered < enough) await sleep(10)
  }

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
        // A refused connection has not reached the ledger.
        (error: { cause?: { code?: string } }) => (error.cause?.code === "ECONNREFUSED" ? "refused" : "cut off"),
      )
      if (status === 200) this.answered++
      else if (typeof status === "number") this.failed++
      const pauseMs = status === 200 ? this.pauseMs : RETRY_MS
      if (pauseMs > 0) await sleep(pauseMs)
      if (status === "cut off") this.cutOff++
    }
  }
}
