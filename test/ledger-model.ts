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
  /** The latest UTC day on which a hold of this key was placed or ended. Days only move forward. */
  day: number
}

interface Hold {
  key: number
  price: bigint
  maxTokens: bigint
  state: "held" | "captured" | "voided" | "expired"
  expiresAt: number
}

interface Charge {
  key: number
  day: number
  amount: bigint
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

  constructor(
    keys: ModelKey[],
    public now: number,
  ) {
    this.keys = keys.map((key) => ({ ...key, isRevoked: false, day: Number.NEGATIVE_INFINITY }))
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
    const since = key.period === "daily" ? Math.max(key.day, this.today) : Number.NEGATIVE_INFINITY
    return sum(this.charges.filter((charge) => charge.key === index && charge.day >= since).map(({ amount }) => amount))
  }

  /** Returns what a key may still hold; null without a limit. */
  room(index: number): bigint | null {
    const { limit } = this.key(index)
    return limit === null ? null : limit - this.spent(index) - this.held(index)
  }

  place(index: number, price: bigint, maxTokens: bigint, isBound = false): string {
    const key = this.key(index)
    const refused = this.#refusal(key, index, price * maxTokens, isBound)
    if (refused) return refused
    this.holds.push({ key: index, price, maxTokens, state: "held", expiresAt: this.now + TTL_MS })
    key.day = Math.max(key.day, this.today)
    return "held"
  }

  capture(index: number, tokens: bigint): string {
    const hold = this.hold(index)
    if (hold.state !== "held") return hold.state
    if (tokens > hold.maxTokens) return "exceeds"
    this.#end(hold, "captured")
    this.charges.push({ key: hold.key, day: this.key(hold.key).day, amount: hold.price * tokens })
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

  #refusal(key: Key, index: number, required: bigint, isBound: boolean): string | null {
    if (key.isRevoked) return "revoked"
    if (key.expiresAt !== null && key.expiresAt <= this.now) return "expired_key"
    const room = this.room(index)
    const left = room === null || this.available < room ? this.available : room
    if (isBound && left > 0n && required > left / 1024n) return "near"
    const resets = key.period === "daily" ? (Math.max(key.day, this.today) + 1) * DAY_MS : "never"
    if (room !== null && required > room) return `key_limit ${key.limit} ${resets}`
    const { available } = this
    if (available <= 0n || required > available + SLACK_PICO) return `insufficient ${required} ${available}`
    return null
  }

  #end(hold: Hold, state: Hold["state"]): void {
    hold.state = state
    const key = this.key(hold.key)
    key.day = Math.max(key.day, this.today)
  }
}
