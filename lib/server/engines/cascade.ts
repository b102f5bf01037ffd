import type { Engine } from "./engine"
import type { EngineHandle, Work, WorkOptions } from "./engine-entry"
import type { ModelEngines, Onward } from "./engine-group"
import type { Availability } from "./monitor"
import type { Probed } from "./probe-group"

/** A pinned model made of two others. */
export interface CascadeModel {
  id: string
  /** Answers first. Its tokenizer counts. */
  smallId: string
  /** Answers again what `smallId` answered with a probability below `below`. */
  bigId: string
  below: number
}

/** The engines of a cascade: those of its small model, and where the questions go that it is not sure of. */
export class CascadeEngines implements ModelEngines {
  constructor(
    private readonly small: ModelEngines,
    readonly next: Onward,
  ) {}

  get batchPlaces(): number {
    return this.small.batchPlaces
  }

  withOne<T>(work: (engine: EngineHandle) => Promise<T>): Promise<T> {
    return this.small.withOne(work)
  }

  run<T>(accountId: string, signal: AbortSignal, work: Work<T>, options?: WorkOptions): Promise<T> {
    return this.small.run(accountId, signal, work, options)
  }

  withoutPlace<T>(work: (engine: Engine) => T | Promise<T>): Promise<T> {
    return this.small.withoutPlace(work)
  }
}

type OfParts<Of> = [small: Of, big: Of]

/** Returns whether both parts of a cascade may be used. If not, the reason names the part. */
export function cascadeAvailability({ smallId, bigId }: CascadeModel, parts: OfParts<Availability>): Availability {
  const reasons = parts.flatMap(({ available, reason }, i) =>
    available ? [] : [`${i === 0 ? smallId : bigId}: ${reason}`],
  )
  return { available: reasons.length === 0, reason: reasons.length === 0 ? null : reasons.join(" ") }
}

/** Returns what the probes of both parts found. */
export function cascadeProbed(cascade: CascadeModel, parts: OfParts<Probed>): Probed {
  const findings = [cascade.smallId, cascade.bigId].map((id, i) => ({
    name: i === 0 ? "Asked first" : `Asked below ${cascade.below}`,
    value: id,
    meaning: parts[i]?.available ? "It answers requests." : `It gets no requests: ${parts[i]?.reason}`,
  }))
  return { ...cascadeAvailability(cascade, parts), findings }
}
