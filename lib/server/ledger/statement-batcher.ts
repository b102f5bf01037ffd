import { DatabaseError } from "pg"

const MAX_BATCH = 32
const MAX_STATEMENTS = 4
/** A statement that takes longer is probably waiting for a lock. Later items then start another statement. */
const SLOW_MS = 20

/** SQLSTATE classes of errors caused by a statement's input or by a deadlock. Such a statement changed nothing. */
const REFUSED = /^(22|23|40|42|P0)/

interface Waiter<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Sends items to the database in batches, in order of arrival. Items that arrive in one turn of the event loop, or while a
 * statement is running, share the next statement. No item is delayed in order to collect more. After the database refused a
 * batch, its items are sent again one by one, so that a bad item does not fail the others.
 */
export class StatementBatcher<Item, Result> {
  #waiting: Waiter<Item, Result>[] = []
  #statements = 0
  #latestAt = 0
  #soon: NodeJS.Immediate | null = null
  #later: NodeJS.Timeout | null = null

  /** `statement` resolves to one result for each item, in their order. */
  constructor(private readonly statement: (items: Item[]) => Promise<Result[]>) {}

  /** Resolves to the database's result for this item. Rejects when its statement fails or its connection breaks. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#startSoon()
    })
  }

  /** Starts at the end of this turn of the event loop, so that other items of the turn can join. */
  #startSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = null
      this.#start()
    })
  }

  #start(): void {
    while (this.#waiting.length > 0) {
      if (!this.#mayStart()) return void this.#startLater()
      const batch = this.#waiting.splice(0, MAX_BATCH)
      this.#statements++
      this.#latestAt = performance.now()
      void this.#run(batch).finally(() => {
        this.#statements--
        if (this.#waiting.length > 0) this.#startSoon()
      })
    }
  }

  /** Tries again once the running statement counts as slow, because no later item may arrive to trigger it. */
  #startLater(): void {
    this.#later ??= setTimeout(() => {
      this.#later = null
      this.#start()
    }, SLOW_MS + 1)
  }

  #mayStart(): boolean {
    if (this.#statements === 0) return true
    if (this.#statements >= MAX_STATEMENTS) return false
    return this.#waiting.length >= MAX_BATCH || performance.now() - this.#latestAt > SLOW_MS
  }

  async #run(batch: Waiter<Item, Result>[]): Promise<void> {
    try {
      const results = await this.statement(batch.map(({ item }) => item))
      if (results.length !== batch.length) throw new Error("the database must return one row for each item")
      for (const [i, { resolve }] of batch.entries()) resolve(results[i] as Result)
    } catch (error) {
      const isRefused = error instanceof DatabaseError && REFUSED.test(error.code ?? "")
      if (isRefused && batch.length > 1) await Promise.all(batch.map((waiter) => this.#run([waiter])))
      else for (const { reject } of batch) reject(error)
    }
  }
}
