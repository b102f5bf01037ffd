import { setTimeout as delay } from "node:timers/promises"
import type { Log } from "@/lib/server/platform/log"
import { ServiceError } from "@/lib/shared/errors"
import type { Engine, EngineKind, Finding } from "./engine"
import { EngineEntry, type EngineHandle } from "./engine-entry"
import { EngineSlots } from "./engine-slots"
import { FairQueue, type QueueState } from "./fair-queue"
import { LabelsEngine } from "./labels/labels-engine"
import { LexicalEngine } from "./lexical/lexical-engine"
import { type Availability, Monitor, type MonitorTiming, OWN_TIMING, type ProbeFindings, TIMING } from "./monitor"
import { OWN_ENGINE_URL } from "./own-engine-url"
import type { PinnedFacts } from "./pinned-facts"
import type { SlotQueue } from "./slot-queue"
import type { StateForm } from "./system-one/state-form"
import { SystemOneEngine } from "./system-one/system-one-engine"
import { inputLimitOf } from "./token-count"
import type { TokenizerFiles } from "./tokenizer/tokenizer-files"
import { Tokenizers } from "./tokenizer/tokenizers"

export interface EngineModel {
  id: string
  engine: EngineKind
  /** The address without `/v1`. Null for the lexical engine. */
  engineUrl: string | null
  /** The name under which the engine serves the model. Null when it serves only one model. */
  engineModel: string | null
  /** The build that the model is pinned to. Null until the first probe. */
  engineBuild: string | null
  /** What the model's weights are pinned to. Null until a probe has found it. */
  pinnedFacts: PinnedFacts | null
  /** How tokens are counted (`counterFor`). Null until it is known. */
  tokenizer: string | null
  /** The version of the texts that the service adds to an engine request. */
  promptTemplate: string | null
  apiKey: string | null
}

interface EnginesOptions {
  log: Log
  /** Records what a probe found about a model's engine and the catalogue does not know yet. */
  onSeen(modelId: string, seen: ProbeFindings): void | Promise<void>
  loadTokenizer?(fingerprint: string): Promise<TokenizerFiles>
  /** Returns the value under which an engine caches an account's prompts. Without it, accounts share a cache. */
  cacheSalt?(accountId: string): string
  timing?: Partial<MonitorTiming>
  /** The socket of this service's own engine. Null: it has none. */
  ownSocket?: string | null
  /** How many processes of this service call the engines. Each runs an even part of the calls. */
  processes?: number
  /** Opens the slots of the engine at an address, for a worker whose supervisor owns them. */
  slotsOf?(url: string): SlotQueue
}

const READY_LIMIT_MS = 2_000
const IN_FLIGHT = 16
const IN_FLIGHT_PER_SLOT = 4
const UNKNOWN: Availability = { available: false, reason: "There is no engine for this model." }
const NO_TOKENIZERS = () => Promise.reject(new Error("no tokenizer loader is configured"))
const ALWAYS: Availability = { available: true, reason: null }

interface Known {
  model: EngineModel
  entry: EngineEntry
}

/**
 * Returns whether an engine still has the model's settings. A served name that a probe found and recorded is not a
 * change.
 */
function isSame({ model, entry }: Known, next: EngineModel): boolean {
  const { engine } = entry
  const isRecorded =
    model.engineModel === null &&
    (engine instanceof SystemOneEngine || engine instanceof LabelsEngine) &&
    engine.served === next.engineModel
  const states = statesOf(next)
  return (
    model.engine === next.engine &&
    model.engineUrl === next.engineUrl &&
    (model.engineModel === next.engineModel || isRecorded) &&
    (model.tokenizer === next.tokenizer || model.engine === "labels") &&
    (!(engine instanceof SystemOneEngine) || states === null || engine.states === states) &&
    model.apiKey === next.apiKey
  )
}

/** Returns how a model's states are sent. Null when a probe has to determine it. */
function statesOf({ pinnedFacts }: EngineModel): StateForm | null {
  const states = pinnedFacts?.states
  return states === "objects" || states === "text" ? states : null
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    engines: Engines
  }
}

/** All engines of this process, one per pinned model of the catalogue. */
export class Engines {
  readonly #entries = new Map<string, Known>()
  readonly slots: EngineSlots
  readonly #tokenizers: Tokenizers
  readonly #recording = new Set<Promise<void>>()

  constructor(private readonly options: EnginesOptions) {
    this.slots = new EngineSlots(options.slotsOf)
    this.#tokenizers = new Tokenizers(options.loadTokenizer ?? NO_TOKENIZERS)
  }

  /** Adds and removes engines to match `models`, and replaces each whose settings changed (`isSame`). */
  sync(models: EngineModel[]): void {
    const ids = new Set(models.map(({ id }) => id))
    for (const [id, { entry }] of this.#entries) {
      if (ids.has(id)) continue
      this.#entries.delete(id)
      entry.retire()
    }
    this.slots.keep(new Set(models.map(({ engineUrl }) => engineUrl)))
    for (const model of models) {
      const known = this.#entries.get(model.id)
      if (known && isSame(known, model)) {
        known.entry.monitor?.setPin({ build: model.engineBuild, facts: model.pinnedFacts })
        continue
      }
      const entry = this.#create(model)
      this.#entries.set(model.id, { model, entry })
      // Last, because the new engine may use the same tokenizer, which stays loaded.
      known?.entry.retire()
      entry.monitor?.start()
    }
  }

