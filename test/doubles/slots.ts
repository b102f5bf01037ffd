import type { PrefixCache } from "./prefix-cache"

export interface SlotSettings {
  slots: number
  /** `-b`: the maximum number of tokens that are computed in one batch. */
  batchTokens: number
  /** The model cannot continue in the middle of an earlier prompt, so no call reuses the prefix of another. */
  isHybrid: boolean
  /** The maximum number of tokens that one slot computes in a batch. */
  slotTokens: number
}

/** Up to `slots` prompts of one call that share the reading of their common prefix. */
interface Group {
  prompts: string[][]
  shared: number
  /** Tokens still to compute, once started: of the first prompt, then of all others together. */
  first: number
  others: number
  done(): void
}

function commonLength(prompts: string[][]): number {
  const [first = []] = prompts
  const isShared = (token: string, i: number) => prompts.every((prompt) => prompt[i] === token)
  const differs = first.findIndex((token, i) => !isShared(token, i))
  // Each prompt has at least one token of its own to compute.
  return Math.min(differs === -1 ? first.length : differs, ...prompts.map((prompt) => prompt.length - 1))
}

const total = (counts: number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** Splits a call's prompts into groups of at most `slots`. `shared` is the length of the group's common prefix, in tokens. */
export function groupsOf(prompts: string[][], slots: number): { prompts: string[][]; shared: number }[] {
  const groups: { prompts: string[][]; shared: number }[] = []
  for (let at = 0; at < prompts.length; at += slots) {
    const group = prompts.slice(at, at + slots)
    groups.push({ prompts: group, shared: group.length > 1 ? commonLength(group) : 0 })
  }
  return groups
}

/**
 * llama-server's queue. A group starts when as many slots are free as it has prompts; others may overtake it. All slots
 * compute in one batch at a time, which nothing interrupts: a small prompt waits for the end of a long batch.
 */
export class Slots {
  /** How many batches were computed, and how many calls ended. */
  batches = 0
  calls = 0
  #waiting: Group[] = []
  #running: Group[] = []
  #isLooping = false
  #isStepped = false

  constructor(
    private readonly settings: SlotSettings,
    private readonly cache: PrefixCache,
  ) {}

  /** Prompts that wait for slots, and prompts in slots. */
  get waiting(): number {
    return total(this.#waiting.map(({ prompts }) => prompts.length))
  }

  get running(): number {
    return total(this.#running.map(({ prompts }) => prompts.length))
  }

  /** From now on each batch is computed by a call of `step`, so that a test counts batches instead of time. */
  stepByStep(): void {
    this.#isStepped = true
  }

  /** Starts the groups that fit, then computes one batch. */
  async step(): Promise<void> {
    this.#start()
    this.#compute()
    await Promise.resolve()
  }

  /** Computes one call's prompts. Resolves when all are done, or when the call is aborted, which removes it from the queue. */
  async run(prompts: string[][], signal: AbortSignal): Promise<void> {
    const groups = groupsOf(prompts, this.settings.slots).map(
      (group): Group => ({ ...group, first: 0, others: 0, done: () => {} }),
    )
    const all = groups.map(
      (group) =>
        new Promise<void>((resolve) => {
          group.done = resolve
        }),
    )
    this.#waiting.push(...groups)
    const leave = () => {
      this.#waiting = this.#waiting.filter((group) => !groups.includes(group))
      this.#running = this.#running.filter((group) => !groups.includes(group))
      for (const group of groups) group.done()
    }
    signal.addEventListener("abort", leave)
    void this.#loop()
    await Promise.all(all)
    this.calls++
    signal.removeEventListener("abort", leave)
  }

  #begin(group: Group): void {
    const [first = [], ...others] = group.prompts
    const known = (prompt: string[]) =>
      this.settings.isHybrid ? 0 : Math.min(this.cache.known(prompt), prompt.length - 1)
    group.first = first.length - known(first)
    group.others = total(others.map((prompt) => prompt.length - Math.max(group.shared, known(prompt))))
    this.#running.push(group)
  }

  #start(): void {
    const free = () => this.settings.slots - this.running
    for (const group of this.#waiting.splice(0)) {
      if (group.prompts.length > free()) this.#waiting.push(group)
      else this.#begin(group)
    }
  }

  #compute(): void {
    let room = this.settings.batchTokens
    for (const group of this.#running) {
      // The others reuse the first prompt's prefix, so they wait until it is computed.
      const part = group.first > 0 ? "first" : "others"
      const most = this.settings.slotTokens * (part === "first" ? 1 : group.prompts.length - 1)
      const taken = Math.min(room, group[part], most)
      group[part] -= taken
      room -= taken
      this.cache.computed += taken
    }
    this.batches++
    for (const group of this.#running.splice(0)) {
      if (group.first + group.others > 0) this.#running.push(group)
      else {
        for (const prompt of group.prompts) this.cache.end(prompt)
        group.done()
      }
    }
  }

  async #loop(): Promise<void> {
    if (this.#isLooping || this.#isStepped) return
    this.#isLooping = true
    while (this.#waiting.length + this.#running.length > 0) {
      this.#start()
      this.#compute()
      await Promise.resolve()
    }
    this.#isLooping = false
  }
}
