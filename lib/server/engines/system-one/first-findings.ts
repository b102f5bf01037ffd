import type { ProbeResult } from "../engine"
import type { ReadLength } from "./read-length"
import type { StateForm } from "./state-form"

/** What one probe determines for good. Null: not determined yet. */
export interface Determined {
  states: StateForm | null
  /** Null also for an engine that reports its context. */
  reads: ReadLength | null
  /** The control tokens of its vocabulary, as `findMarks` returns them. */
  marks: string | null
}

/** An engine that is too slow for the long texts of a probe is not asked about them again. */
const MAX_LENGTH_PROBES = 3

/** What is pinned, and what the first probes of this process found before it was read back as pinned. */
export class FirstFindings implements Determined {
  #found: { states?: StateForm; reads?: ReadLength; marks?: string } = {}
  #lengthProbes = 0

  constructor(private readonly pinned: Determined) {}

  get states(): StateForm | null {
    return this.pinned.states ?? this.#found.states ?? null
  }

  get reads(): ReadLength | null {
    return this.pinned.reads ?? this.#found.reads ?? null
  }

  get marks(): string | null {
    return this.pinned.marks ?? this.#found.marks ?? null
  }

  /** Returns what the next probe has to determine. */
  next(): { asksForStates: boolean; asksForMarks: boolean; asksForLength: boolean } {
    const asksForLength = this.reads === null && this.#lengthProbes < MAX_LENGTH_PROBES
    if (asksForLength) this.#lengthProbes++
    return { asksForStates: this.states === null, asksForMarks: this.marks === null, asksForLength }
  }

  /** Keeps what a probe determined first. Returns its result with all that is not pinned yet as facts to pin. */
  add(result: ProbeResult, { states, reads, marks }: Partial<Determined>): ProbeResult {
    this.#found = { ...(states && { states }), ...(reads && { reads }), ...(marks && { marks }), ...this.#found }
    const facts = { ...result.facts, ...this.#found }
    return Object.keys(facts).length > 0 ? { ...result, facts } : result
  }
}
