import { type Pico, pico } from "@/lib/shared/money"
import type { EvaluationRun, PauseReason, RowResult, RunProgress } from "./evaluation-run"
import { Pace } from "./pace"
import type { QueuedRow } from "./queue-rows"
import { backoffMs, reactionTo } from "./reaction"
import { RunAccounts } from "./run-accounts"
import type { RefusedRow, SentRow } from "./send-row"

export interface RunnerPorts {
  /** Rejects without a response of the API. */
  send(row: number, attempt: string): Promise<SentRow>
  /** Returns a row's maximum cost. */
  maxCostOf(row: number): Pico
  /** Stores the run and changed results together. */
  save(run: EvaluationRun, results: RowResult[]): Promise<void>
  /** Returns whether the server responds. */
  isReachable(): Promise<boolean>
  onProgress(progress: RunProgress): void
}

interface RunnerLimits {
  requestsPerSecond: number
  /** Requests at the same time. */
  inFlight: number
}

/** This many failed rows in succession pause the run. */
const MAX_FAILURES = 10
const RATE_OVER_MS = 5_000

/**
 * Sends the rows of a run until each is settled, or something stops it. It knows neither React nor the page. Each row is
 * stored as sent before its request leaves, so that a closed page never forgets a row that may have been charged.
 */
export class Runner {
  #run: EvaluationRun
  /** The run's state before this start. It returns to it if rows remain that were never sent. */
  readonly #before: Pick<EvaluationRun, "status" | "pause">
  readonly #queue: QueuedRow[]
  readonly #ports: RunnerPorts
  readonly #limits: RunnerLimits
  readonly #pace: Pace
  readonly #accounts: RunAccounts
  readonly #inFlight = new Set<number>()
  readonly #attempts = new Map<number, number>()
  #unsaved: RowResult[] = []
  #settledAt: number[] = []
  #stop: { status: "paused" | "cancelled"; pause: PauseReason | null } | null = null
  #failures = 0
  #isOffline = false
  #wake: () => void = () => {}

  /** `inDoubtPico` is what the rows in doubt may have cost. It counts towards the cap. */
  constructor(run: EvaluationRun, queue: QueuedRow[], inDoubtPico: Pico, ports: RunnerPorts, limits: RunnerLimits) {
    this.#run = { ...run, status: "running", pause: null }
    this.#before = { status: run.status, pause: run.pause }
    this.#queue = [...queue]
    this.#ports = ports
    this.#limits = limits
    this.#pace = new Pace(limits.requestsPerSecond, performance.now())
    this.#accounts = new RunAccounts(run, inDoubtPico)
  }

  /** Stops sending. Requests that are under way are awaited. */
  pause(): void {
    this.#stopWith("paused", { kind: "user" })
  }

  cancel(): void {
    this.#stopWith("cancelled", null)
  }

  /** Returns the run when nothing is under way any more. Rejects when the browser cannot store results. */
  async start(): Promise<EvaluationRun> {
    await this.#save([])
    for (;;) {
      const delay = this.#nextDelay()
      if (delay === null) break
      if (delay === 0) await this.#send()
      else {
        const waited = this.#wait(delay)
        if (this.#unsaved.length > 0) await this.#save([])
        await waited
      }
    }
    const { answered, failed, inDoubt } = this.#accounts.totals
    const isFinished = this.#queue.length === 0 && answered + failed + inDoubt === this.#run.rowCount
    this.#run = { ...this.#run, ...(isFinished ? { status: "finished", pause: null } : (this.#stop ?? this.#before)) }
    await this.#save([])
    return this.#run
  }

  /** Returns when to send next: 0 at once, milliseconds from now, Infinity after a response, null never. */
  #nextDelay(): number | null {
    const idle = this.#inFlight.size === 0
    const [next] = this.#queue
    if (this.#stop || !next) return idle ? null : Number.POSITIVE_INFINITY
    if (this.#isOffline || this.#inFlight.size >= this.#limits.inFlight) return Number.POSITIVE_INFINITY
    const delay = this.#pace.delay(performance.now())
    if (delay > 0) return delay
    // What a row in doubt may have cost counts already.
    if (this.#accounts.affords(next.former === "in_doubt" ? pico(0) : this.#ports.maxCostOf(next.row))) return 0
    // The requests under way may turn out cheaper than their maximum cost.
    if (!idle) return Number.POSITIVE_INFINITY
    this.#stopWith("paused", { kind: "cap" })
    return null
  }

  async #send(): Promise<void> {
    const [next] = this.#queue.splice(0, 1)
    if (!next) return
    const sentAt = next.sentAt ?? new Date().toISOString()
    const queued = { ...next, sentAt }
    this.#pace.sent()
    this.#inFlight.add(queued.row)
    this.#accounts.reserve(queued.row, this.#ports.maxCostOf(queued.row), queued.former)
    await this.#save([{ runId: this.#run.id, row: queued.row, status: "sent", attempt: queued.attempt, sentAt }])
    void this.#request(queued)
  }

  async #request(queued: QueuedRow & { sentAt: string }): Promise<void> {
    const sent = await this.#ports.send(queued.row, queued.attempt).catch((error: unknown) => error as Error)
    const now = performance.now()
    this.#inFlight.delete(queued.row)
    if (sent instanceof Error) this.#lost(queued, sent)
    else {
      if (sent.rate) this.#pace.follow(sent.rate, now)
      if (sent.status === "answered") this.#answered(queued, sent)
      else this.#refused(queued, sent, now)
    }
    this.#wake()
  }

  #answered({ row }: QueuedRow, { rate: _rate, ...answer }: Extract<SentRow, { status: "answered" }>): void {
    this.#failures = 0
    this.#settle({ runId: this.#run.id, row, ...answer })
  }

