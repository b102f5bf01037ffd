import type { Finding } from "./engine"
import { Engines } from "./engines"
import type { Availability } from "./monitor"

const UNKNOWN: Availability = { available: false, reason: "The server has not reported this model yet." }

type Probed = Availability & { findings?: Finding[] }

/** The engines as another process reports them. This process shows their availability, and never calls them. */
export class ReportedEngines extends Engines {
  #reported: ReadonlyMap<string, Availability> = new Map()

  constructor(
    options: ConstructorParameters<typeof Engines>[0],
    /** Lets the other process probe an engine. */
    private readonly probe: (modelId: string) => Promise<Probed>,
  ) {
    super(options)
  }

  /** Replaces what is known about every engine. */
  report(models: Iterable<readonly [string, Availability]>): void {
    this.#reported = new Map(models)
  }

  override sync(): void {}

  override probeNow(modelId: string): Promise<Probed> {
    return this.probe(modelId)
  }

  override availability(modelId: string): Availability {
    return this.#reported.get(modelId) ?? UNKNOWN
  }
}
