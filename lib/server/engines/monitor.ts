import { ServiceError } from "@/lib/shared/errors"
import { Breaker } from "./breaker"
import type { Engine, ProbeResult } from "./engine"
import type { MonitorTiming } from "./monitor-timing"
import { type Pin, type PinnedFacts, pinProblem, withFound } from "./pinned-facts"

export interface Availability {
  available: boolean
  /** Null when available. Only the operator sees it. */
  reason: string | null
}

/** What a successful probe found, for the catalogue to record. */
export interface ProbeFindings {
  build: string | null
  /** Null when the engine reports nothing about its weights. */
  facts: PinnedFacts | null
  served: string | null
  /** How tokens are counted (`ProbeResult.tokenizer`). Null when the probe did not report it. */
  tokenizer: string | null
}

export interface MonitorEvents {
  change(availability: Availability): void
  /** Reports what a successful probe found, when it differs from the last report. */
  seen(seen: ProbeFindings): void
  slots(slots: number): void
}

const FAILURES_TO_STOP = 2

/** Decides whether one engine may be used. Probes it regularly and learns from the outcome of its requests. */
export class Monitor {
  readonly firstProbe: Promise<void>
  readonly #breaker = new Breaker()
  #availability: Availability = { available: false, reason: "The engine has not been probed yet." }
  #failures = 0
  #seen: ProbeResult | null = null
  #reported = ""
  /** When the engine last responded, or was unreachable, which is not silence either. */
  #respondedAt = 0
  /** Requests of this process at the engine, and whether there were any since its last response. */
  #asking = 0
  #isAsked = false
  #isSilent = false
  /** Whether an answer could not be used since the last probe began. */
  #isDoubted = false
  #probedAt = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  #probing: Promise<ProbeResult> | undefined
  #abort: AbortController | undefined
  #isClosed = false
  #isProbed = false
  #firstProbeEnded = () => {}

