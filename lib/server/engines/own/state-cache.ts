import { throwIfAborted } from "../abort"
import type { NativeContext, NativeSequence } from "./native"

/** A prompt and what is read after its last token. */
interface PromptRead {
  prompt: readonly number[]
  labels: readonly number[]
  /** How many of the first tokens belong to the state. They stay in memory for further questions. */
  stateTokens: number
}

interface LabelLogits {
  /** One per label, in order. */
  logits: number[]
  /** The largest logit of all tokens, and the sum of exp(logit - max) over them. */
  max: number
  weight: number
}

/** A sequence that one request uses alone. */
export interface Lease {
  read(read: PromptRead, signal: AbortSignal): Promise<LabelLogits>
  /** How many tokens were computed for this lease. */
  readonly computed: number
  release(): void
}

/** A request can be stopped after each chunk. */
const CHUNK_TOKENS = 256
/** A shorter common beginning is only the template's, which is not worth the loss of another state. */
const WORTHWHILE_TOKENS = 64
/** One for the state of the running request, one for that of the one before it. */
const CHECKPOINTS = 2
/** Turns off every filter of the sampler, so that the logits of all labels are reported. */
const UNFILTERED = { temperature: 0, topK: 0, topP: 1, minP: 0 }

interface Entry {
  sequence: NativeSequence
  isLeased: boolean
  usedAt: number
}

interface Waiting {
  resolve(lease: Lease): void
  firstPrompt: readonly number[]
}

/** The states of recent requests. A request leases the one that its prompts continue, else the least recently used one. */
export class StateCache {
  readonly #entries: Entry[]
  readonly #waiting: Waiting[] = []
  #clock = 0

  constructor(
    context: NativeContext,
    sequences: number,
    readonly contextTokens: number,
  ) {
    this.#entries = Array.from({ length: sequences }, () => ({
      sequence: context.getSequence({ checkpoints: { max: CHECKPOINTS, interval: false } }),
      isLeased: false,
      usedAt: 0,
    }))
  }

  /** Waits for a free sequence. Rejects with the abort's reason. */
  lease(firstPrompt: readonly number[], signal: AbortSignal): Promise<Lease> {
    throwIfAborted(signal)
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        firstPrompt,
        resolve: (lease) => {
          signal.removeEventListener("abort", leave)
          resolve(lease)
        },
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal.reason)
      }
      signal.addEventListener("abort", leave, { once: true })
      this.#waiting.push(waiting)
      this.#admit()
    })
  }

  #admit(): void {
    while (this.#waiting.length > 0) {
      const free = this.#entries.filter(({ isLeased }) => !isLeased)
      const next = free.length > 0 ? this.#waiting.shift() : undefined
      if (!next) return
      next.resolve(this.#leaseOf(bestFor(free, next.firstPrompt)))
    }
  }

  #leaseOf(entry: Entry): Lease {
    const { sequence } = entry
    const before = sequence.tokenMeter.usedInputTokens
    entry.isLeased = true
    return {
      read: (read, signal) => readLabels(sequence, read, signal),
      get computed() {
        return sequence.tokenMeter.usedInputTokens - before
      },
      release: () => {
        entry.isLeased = false
        entry.usedAt = ++this.#clock
        this.#admit()
      },
    }
  }
}

function bestFor(free: Entry[], prompt: readonly number[]): Entry {
  const known = free.map((entry) => ({
    entry,
    tokens: entry.sequence.compareContextTokens(prompt).firstDifferentIndex,
  }))
  const closest = known.reduce((best, next) => (next.tokens > best.tokens ? next : best))
  if (closest.tokens >= WORTHWHILE_TOKENS) return closest.entry
  return free.reduce((oldest, next) => (next.usedAt < oldest.usedAt ? next : oldest))
}

async function evaluate(sequence: NativeSequence, tokens: readonly number[], signal: AbortSignal): Promise<void> {
  for (let at = 0; at < tokens.length; at += CHUNK_TOKENS) {
    throwIfAborted(signal)
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + CHUNK_TOKENS))
  }
}

/** Computes what the sequence does not have yet, and returns the logits after the prompt's last token. */
async function readLabels(sequence: NativeSequence, read: PromptRead, signal: AbortSignal): Promise<LabelLogits> {
  const { prompt, labels, stateTokens } = read
  throwIfAborted(signal)
  await sequence.adaptStateToTokens(prompt.slice(0, -1), false)
  if (sequence.nextTokenIndex < stateTokens) {
    await evaluate(sequence, prompt.slice(sequence.nextTokenIndex, stateTokens), signal)
    await sequence.takeCheckpoint()
  }
  // Every batch reads all weights, so the last token shares one with those before it.
  const lastChunk = Math.max(sequence.nextTokenIndex, prompt.length - CHUNK_TOKENS)
  await evaluate(sequence, prompt.slice(sequence.nextTokenIndex, lastChunk), signal)
  throwIfAborted(signal)
  return evaluateLast(sequence, prompt.slice(lastChunk), labels)
}

async function evaluateLast(sequence: NativeSequence, tokens: readonly number[], labels: readonly number[]) {
  const wanted = {
    generateNext: {
      logits: { filter: { tokens: labels, includeMax: true } },
      totalLogitWeight: true,
      options: UNFILTERED,
    },
  }
  const results = await sequence.controlledEvaluate([...tokens.slice(0, -1), [tokens.at(-1) ?? 0, wanted]])
  const { logits = new Map<number, number>(), totalLogitWeight = Number.NaN } = results.at(-1)?.next ?? {}
  const found = labels.map((label) => logits.get(label) ?? Number.NaN)
  if (found.some(Number.isNaN)) throw new Error("the model reported no logits for some labels")
  return { logits: found, max: Math.max(...logits.values()), weight: totalLogitWeight }
}
