import { setTimeout as sleep } from "node:timers/promises"
import { ONE_QUESTION } from "./requests"
import type { Service } from "./service"

const RETRY_MS = 50

export interface Outcome {
  /** Null when the connection broke before the response. The ledger may have charged such a request. */
  status: number | null
  sentAt: number
  ms: number
  /** Set for a 200: the model named in the response, and the tokens charged. */
  model: string | null
  tokens: number
}

/** Sends a request again and again from several clients. Refused connections are retried and have no outcome. */
export class Clients {
  readonly outcomes: Outcome[] = []
  #isOver = false
  readonly #clients: Promise<void>[]

  constructor(
    private readonly service: Service,
    private readonly key: string,
    { body = ONE_QUESTION as unknown, clients = 20, pauseMs = 0 } = {},
  ) {
    this.#clients = Array.from({ length: clients }, () => this.#client(body, pauseMs))
  }

  /** Returns the requests sent since `moment`, in milliseconds of `performance.now()`. */
  since(moment: number): Outcome[] {
    return this.outcomes.filter(({ sentAt }) => sentAt >= moment)
  }

  count(status: number | null): number {
    return this.outcomes.filter((outcome) => outcome.status === status).length
  }

  /** Resolves when this many more requests were answered with 200. */
  async goOn(more: number): Promise<void> {
    const enough = this.count(200) + more
    while (this.count(200) < enough) await sleep(10)
  }

  async stop(): Promise<Outcome[]> {
    this.#isOver = true
    await Promise.all(this.#clients)
    return this.outcomes
  }

  async #send(body: unknown): Promise<Pick<Outcome, "status" | "model" | "tokens"> | null> {
    try {
      const response = await this.service.decide(this.key, body)
      const answer = (await response.json()) as { model?: string; usage?: { input_tokens: number } }
      return { status: response.status, model: answer.model ?? null, tokens: answer.usage?.input_tokens ?? 0 }
    } catch (error) {
      // A refused connection has not reached the ledger.
      const isRefused = (error as { cause?: { code?: string } }).cause?.code === "ECONNREFUSED"
      return isRefused ? null : { status: null, model: null, tokens: 0 }
    }
  }

  async #client(body: unknown, pauseMs: number): Promise<void> {
    while (!this.#isOver) {
      const sentAt = performance.now()
      const outcome = await this.#send(body)
      if (outcome) this.outcomes.push({ ...outcome, sentAt, ms: performance.now() - sentAt })
      await sleep(outcome?.status ? pauseMs : RETRY_MS)
    }
  }
}
