/**
 * Runs work one at a time per key. Whoever asks while it runs shares the one run that begins afterwards: a run that had
 * begun earlier may not have seen what they know of.
 */
export class OneAtATime<Result> {
  readonly #running = new Map<string, Promise<Result>>()
  readonly #next = new Map<string, Promise<Result>>()

  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const next = this.#next.get(key)
    if (next) return next
    const running = this.#running.get(key)
    if (!running) return this.#start(key, work)
    const begin = () => {
      this.#next.delete(key)
      return this.#start(key, work)
    }
    const queued = running.then(begin, begin)
    this.#next.set(key, queued)
    return queued
  }

  #start(key: string, work: () => Promise<Result>): Promise<Result> {
    const run = work().finally(() => this.#running.delete(key))
    this.#running.set(key, run)
    return run
  }
}