  /** Returns a pinned model's engine, available or not. Null for a model that was not in the last `sync`. */
  get(modelId: string): EngineHandle | null {
    return this.#entries.get(modelId)?.entry ?? null
  }

  availabilities(): [string, Availability][] {
    return [...this.#entries.keys()].map((id) => [id, this.availability(id)])
  }

  availability(modelId: string): Availability {
    const known = this.#entries.get(modelId)
    return known ? (known.entry.monitor?.availability ?? ALWAYS) : UNKNOWN
  }

  /** Returns how busy the engine of each model is. */
  queues(): ({ model: string } & QueueState)[] {
    return [...this.#entries].map(([model, { entry }]) => ({ model, ...entry.queue.state }))
  }

  /** Resolves when every engine's first probe has ended, or after 2 s. */
  async ready(): Promise<void> {
    const probes = [...this.#entries.values()].map(({ entry }) => entry.monitor?.firstProbe)
    await Promise.race([Promise.all(probes), delay(READY_LIMIT_MS, undefined, { ref: false })])
  }

  degraded(): boolean {
    return [...this.#entries.keys()].some((id) => !this.availability(id).available)
  }

  /** Probes an engine now. `findings` is absent when the probe found nothing new. */
  async probeNow(modelId: string): Promise<Availability & { findings?: Finding[] }> {
    const known = this.#entries.get(modelId)
    if (!known) return UNKNOWN
    if (!known.entry.monitor) return ALWAYS
    const { monitor } = known.entry
    const first = await monitor.probe()
    // A process's first probe may have been cut short to find out whether the engine is merely busy.
    const { available, reason, findings, isOnlySlow } = first.isOnlySlow ? await monitor.probe() : first
    if (isOnlySlow) return monitor.availability
    return { available, reason: available ? null : (reason ?? null), ...(findings ? { findings } : {}) }
  }

  /** Probes the models of this service's own engine now, because its process became ready or ended. */
  async probeOwn(): Promise<void> {
    const own = [...this.#entries.values()].filter(({ model }) => model.engineUrl === OWN_ENGINE_URL)
    await Promise.all(own.map(({ entry }) => entry.monitor?.probe()))
  }

  /** Stops all probes, refuses waiting requests and resolves when the running ones have ended. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()]
    this.#entries.clear()
    await Promise.all(entries.map(({ entry }) => entry.close()))
    await Promise.all(this.#recording)
  }

  #create(model: EngineModel): EngineEntry {
    const part = (calls: number) => Math.max(1, Math.floor(calls / (this.options.processes ?? 1)))
    const queue = new FairQueue(part(IN_FLIGHT))
    if (model.engine === "lexical") return new EngineEntry(new LexicalEngine(), queue, null)
    if (model.engineUrl === null)
      throw new ServiceError("internal_error", { cause: new Error("the model has no engine_url") })
    const engine = this.#open(model, model.engineUrl)
    const monitor = new Monitor(
      engine,
      { build: model.engineBuild, facts: model.pinnedFacts },
      { ...TIMING, ...(model.engineUrl === OWN_ENGINE_URL ? OWN_TIMING : {}), ...this.options.timing },
      {
        slots: (slots) => queue.setLimit(part(IN_FLIGHT_PER_SLOT * slots)),
        seen: (seen) => {
          const recording = this.#record(model, seen).finally(() => this.#recording.delete(recording))
          this.#recording.add(recording)
        },
        change: ({ available, reason }) => {
          const { log } = this.options
          if (available) log.info("An engine became available", { event: "engine.available", model: model.id })
          else
            log.warn("An engine became unavailable", {
              event: "engine.unavailable",
              model: model.id,
              reason: reason ?? undefined,
            })
        },
      },
    )
    return new EngineEntry(engine, queue, monitor)
  }

  #open(model: EngineModel, url: string): Engine {
    const { id, engine, engineModel, tokenizer, promptTemplate, apiKey } = model
    const settings = { url, model: engineModel, apiKey, inputLimit: inputLimitOf(id), slots: this.slots.of(url) }
    if (engine === "labels")
      return new LabelsEngine({ ...settings, promptTemplate, cacheSalt: this.options.cacheSalt ?? null })
    const socketPath = url === OWN_ENGINE_URL ? (this.options.ownSocket ?? null) : null
    return new SystemOneEngine({
      ...settings,
      tokenizer,
      states: statesOf(model),
      socketPath,
      tokenizers: this.#tokenizers,
    })
  }

  async #record({ id }: EngineModel, seen: ProbeFindings): Promise<void> {
    try {
      await this.options.onSeen(id, seen)
    } catch (cause) {
      this.options.log.error("What a probe found about an engine was not recorded", {
        event: "engine.record_failed",
        model: id,
        cause,
      })
      this.#entries.get(id)?.entry.monitor?.reportAgain()
    }
  }
}
