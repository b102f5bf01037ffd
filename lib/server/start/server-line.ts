/**
 * A message from one process of the service to another. `probe` returns the result of `Engines.probeNow`, and `examples` that of
 * `answerExamples`. A worker returns its own `state` and `metrics`. The server returns the state of all processes, or the metrics
 * of every process but the one that asks.
 */
export type Question = { name: "state" } | { name: "probe" | "examples"; modelId: string } | { name: "metrics" }

export interface Answer {
  id: number
  /** Undefined when the process could not answer. */
  value?: unknown
}

/** Sends the answer to a question of another process. It gets none when `reading` rejects. */
export const answerWith = (id: number, reading: Promise<unknown>, send: (answer: Answer) => void): Promise<void> =>
  reading.then(
    (value) => send({ id, value }),
    () => send({ id }),
  )

/** How long to wait for an answer. A probe of an engine ends within 10 s. */
const ANSWER_MS = 20_000

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

/** Questions to another process of the service, over their message channel. */
export class ServerLine {
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0

  constructor(private readonly send: (id: number, question: Question) => void) {}

  /** Resolves with the answer. Rejects when the other process cannot answer, or does not in time. */
  ask<Value>(question: Question, withinMs = ANSWER_MS): Promise<Value> {
    const id = ++this.#asked
    return new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id)
        reject(new Error("the server did not answer in time"))
      }, withinMs)
      this.#waiting.set(id, { resolve, reject, timer })
      this.send(id, question)
    }) as Promise<Value>
  }

  receive({ id, value }: Answer): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    this.#waiting.delete(id)
    clearTimeout(waiting.timer)
    if (value === undefined) waiting.reject(new Error("the server could not answer"))
    else waiting.resolve(value)
  }
}
