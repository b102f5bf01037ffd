import { setTimeout as delay } from "node:timers/promises"
import type { Log } from "@/lib/server/platform/log"
import { ServiceError } from "@/lib/shared/errors"
import { EngineEntry, type EngineHandle } from "./engine-entry"
import { FairQueue } from "./fair-queue"
import { inputLimitOf } from "./input-limit"
import { LexicalEngine } from "./lexical/lexical-engine"
import { type Availability, Monitor, type MonitorTiming, type Seen } from "./monitor"
import { SystemOneEngine } from "./system-one/system-one-engine"
import type { TokenizerFiles } from "./tokenizer/tokenizer-files"
import { Tokenizers } from "./tokenizer/tokenizers"

export type { EngineHandle }

/** What the catalogue says of one pinned model's engine. */
export interface EngineModel {
  id: string
  engine: "lexical" | "system-one"
  /** The engine's address before `/v1`; null for the lexical engine. */
  engineUrl: string | null
  /** The name the engine serves it under; null for the only model it serves. */
  engineModel: string | null
  /** The build it is pinned to; null until a first probe has seen one. */
  engineBuild: string | null
  /** How its tokens are counted: "engine", "bytes-4" or a tokenizer's fingerprint; null while that is not known. */
  tokenizer: string | null
  apiKey: string | null
}

interface EnginesOptions {
  log: Log
  /** Called with what a model's engine is found to run, when it is first seen; keeps what the catalogue does not know yet. */
  onSeen(modelId: string, seen: Seen): void | Promise<void>
  /** The files of a tokenizer that this service keeps. */
  loadTokenizer?(fingerprint: string): Promise<TokenizerFiles>
  timing?: MonitorTiming
}

const TIMING: MonitorTiming = { everyMs: 15_000, whileDownMs: 5_000, probeLimitMs: 10_000 }
const READY_LIMIT_MS = 2_000
const IN_FLIGHT = 16
const IN_FLIGHT_PER_SLOT = 4
const UNKNOWN: Availability = { available: false, reason: "There is no engine for this model." }
const NO_TOKENIZERS = () => Promise.reject(new Error("there are no tokenizers here"))
const ALWAYS: Availability = { available: true, reason: null }

interface Known {
  model: EngineModel
  entry: EngineEntry
}

/** Whether a model's engine is still the one that was made: a name that was learned and then recorded is no change. */
function isSame({ model, entry }: Known, next: EngineModel): boolean {
  const { engine } = entry
  const isRecorded =
    model.engineModel === null && engine instanceof SystemOneEngine && engine.served === next.engineModel
  return (
    model.engine === next.engine &&
    model.engineUrl === next.engineUrl &&
    (model.engineModel === next.engineModel || isRecorded) &&
    model.tokenizer === next.tokenizer &&
    model.apiKey === next.apiKey
  )
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    engines: Engines
  }
}

/** All engines of the process, one for each pinned model, made from the catalogue's rows. */
export class Engines {
  readonly #entries = new Map<string, Known>()

  readonly #tokenizers: Tokenizers
  readonly #keeping = new Set<Promise<void>>()

  constructor(private readonly options: EnginesOptions) {
    this.#tokenizers = new Tokenizers(options.loadTokenizer ?? NO_TOKENIZERS)
  }

  /** Makes the engines those of `models`: adds, removes, and replaces one whose address, model, tokenizer or key changed. */
  sync(models: EngineModel[]): void {
    const ids = new Set(models.map(({ id }) => id))
    for (const [id, { entry }] of this.#entries) {
      if (ids.has(id)) continue
      this.#entries.delete(id)
      entry.retire()
    }
    for (const model of models) {
      const known = this.#entries.get(model.id)
      if (known && isSame(known, model)) {
        // A row read before the build was recorded says null and must not undo it.
        if (model.engineBuild !== null) known.entry.monitor?.setBuild(model.engineBuild)
        continue
      }
      known?.entry.retire()
      const entry = this.#create(model)
      this.#entries.set(model.id, { model, entry })
      entry.monitor?.start()
    }
  }

  /** The engine of a pinned model, available or not; null for a model that `sync` did not name. */
  get(modelId: string): EngineHandle | null {
    return this.#entries.get(modelId)?.entry ?? null
  }

  availability(modelId: string): Availability {
    const known = this.#entries.get(modelId)
    return known ? (known.entry.monitor?.availability ?? ALWAYS) : UNKNOWN
  }

  /** Resolves when every engine's first probe has ended, after 2 s at most. */
  async ready(): Promise<void> {
    const probes = [...this.#entries.values()].map(({ entry }) => entry.monitor?.firstProbe)
    await Promise.race([Promise.all(probes), delay(READY_LIMIT_MS, undefined, { ref: false })])
  }

  /** True when an engine is unavailable. */
  degraded(): boolean {
    return [...this.#entries.keys()].some((id) => !this.availability(id).available)
  }

  /** Probes a model's engine now and says what this probe found. */
  async probeNow(modelId: string): Promise<Availability> {
    const known = this.#entries.get(modelId)
    if (!known) return UNKNOWN
    if (!known.entry.monitor) return ALWAYS
    const { available, reason } = await known.entry.monitor.probe()
    return { available, reason: available ? null : (reason ?? null) }
  }

  /** Ends probes, refuses what waits, and resolves when what runs has ended. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.all(entries.map(({ entry }) => entry.close()))
    await Promise.all(this.#keeping)
  }

  #create(model: EngineModel): EngineEntry {
    const queue = new FairQueue(IN_FLIGHT)
    if (model.engine === "lexical") return new EngineEntry(new LexicalEngine(), queue, null)
    if (model.engineUrl === null)
      throw new ServiceError("internal_error", { cause: new Error("a model without an engine_url") })
    const { engineUrl: url, engineModel, tokenizer, apiKey } = model
    const engine = new SystemOneEngine({
      url,
      model: engineModel,
      tokenizer,
      tokenizers: this.#tokenizers,
      apiKey,
      inputLimit: inputLimitOf(model.id),
    })
    const monitor = new Monitor(engine, model.engineBuild, this.options.timing ?? TIMING, {
      slots: (slots) => queue.setLimit(IN_FLIGHT_PER_SLOT * slots),
      seen: (seen) => {
        const keeping = this.#keep(model, seen).finally(() => this.#keeping.delete(keeping))
        this.#keeping.add(keeping)
      },
      change: ({ available, reason }) => {
        if (available) this.options.log.info("engine available", { model: model.id })
        else this.options.log.warn("engine unavailable", { model: model.id, reason: reason ?? undefined })
      },
    })
    return new EngineEntry(engine, queue, monitor)
  }

  async #keep({ id }: EngineModel, seen: Seen): Promise<void> {
    try {
      await this.options.onSeen(id, seen)
    } catch (cause) {
      this.options.log.error("what an engine runs was not recorded", { model: id, cause })
      this.#entries.get(id)?.entry.monitor?.tellAgain()
    }
  }
}
