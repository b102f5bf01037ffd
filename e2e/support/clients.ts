import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "./service"

export interface Outcome {
  status: number
  sentAt: number
  ms: number
  /** Set for a 200: the model named in the response, and the tokens charged. */
  model: string | null
  tokens: number
}

export class Clients {
  readonly outcomes: Outcome[] = []
  #isOver = false
  readonly #clients: Promise<void>[]

  constructor(
    private readonly service: Service,
    private readonly key: string,
    private readonly body: unknown,
    clients: number,
    private readonly pauseMs = 0,
  ) {
    this.#clients = Array.from({ length: clients }, () => this.#client())
  }

  /** Returns the requests sent since `moment`, in milliseconds of `performance.now()`. */
  since(moment: number): Outcome[] {
    return this.outcomes.filter(({ sentAt }) => sentAt >= moment)
  }

  async stop(): Promise<Outcome[]> {
    this.#isOver = true
    await Promise.all(this.#clients)
    return this.outcomes
  }

  async #client(): Promise<void> {
    while (!this.#isOver) {
      const sentAt = performance.now()
      const response = await this.service.decide(this.key, this.body)
      const answer = (await response.json()) as { model?: string; usage?: { input_tokens: number } }
      this.outcomes.push({
        status: response.status,
        sentAt,
        ms: performance.now() - sentAt,
        model: answer.model ?? null,
        tokens: answer.usage?.input_tokens ?? 0,
      })
      await sleep(this.pauseMs)
    }
  }
}
