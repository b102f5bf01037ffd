import { setTimeout as sleep } from "node:timers/promises"
import type { Runtime } from "@/lib/server/platform/runtime"
import { recallGrants } from "./grant-statements"

/** After a recall, the account's requests take the exact path for this long. */
const RECALLED_MS = 5_000
const RECALL_MS = 1_000
const RECALL_EVERY_MS = 50

/** The accounts whose credit was recalled, so that they get no grants for a while. */
export class Recalls {
  readonly #pausedUntil = new Map<string, number>()
  readonly #running = new Map<string, Promise<void>>()

  /** `endAll` ends this process's grants on an account. */
  constructor(private readonly endAll: (accountId: string) => Promise<unknown>) {}

  isPaused(accountId: string, now: number): boolean {
    return now < (this.#pausedUntil.get(accountId) ?? 0)
  }

  pause(accountId: string): void {
    this.#pausedUntil.set(accountId, performance.now() + RECALLED_MS)
  }

  /** Drops what is over. */
  forget(now: number): void {
    for (const [accountId, until] of this.#pausedUntil) if (until < now) this.#pausedUntil.delete(accountId)
  }

  /**
   * Ends this process's grants on an account, and asks the other processes to end theirs. Resolves when the account has none, or after about
   * a second: the grant of a process that does not respond stays reserved until its lease ends. Rejects when the database cannot be asked.
   * Concurrent calls share one.
   */
  recall(runtime: Runtime, accountId: string): Promise<void> {
    const running = this.#running.get(accountId)
    if (running) return running
    const started = this.#recall(runtime, accountId).finally(() => this.#running.delete(accountId))
    this.#running.set(accountId, started)
    return started
  }

  async #recall(runtime: Runtime, accountId: string): Promise<void> {
    const until = performance.now() + RECALL_MS
    this.pause(accountId)
    while (true) {
      await this.endAll(accountId)
      if ((await recallGrants(runtime, accountId)) === 0 || performance.now() > until) return
      await sleep(RECALL_EVERY_MS)
    }
  }
}