  #refused(queued: QueuedRow & { sentAt: string }, refused: RefusedRow, now: number): void {
    const { code, message, requestId, refusal } = refused
    const attempts = this.#attempts.get(queued.row) ?? 0
    this.#attempts.set(queued.row, attempts + 1)
    const reaction = reactionTo(code, attempts)
    // A request before this one may have been charged, so the row keeps its attempt.
    const isInDoubt = queued.former === "in_doubt"
    if (isInDoubt) this.#doubt(queued)
    else if (reaction === "fail") this.#failed(queued.row, { code, message, requestId })
    if (reaction === "fail") return
    if (!isInDoubt) {
      this.#accounts.release(queued.row)
      this.#unsaved.push({ runId: this.#run.id, row: queued.row, status: "waiting" })
    }
    this.#queue.unshift({ ...queued, former: isInDoubt ? "in_doubt" : null })
    if (reaction === "stop") this.#stopWith("paused", { kind: "refused", code, refusal })
    else this.#pace.refused(refused.retryAfterMs ?? backoffMs(attempts), code === "rate_limited", now)
  }

  #failed(row: number, error: { code: string; message: string; requestId: string | null }): void {
    this.#failures += 1
    this.#settle({ runId: this.#run.id, row, status: "failed", ...error })
    if (this.#failures >= MAX_FAILURES) this.#stopWith("paused", { kind: "failing", code: error.code })
  }

  #doubt({ row, attempt, sentAt }: QueuedRow & { sentAt: string }): void {
    this.#settle({ runId: this.#run.id, row, status: "in_doubt", attempt, sentAt })
  }

  /** No response of the API arrived, so only the server knows whether the row was charged. */
  #lost(queued: QueuedRow & { sentAt: string }, error: Error): void {
    this.#doubt(queued)
    if (error.name === "TimeoutError") return
    if (!this.#isOffline) void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    this.#isOffline = true
    for (let attempts = 0; this.#isOffline && !this.#stop; attempts++) {
      this.#report()
      await new Promise((resolve) => setTimeout(resolve, backoffMs(attempts)))
      this.#isOffline = !(await this.#ports.isReachable().catch(() => false))
    }
    this.#wake()
  }

  #settle(result: RowResult): void {
    this.#settledAt.push(performance.now())
    this.#run = { ...this.#run, totals: this.#accounts.settle(result) }
    this.#unsaved.push(result)
  }

  #stopWith(status: "paused" | "cancelled", pause: PauseReason | null): void {
    // A cancellation overrides a pause, and the first of two pauses counts.
    if (!this.#stop || status === "cancelled") this.#stop = { status, pause }
    this.#wake()
  }

  async #save(results: RowResult[]): Promise<void> {
    const batch = [...this.#unsaved, ...results]
    this.#unsaved = []
    this.#run = { ...this.#run, totals: this.#accounts.totals }
    await this.#ports.save(this.#run, batch)
    this.#report()
  }

  #report(): void {
    const since = performance.now() - RATE_OVER_MS
    this.#settledAt = this.#settledAt.filter((at) => at > since)
    this.#ports.onProgress({
      run: this.#run,
      inFlight: this.#inFlight.size,
      perSecond: (this.#settledAt.length * 1_000) / RATE_OVER_MS,
      isOffline: this.#isOffline,
    })
  }

  /** Waits for a response, a stop or the time. */
  #wait(delayMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = Number.isFinite(delayMs) ? setTimeout(resolve, delayMs) : undefined
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
