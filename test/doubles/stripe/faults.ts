/**
 * The faults of a request, before or after its effect. A timeout never responds, a reset closes the connection, and an error is
 * a 500 that the idempotency key replays. `rate-limited` and `unavailable` (429, 503) have no effect and are not replayed.
 * `held` keeps the request in progress until `releaseRequests`.
 */
export type Fault =
  | "timeout-before"
  | "timeout-after"
  | "reset-before"
  | "reset-after"
  | "error-before"
  | "error-after"
  | "rate-limited"
  | "unavailable"
  | "held"

/** The requests that a fault hits: `POST /v1/refunds`, or a pattern. */
export type RequestKind = string | RegExp

interface Planned {
  on: RequestKind
  fault: Fault
  left: number
}

/** Faults of the work itself, which do not hit a request that only replays a stored response. */
const OF_THE_WORK = new Set<Fault>(["error-before", "error-after", "held"])

const WITHOUT_EFFECT = new Set<Fault>(["timeout-before", "reset-before", "rate-limited", "unavailable"])

export const isWithoutEffect = (fault: Fault | null): boolean => fault !== null && WITHOUT_EFFECT.has(fault)

const isHit = (on: RequestKind, request: string): boolean =>
  typeof on === "string" ? on === request : on.test(request)

export class Faults {
  #planned: Planned[] = []
  #waiting: (() => void)[] = []

  plan(on: RequestKind, fault: Fault, times = 1): void {
    this.#planned.push({ on, fault, left: times })
  }

  clear(): void {
    this.#planned = []
    this.release()
  }

  /** Returns whether a timeout is planned for this request. */
  hasTimeout(request: string): boolean {
    return this.#planned.some(({ on, fault, left }) => left > 0 && fault.startsWith("timeout") && isHit(on, request))
  }

  /** Removes and returns the fault planned for this request, or null. */
  take(request: string, isReplay: boolean): Fault | null {
    const planned = this.#planned.find(
      ({ on, fault, left }) => left > 0 && !(isReplay && OF_THE_WORK.has(fault)) && isHit(on, request),
    )
    if (!planned) return null
    planned.left--
    return planned.fault
  }

  hold(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  get waiting(): number {
    return this.#waiting.length
  }

  release(): void {
    for (const resume of this.#waiting.splice(0)) resume()
  }
}
