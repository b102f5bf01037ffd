import { Breaker } from "./breaker"
import type { Engine, ProbeResult } from "./engine"

export interface Availability {
  available: boolean
  /** For the operator only; null when available. */
  reason: string | null
}

export interface MonitorTiming {
  everyMs: number
  whileDownMs: number
  probeLimitMs: number
}

/** What a first probe finds out that the catalogue keeps from then on. */
export interface Seen {
  build: string | null
  /** The name under which the engine serves the model. */
  served: string | null
  /** How tokens are counted; null where that was known before, or is not known yet. */
  tokenizer: string | null
}

export interface MonitorEvents {
  change(availability: Availability): void
  /** What a successful probe found, told when it is the first or found something else. */
  seen(seen: Seen): void
  slots(slots: number): void
}

const FAILURES_TO_STOP = 2

/** Knows whether one engine may be used: probes it over and over, and listens to how its requests fare. */
export class Monitor {
  readonly firstProbe: Promise<void>
  readonly #breaker = new Breaker()
  #availability: Availability = { available: false, reason: "The engine was not probed yet." }
  #failures = 0
  #seenBuild: string | undefined
  #told = ""
  #answeredAt = 0
  #timer: NodeJS.Timeout | undefined
  #probing: Promise<ProbeResult> | undefined
  #abort: AbortController | undefined
  #isClosed = false
  #firstProbeEnded = () => {}

  constructor(
    private readonly engine: Engine,
    private recordedBuild: string | null,
    private readonly timing: MonitorTiming,
    private readonly events: MonitorEvents,
  ) {
    this.firstProbe = new Promise((resolve) => {
      this.#firstProbeEnded = resolve
    })
  }

  get availability(): Availability {
    return this.#availability
  }

  /** Probes at once and from then on. */
  start(): void {
    void this.probe()
  }

  /** What a probe finds now; joins the one under way. */
  probe(): Promise<ProbeResult> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined
      this.#firstProbeEnded()
      this.#schedule()
    })
    return this.#probing
  }

  /** A request was answered, so the connection works. */
  answered(): void {
    this.#answeredAt = performance.now()
    if (!this.#breaker.isOpen) this.#breaker.close()
  }

  /** A request failed; three failed connections in a row make the engine unavailable until a probe succeeds. */
  failed(thrown: unknown): void {
    if (!this.#breaker.record(thrown)) return
    this.#set({ available: false, reason: "Three connections to the engine failed in a row." })
    if (!this.#probing) this.#schedule()
  }

  /** The build that is recorded for the model now. */
  setBuild(build: string | null): void {
    this.recordedBuild = build
    const problem = this.#seenBuild === undefined ? null : this.#buildProblem(this.#seenBuild)
    if (problem) this.#set({ available: false, reason: problem })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#abort?.abort(new Error("closed"))
    this.#firstProbeEnded()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    const { everyMs, whileDownMs } = this.timing
    this.#timer = setTimeout(() => this.start(), this.#availability.available ? everyMs : whileDownMs).unref()
  }

  async #probe(): Promise<ProbeResult> {
    const startedAt = performance.now()
    const abort = new AbortController()
    this.#abort = abort
    const limit = setTimeout(
      () => abort.abort(new DOMException("the probe's time ran out", "TimeoutError")),
      this.timing.probeLimitMs,
    ).unref()
    const found = await this.engine.probe(abort.signal)
    clearTimeout(limit)
    if (this.#isClosed) return found
    const problem = found.available ? this.#buildProblem(found.build) : null
    const result = problem ? { ...found, available: false, reason: problem } : found
    // A probe that waited behind the requests the engine was answering meanwhile says nothing against it.
    const wasBusy = abort.signal.aborted && this.#answeredAt > startedAt
    if (!wasBusy) this.#apply(result, problem !== null)
    return result
  }

  #apply(result: ProbeResult, isOtherBuild: boolean): void {
    if (result.slots) this.events.slots(result.slots)
    if (result.build) this.#seenBuild = result.build
    if (result.available) {
      this.#failures = 0
      this.#breaker.close()
      this.#set({ available: true, reason: null })
      this.recordedBuild ??= result.build ?? null
      this.#tell(result)
      return
    }
    this.#failures++
    if (isOtherBuild || this.#failures >= FAILURES_TO_STOP || !this.#availability.available)
      this.#set({ available: false, reason: result.reason ?? "The engine cannot be used." })
  }

  /** What was seen could not be kept: the next successful probe tells it again. */
  tellAgain(): void {
    this.#told = ""
  }

  #tell({ build, served, tokenizer }: ProbeResult): void {
    const seen = { build: build ?? null, served: served ?? null, tokenizer: tokenizer ?? null }
    const text = JSON.stringify(seen)
    if (this.#told === text) return
    this.#told = text
    this.events.seen(seen)
  }

  /** A pinned id never changes meaning, so an engine of another build must not answer for it. */
  #buildProblem(build: string | undefined): string | null {
    if (this.recordedBuild === null || build === this.recordedBuild) return null
    const now = build === undefined ? "does not say which build it runs" : `runs build ${build}`
    return `The engine ${now}, but this model is pinned to build ${this.recordedBuild}.`
  }

  #set(next: Availability): void {
    const last = this.#availability
    this.#availability = next
    if (last.available !== next.available || last.reason !== next.reason) this.events.change(next)
  }
}
