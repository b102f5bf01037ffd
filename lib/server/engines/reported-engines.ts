import { Engines } from "./engines"
import type { Availability } from "./monitor"

const UNKNOWN: Availability = { available: false, reason: "The server has not reported this model yet." }

/** The engines as another process reports them. This process shows their availability, and never probes or calls them. */
export class ReportedEngines extends Engines {
  #reported: ReadonlyMap<string, Availability> = new Map()

  /** Replaces what is known about every engine. */
  report(models: Iterable<readonly [string, Availability]>): void {
    this.#reported = new Map(models)
  }

  override sync(): void {}

  override availability(modelId: string): Availability {
    return this.#reported.get(modelId) ?? UNKNOWN
  }
}
