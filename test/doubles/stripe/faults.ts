/**
 * What goes wrong with a request, before or after its effect. A timeout never answers, a reset closes the connection, an error
 * is a 500 that the idempotency key keeps. `rate-limited` and `unavailable` (429, 503) have no effect and are not kept,
 * `declined` is a kept 402. `held` waits at work, its key in use, until `releaseRequests`.
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
  | "declined"
  | "held"

/** A request as a fault names it: `POST /v1/refunds`, or a pattern of such. */
export type RequestKind = string | RegExp

interface Planned {
  on: RequestKind
  fault: Fault
  left: number
}

/** Kinds that are part of the work itself and so never hit a request that only gets a kept answer. */
const OF_THE_WORK = new Set<Fault>(["error-before", "error-after", "declined", "held"])

const WITHOUT_EFFECT = new Set<Fault>(["timeout-before", "reset-before", "rate-limited", "unavailable"])

/** Whether a request with this fault comes to nothing. */
export const isWithoutEffect = (fault: Fault | null): boolean => fault !== null && WITHOUT_EFFECT.has(fault)

/** The faults that are to come, and the requests that wait. */
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

  /** The fault of this request, used up by it; null when all is well. */
  take(request: string, isReplay: boolean): Fault | null {
    const planned = this.#planned.find(
      ({ on, fault, left }) =>
        left > 0 &&
        !(isReplay && OF_THE_WORK.has(fault)) &&
        (typeof on === "string" ? on === request : on.test(request)),
    )
    if (!planned) return null
    planned.left--
    return planned.fault
  }

  hold(): Promise<void> {
    return new Promise((resolve) => void this.#waiting.push(resolve))
  }

  /** How many requests are held now. */
  get waiting(): number {
    return this.#waiting.length
  }

  release(): void {
    for (const resume of this.#waiting.splice(0)) resume()
  }
}
