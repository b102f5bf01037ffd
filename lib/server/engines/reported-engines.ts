import type { AddressState } from "./engine-group"
import { Engines } from "./engines"
import type { Availability } from "./monitor"
import type { Probed } from "./probe-group"

/** What one process reports to another about a model's engines. */
export type ReportedModel = [id: string, availability: Availability, addresses: AddressState[]]

const UNKNOWN: Availability = { available: false, reason: "The server has not reported this model yet." }

/** The engines as another process reports them. This process shows their availability, and never calls them. */
export class ReportedEngines extends Engines {
  #reported: ReadonlyMap<string, ReportedModel> = new Map()

  constructor(
    options: ConstructorParameters<typeof Engines>[0],
    /** Lets the other process probe an engine. */
    private readonly probe: (modelId: string) => Promise<Probed>,
  ) {
    super(options)
  }

  /** Replaces what is known about every engine. */
  report(models: ReportedModel[]): void {
    this.#reported = new Map(models.map((model) => [model[0], model]))
  }

  override sync(): void {}

  override probeNow(modelId: string): Promise<Probed> {
    return this.probe(modelId)
  }

  override availability(modelId: string): Availability {
    return this.#reported.get(modelId)?.[1] ?? UNKNOWN
  }

  override addresses(modelId: string): AddressState[] {
    return this.#reported.get(modelId)?.[2] ?? []
  }
}
