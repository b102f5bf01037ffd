import { DatabaseError } from "pg"

/** How many calls go to the database together at most, and how many such statements are under way at once. */
const MOST_TOGETHER = 32
const MOST_STATEMENTS = 4
/** A statement that takes longer waits for a lock: what came after it does not wait with it. */
const SLOW_MS = 20

/** SQLSTATE classes of a statement that was refused for what it asks, or to end a deadlock: it changed nothing. */
const REFUSED = /^(22|23|40|42|P0)/

interface Waiter<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Statements<Item, Result> {
  one(item: Item): Promise<Result>
  /** One result for each item, in their order. */
  many(items: Item[]): Promise<Result[]>
}

/**
 * Calls to the database that go together when they come in one turn of the event loop, or while a statement is under way: the
 * next takes all that wait, in the order in which they came. Nobody waits for others to come. What the database refuses
 * together is asked one by one.
 */
export class Coalescer<Item, Result> {
  #waiting: Waiter<Item, Result>[] = []
  #statements = 0
  #latestAt = 0
  #soon: NodeJS.Immediate | null = null
  #later: NodeJS.Timeout | null = null

  constructor(private readonly statements: Statements<Item, Result>) {}

  /** What the database says of this item. */
  ask(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#startSoon()
    })
  }

  /** At the end of this turn of the event loop: what else comes in it goes along. */
  #startSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = null
      this.#start()
    })
  }

  #start(): void {
    while (this.#waiting.length > 0) {
      if (!this.#hasTurn()) return void this.#startLater()
      const taken = this.#waiting.splice(0, MOST_TOGETHER)
      this.#statements++
      this.#latestAt = performance.now()
      void this.#run(taken).finally(() => {
        this.#statements--
        if (this.#waiting.length > 0) this.#startSoon()
      })
    }
  }

  /** Looks again when the statement under way has become a slow one: maybe nobody else comes who would look. */
  #startLater(): void {
    this.#later ??= setTimeout(() => {
      this.#later = null
      this.#start()
    }, SLOW_MS + 1)
  }

  #hasTurn(): boolean {
    if (this.#statements === 0) return true
    if (this.#statements >= MOST_STATEMENTS) return false
    return this.#waiting.length >= MOST_TOGETHER || performance.now() - this.#latestAt > SLOW_MS
  }

  async #run(taken: Waiter<Item, Result>[]): Promise<void> {
    const [first] = taken
    if (taken.length === 1 && first) return this.#askAlone(first)
    try {
      const results = await this.statements.many(taken.map(({ item }) => item))
      if (results.length !== taken.length) throw new Error("the database answers once for each item")
      for (const [i, { resolve }] of taken.entries()) resolve(results[i] as Result)
    } catch (error) {
      const isRefused = error instanceof DatabaseError && REFUSED.test(error.code ?? "")
      if (isRefused) await Promise.all(taken.map((waiter) => this.#askAlone(waiter)))
      else for (const { reject } of taken) reject(error)
    }
  }

  #askAlone({ item, resolve, reject }: Waiter<Item, Result>): Promise<void> {
    return this.statements.one(item).then(resolve, reject)
  }
}
