import { setTimeout as sleep } from "node:timers/promises"
import { decisionBody } from "./requests"

export interface Answered {
  sentAt: number
  ms: number
  isLost: boolean
}

/** Sends paid requests at a constant rate, also while earlier ones wait. */
export class Probe {
  readonly answered: Answered[] = []
  #sent = 0
  readonly #timer: NodeJS.Timeout

  constructor(
    private readonly port: number,
    private readonly key: string,
    perSecond: number,
  ) {
    this.#timer = setInterval(() => void this.#send(), 1_000 / perSecond)
  }

  between(from: number, to: number): Answered[] {
    return this.answered.filter(({ sentAt }) => sentAt >= from && sentAt < to)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Resolves when every request has its response. */
  async settled(): Promise<void> {
    while (this.answered.length < this.#sent) await sleep(50)
  }

  async #send(): Promise<void> {
    const sentAt = performance.now()
    const status = await fetch(`http://127.0.0.1:${this.port}/v1/decisions`, {
      method: "POST",
      headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
      body: decisionBody(this.#sent++),
      signal: AbortSignal.timeout(60_000),
    }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    this.answered.push({ sentAt, ms: performance.now() - sentAt, isLost: status !== 200 })
  }
}
