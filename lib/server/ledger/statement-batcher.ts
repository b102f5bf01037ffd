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

interface Running {
  groups: ReadonlySet<string | null>
  startedAt: number
}

/**
 * Runs one SQL statement for many items, in order of arrival: those that arrive in one tick of the event loop, or while a
 * statement is running, share the next one. No item is delayed in order to collect more. After the database refused a
 * batch, its items are sent again one by one, so that a bad item does not fail the others. A group in a slow statement, whose rows may
 * be locked, gets at most one more, and no group gets all statements, so that other groups pass.
 */
export class StatementBatcher<Item, Result> {
  #waiting: Waiter<Item, Result>[] = []
  readonly #running = new Set<Running>()
  #latestAt = 0
  #soon: NodeJS.Immediate | null = null
  #later: NodeJS.Timeout | null = null

  /**
   * `statement` resolves to one result for each item, in their order. `groupOf` names what an item locks, such as an account; null
   * for an item that locks nothing.
   */
  constructor(
    private readonly statement: (items: Item[]) => Promise<Result[]>,
    private readonly groupOf: (item: Item) => string | null = () => null,
  ) {}

  /** Resolves to the database's result for this item. Rejects when its statement fails or its connection breaks. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#startSoon()
    })
  }

  /** Starts at the end of this tick of the event loop, so that other items of the tick can join. */
  #startSoon(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = null
      this.#start()
    })
  }

  #start(): void {
    while (this.#waiting.length > 0) {
      const batch = this.#mayStart() ? this.#takeBatch() : []
      if (batch.length === 0) return void this.#startLater()
      const running = { groups: new Set(batch.map(({ item }) => this.groupOf(item))), startedAt: performance.now() }
      this.#running.add(running)
      this.#latestAt = running.startedAt
      void this.#run(batch).finally(() => {
        this.#running.delete(running)
        if (this.#waiting.length > 0) this.#startSoon()
      })
    }
  }

  /**
   * Removes and returns the items of the next statement. Rows of a group in a slow statement may be locked, so its items come last
   * and in a statement of their own. They never use the last free statement. A group in two slow statements waits, and so does one
   * that is in every running statement when one more would be the last.
   */
  #takeBatch(): Waiter<Item, Result>[] {
    const slow = [...this.#running].filter(({ startedAt }) => performance.now() - startedAt > SLOW_MS)
    const slowOf = (group: string | null) =>
      group === null ? 0 : slow.filter(({ groups }) => groups.has(group)).length
    const hasPlace = this.#running.size < MAX_STATEMENTS - 1
    const isEverywhere = (group: string | null) =>
      !hasPlace && group !== null && [...this.#running].every(({ groups }) => groups.has(group))
    const groups = new Map(this.#waiting.map(({ item }) => [this.groupOf(item), 0]))
    for (const group of groups.keys()) groups.set(group, isEverywhere(group) ? Number.POSITIVE_INFINITY : slowOf(group))
    const suspect = hasPlace ? [...groups].find(([, count]) => count === 1)?.[0] : undefined
    const isFree = ({ item }: Waiter<Item, Result>) => groups.get(this.groupOf(item)) === 0
    const isAlone = ({ item }: Waiter<Item, Result>) => suspect !== undefined && this.groupOf(item) === suspect
    const mayJoin = this.#waiting.some(isFree) ? isFree : isAlone
    const batch = this.#waiting.filter(mayJoin).slice(0, MAX_BATCH)
    const taken = new Set(batch)
    this.#waiting = this.#waiting.filter((waiter) => !taken.has(waiter))
    return batch
  }

  /** Tries again once the running statement counts as slow, because no later item may arrive to trigger it. */
  #startLater(): void {
    this.#later ??= setTimeout(() => {
      this.#later = null
      this.#start()
    }, SLOW_MS + 1)
  }

  #mayStart(): boolean {
    if (this.#running.size === 0) return true
    if (this.#running.size >= MAX_STATEMENTS) return false
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
