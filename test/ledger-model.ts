export const SLACK_PICO = 10_000_000_000n
const TTL_MS = 150_000
const DAY_MS = 86_400_000

export interface ModelKey {
  limit: bigint | null
  period: "daily" | "lifetime" | null
  expiresAt: number | null
}

interface Key extends ModelKey {
  isRevoked: boolean
}

export interface ModelBudget {
  /** Orders the budgets: the account's come first. */
  name: string
  limit: bigint
  period: "daily" | "monthly"
  /** The keys whose requests it counts. */
  keys: number[]
  /** Null counts requests with any tag, or none. */
  tag: string | null
}

const counts = ({ keys, tag }: ModelBudget, one: { key: number; tag: string | null }): boolean =>
  keys.includes(one.key) && (tag === null || tag === one.tag)

interface Hold {
  key: number
  tag: string | null
  price: bigint
  maxTokens: bigint
  state: "held" | "captured" | "voided" | "expired"
  expiresAt: number
}

interface Charge {
  key: number
  tag: string | null
  day: number
  amount: bigint
}

/** Returns the month of a UTC day, as a number that grows by 1 each month. */
const monthOf = (day: number): number => {
  const date = new Date(day * DAY_MS)
  return 12 * date.getUTCFullYear() + date.getUTCMonth()
}

const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/**
 * A model of one account's money without a stored balance: every figure is a sum over earlier events. Methods return the
 * same text as the SQL functions.
 */
export class LedgerModel {
  readonly keys: Key[]
  readonly holds: Hold[] = []
  readonly charges: Charge[] = []
  readonly posted: bigint[] = []

  readonly budgets: ModelBudget[] = []
  /** The latest UTC day on which a hold was placed or ended. Days only move forward. */
  #lastDay = Number.NEGATIVE_INFINITY

  constructor(
    keys: ModelKey[],
    public now: number,
  ) {
    this.keys = keys.map((key) => ({ ...key, isRevoked: false }))
  }

  get day(): number {
    return Math.max(this.#lastDay, this.today)
  }

  get today(): number {
    return Math.floor(this.now / DAY_MS)
  }

  get balance(): bigint {
    return sum(this.posted) - sum(this.charges.map(({ amount }) => amount))
  }

  get available(): bigint {
    return this.balance - this.held()
  }

  held(key?: number): bigint {
    const open = this.holds.filter((hold) => hold.state === "held" && (key === undefined || hold.key === key))
    return sum(open.map(({ price, maxTokens }) => price * maxTokens))
  }

  spent(index: number): bigint {
    const key = this.key(index)
    const since = key.period === "daily" ? this.day : Number.NEGATIVE_INFINITY
    return sum(this.charges.filter((charge) => charge.key === index && charge.day >= since).map(({ amount }) => amount))
  }

  /** Returns what a key may still hold; null without a limit. */
  room(index: number): bigint | null {
    const { limit } = this.key(index)
    return limit === null ? null : limit - this.spent(index) - this.held(index)
  }

  setBudget(budget: ModelBudget): void {
    this.#lastDay = this.day
    const known = this.budgets.find(({ name }) => name === budget.name)
    if (known) known.limit = budget.limit
    else this.budgets.push(budget)
    this.budgets.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  spentOf(budget: ModelBudget): bigint {
    const { period } = budget
    const isNow = ({ day }: Charge) => (period === "daily" ? day === this.day : monthOf(day) === monthOf(this.day))
    return sum(this.charges.filter((one) => counts(budget, one) && isNow(one)).map(({ amount }) => amount))
  }

  heldOf(budget: ModelBudget): bigint {
    const open = this.holds.filter((hold) => hold.state === "held" && counts(budget, hold))
    return sum(open.map(({ price, maxTokens }) => price * maxTokens))
  }

  /** Returns the limits of a key, with what it may still hold by each, its own limit first. */
  #rooms(index: number, tag: string | null): { room: bigint; limit: bigint; resets: number | "never" }[] {
    const key = this.key(index)
    const room = this.room(index)
    const own =
      room === null || key.limit === null
        ? []
        : [{ room, limit: key.limit, resets: key.period === "daily" ? (this.day + 1) * DAY_MS : ("never" as const) }]
    const budgets = this.budgets.filter((budget) => counts(budget, { key: index, tag }))
    const date = new Date(this.day * DAY_MS)
    const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
    return own.concat(
      budgets.map((budget) => ({
        room: budget.limit - this.spentOf(budget) - this.heldOf(budget),
        limit: budget.limit,
        resets: budget.period === "daily" ? (this.day + 1) * DAY_MS : nextMonth,
      })),
    )
  }

  place(index: number, price: bigint, maxTokens: bigint, isBound = false, tag: string | null = null): string {
    const key = this.key(index)
    const refused = this.#refusal(key, index, price * maxTokens, isBound, tag)
    if (refused) return refused
    this.holds.push({ key: index, tag, price, maxTokens, state: "held", expiresAt: this.now + TTL_MS })
    this.#lastDay = this.day
    return "held"
  }

  capture(index: number, tokens: bigint): string {
    const hold = this.hold(index)
    if (hold.state !== "held") return hold.state
    if (tokens > hold.maxTokens) return "exceeds"
    this.#end(hold, "captured")
    this.charges.push({ key: hold.key, tag: hold.tag, day: this.day, amount: hold.price * tokens })
    return hold.state
  }

  release(index: number, how: "voided" | "expired"): string {
    const hold = this.hold(index)
    if (hold.state !== "held") return hold.state
    if (how === "expired" && hold.expiresAt > this.now) return "held"
    this.#end(hold, how)
    return hold.state
  }

  key(index: number): Key {
    const key = this.keys[index]
    if (!key) throw new Error(`the model has no key ${index}`)
    return key
  }

  hold(index: number): Hold {
    const hold = this.holds[index]
    if (!hold) throw new Error(`the model has no hold ${index}`)
    return hold
  }

  #refusal(key: Key, index: number, required: bigint, isBound: boolean, tag: string | null): string | null {
    if (key.isRevoked) return "revoked"
    if (key.expiresAt !== null && key.expiresAt <= this.now) return "expired_key"
    const rooms = this.#rooms(index, tag)
    const left = rooms.reduce((least, { room }) => (room < least ? room : least), this.available)
    if (isBound && left > 0n && required > left / 1024n) return "near"
    const [first] = rooms
    if (first) {
      const tightest = rooms.reduce((least, one) => (one.room < least.room ? one : least), first)
      if (required > tightest.room) return `key_limit ${tightest.limit} ${tightest.resets}`
    }
    const { available } = this
    if (available <= 0n || required > available + SLACK_PICO) return `insufficient ${required} ${available}`
    return null
  }

  #end(hold: Hold, state: Hold["state"]): void {
    hold.state = state
    this.#lastDay = this.day
  }
}
