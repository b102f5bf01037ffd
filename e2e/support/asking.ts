import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "./service"

/** One request and what became of it. */
export interface Outcome {
  status: number
  sentAt: number
  ms: number
  /** Of a 200: the model that answered and the tokens charged. */
  model: string | null
  tokens: number
}

/** Clients that send the same request over and over and keep what each was answered. */
export class Asking {
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

  /** Those sent from a moment on (`performance.now()`). */
  since(moment: number): Outcome[] {
    return this.outcomes.filter(({ sentAt }) => sentAt >= moment)
  }

  /** Asks no more, and waits for the answers to what was asked. */
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