  constructor(
    private readonly engine: Engine,
    private pin: Pin,
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

  /** Whether the first probe has ended, with success or not. */
  get isProbed(): boolean {
    return this.#isProbed
  }

  start(): void {
    this.#respondedAt = performance.now()
    void this.probe()
  }

  /** Probes now, or joins the probe in progress. */
  probe(): Promise<ProbeResult> {
    this.#probing ??= this.#probe().finally(() => {
      this.#probing = undefined
      this.#isProbed = true
      this.#firstProbeEnded()
      this.#schedule()
    })
    return this.#probing
  }

  /** Makes a request and learns from its outcome. */
  async watch<T>(request: () => Promise<T>): Promise<T> {
    this.#asking++
    this.#isAsked = true
    try {
      const result = await request()
      this.answered()
      return result
    } catch (thrown) {
      this.failed(thrown)
      throw thrown
    } finally {
      this.#asking--
    }
  }

  /** Records that a request succeeded, which proves the connection. */
  answered(): void {
    this.#recordResponse()
    if (!this.#breaker.isOpen) this.#breaker.close()
  }

  /**
   * Records a failed request. Three consecutive connection failures make the engine unavailable until a probe succeeds. An answer
   * that cannot be used starts a probe, because only a failed probe makes the engine unavailable.
   */
  failed(thrown: unknown): void {
    if (thrown instanceof ServiceError && thrown.code === "upstream_error") this.#probeSoon()
    if (!this.#breaker.record(thrown)) return
    this.#set({ available: false, reason: "Three connections to the engine failed in a row." })
    if (!this.#probing) this.#schedule()
  }

  /** Takes over what another process recorded. Null values keep what this process found and has not read back yet. */
  setPin({ build, facts }: Pin): void {
    this.pin = {
      build: build ?? this.pin.build,
      facts: facts ? withFound(facts, this.pin.facts ?? {}) : this.pin.facts,
    }
    const problem = this.#seen && pinProblem(this.pin, this.#seen)
    if (problem) this.#set({ available: false, reason: problem })
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#abort?.abort(new Error("closed"))
    this.#firstProbeEnded()
  }

  #recordResponse(): void {
    this.#respondedAt = performance.now()
    this.#isAsked = this.#asking > 0
  }

  /** Probes now, but not sooner than `whileDownMs` after the last probe began. A probe in progress may have asked too early. */
  #probeSoon(): void {
    if (this.#isDoubted) return
    this.#isDoubted = true
    if (!this.#probing) this.#schedule()
  }

  #schedule(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    const { everyMs, whileDownMs } = this.timing
    const isWell = this.#availability.available && !this.#isSilent
    const sinceMs = performance.now() - this.#probedAt
    const waitMs = this.#isDoubted ? Math.max(0, whileDownMs - sinceMs) : isWell ? everyMs : whileDownMs
    this.#timer = setTimeout(() => void this.probe(), waitMs).unref()
  }

  async #probe(): Promise<ProbeResult> {
    const abort = new AbortController()
    this.#abort = abort
    this.#isDoubted = false
    this.#probedAt = performance.now()
    const isFirst = this.#seen === null && !this.#isSilent && this.pin.build !== null
    const limit = setTimeout(
      () => abort.abort(new DOMException("the probe timed out", "TimeoutError")),
      isFirst ? this.timing.firstLimitMs : this.timing.probeLimitMs,
    ).unref()
    const found = await this.engine.probe(abort.signal)
    clearTimeout(limit)
    if (this.#isClosed) return found
    const problem = pinProblem(this.pin, found)
    const result = problem ? { ...found, available: false, reason: problem } : found
    this.#isSilent = abort.signal.aborted && !result.available && problem === null
    if (!this.#isSilent) this.#recordResponse()
    const isBusy = this.#isSilent && (await this.#isBusy(found))
    if (!this.#isClosed) this.#apply(result, { isOther: problem !== null, isBusy })
    return result
  }

  /**
   * Returns whether a probe that timed out says nothing: the engine answered recently and still reports its health. A
   * probe waits behind the engine's other requests, of which one may take longer than the probe. An engine that is not
   * available must also have shown its pinned build.
   */
  async #isBusy(found: ProbeResult): Promise<boolean> {
    const { healthLimitMs, silenceLimitMs, idleLimitMs } = this.timing
    const isKnown = found.isOnlySlow === true && this.pin.build !== null && found.build === this.pin.build
    if (!this.#availability.available && !isKnown) return false
    const isUsed = this.#isAsked || this.#asking > 0
    if (performance.now() - this.#respondedAt > (isUsed ? silenceLimitMs : idleLimitMs)) return false
    return this.engine.isAlive(AbortSignal.timeout(healthLimitMs))
  }

  #apply(result: ProbeResult, { isOther, isBusy }: { isOther: boolean; isBusy: boolean }): void {
    if (result.slots) this.events.slots(result.slots)
    if (result.build) this.#seen = result
    if (result.available) {
      this.#failures = 0
      this.#breaker.close()
      this.#set({ available: true, reason: null })
      this.pin = { build: this.pin.build ?? result.build ?? null, facts: withFound(this.pin.facts, result.facts) }
      this.#report(result)
      return
    }
    this.#failures++
    if (isBusy) {
      if (!this.#availability.available) this.#breaker.close()
      this.#set({ available: true, reason: null })
    } else if (isOther || result.isWrong || this.#failures >= FAILURES_TO_STOP || !this.#availability.available)
      this.#set({ available: false, reason: result.reason ?? "The engine cannot be used." })
  }

  /** Makes the next successful probe report again, after a report could not be recorded. */
  reportAgain(): void {
    this.#reported = ""
  }

  #report({ build, facts, served, tokenizer }: ProbeResult): void {
    const seen = { build: build ?? null, facts: facts ?? null, served: served ?? null, tokenizer: tokenizer ?? null }
    const text = JSON.stringify(seen)
    if (this.#reported === text) return
    this.#reported = text
    this.events.seen(seen)
  }

  #set(next: Availability): void {
    const last = this.#availability
    this.#availability = next
    if (last.available !== next.available || last.reason !== next.reason) this.events.change(next)
  }
}
