import { setTimeout as delay } from "node:timers/promises"
import type { Log } from "@/lib/server/platform/log"
import type { QuestionTypeName } from "@/questions/question-types"
import type { Engine, ProbeResult } from "./engine"
import { EngineEntry } from "./engine-entry"
import { type AddressState, EngineGroup, type ModelEngines } from "./engine-group"
import { type EngineAddress, type EngineModel, marksOf, originOf, readsOf, statesOf } from "./engine-model"
import { EngineSlots } from "./engine-slots"
import { FairQueue, type QueueState } from "./fair-queue"
import { LabelsEngine, type LabelsSettings } from "./labels/labels-engine"
import { LexicalEngine } from "./lexical/lexical-engine"
import { type Availability, Monitor, type ProbeFindings } from "./monitor"
import { type MonitorTiming, OWN_TIMING, TIMING } from "./monitor-timing"
import { OWN_ENGINE_URL } from "./own-engine-url"
import { MASS_REPORTED, pinProblem } from "./pinned-facts"
import { type Probed, probeGroup } from "./probe-group"
import { SlotQueue } from "./slot-queue"
import { SystemOneEngine } from "./system-one/system-one-engine"
import type { SystemOneSettings } from "./system-one/system-one-settings"
import { inputLimitOf } from "./token-count"
import type { TokenizerFiles } from "./tokenizer/tokenizer-files"
import { Tokenizers } from "./tokenizer/tokenizers"

interface EnginesOptions {
  log: Log
  /** Records what a probe of the engine at this address found and the catalogue does not know yet. */
  onSeen(modelId: string, seen: ProbeFindings, url: string): void | Promise<void>
  loadTokenizer?(fingerprint: string): Promise<TokenizerFiles>
  /** Returns the value under which an engine caches an account's prompts. Without it, accounts share a cache. */
  cacheSalt?(accountId: string): string
  timing?: Partial<MonitorTiming>
  /** The socket of this service's own engine. Null: it has none. */
  ownSocket?: string | null
  /** How many processes of this service call the engines. Each runs an even part of the calls. */
  processes?: number
  /** The label mass from which on an answer is used, 0 to 1. 0 by default. */
  labelMassMin?: number
  /** Receives the label mass of each answer for which the engine reports one. */
  onLabelMass?(modelId: string, type: QuestionTypeName, mass: number): void
  /** Opens the slots of the engine at an address, for a worker whose supervisor owns them. */
  slotsOf?(url: string): SlotQueue
}

const READY_LIMIT_MS = 2_000
const IN_FLIGHT = 16
const IN_FLIGHT_PER_SLOT = 4
/** States of batches at an engine that does not report its slots. Otherwise one slot is left to single requests. */
const OF_BATCHES = 8
const UNKNOWN: Availability = { available: false, reason: "There is no engine for this model." }
const NO_TOKENIZERS = () => Promise.reject(new Error("no tokenizer loader is configured"))

/** Counted tokens of requests, which are the same at all addresses of a model. */
interface SharedCounts {
  systemOne: SystemOneSettings["counts"]
  labels: LabelsSettings["counts"]
}

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    engines: Engines
  }
}

/** All engines of this process: a group for each pinned model of the catalogue. */
export class Engines {
  readonly #groups = new Map<string, EngineGroup>()
  readonly slots: EngineSlots
  readonly #tokenizers: Tokenizers
  readonly #recording = new Set<Promise<void>>()

  constructor(private readonly options: EnginesOptions) {
    this.slots = new EngineSlots(options.slotsOf)
    this.#tokenizers = new Tokenizers(options.loadTokenizer ?? NO_TOKENIZERS)
  }

  /** Adds and removes engines to match `models`, and replaces each whose settings changed. */
  sync(models: EngineModel[]): void {
    const ids = new Set(models.map(({ id }) => id))
    for (const [id, group] of this.#groups) {
      if (ids.has(id)) continue
      this.#groups.delete(id)
      group.retire()
    }
    this.slots.keep(new Set(models.flatMap(({ addresses }) => addresses.map(({ url }) => url))))
    for (const model of models) {
      const known = this.#groups.get(model.id)
      if (known) known.update(model)
      else this.#groups.set(model.id, this.#createGroup(model))
    }
  }

  /** Returns a pinned model's engines, available or not. Null for a model that was not in the last `sync`. */
  get(modelId: string): ModelEngines | null {
    return this.#groups.get(modelId) ?? null
  }

  /** Returns what is known about every model, for another process. */
  reports(): [id: string, availability: Availability, addresses: AddressState[]][] {
    return [...this.#groups].map(([id, { availability, addresses }]) => [id, availability, addresses])
  }

  availability(modelId: string): Availability {
    return this.#groups.get(modelId)?.availability ?? UNKNOWN
  }

  /** Returns what is known about each address of a model. */
  addresses(modelId: string): AddressState[] {
    return this.#groups.get(modelId)?.addresses ?? []
  }

  /** Returns how busy the engines of each model are together. */
  queues(): ({ model: string } & QueueState)[] {
    return [...this.#groups].map(([model, { queue }]) => ({ model, ...queue }))
  }

  /** Resolves when every engine's first probe has ended and what it found is recorded, or after 2 s. */
  async ready(): Promise<void> {
    const probes = Promise.all(this.#entries().map(({ monitor }) => monitor?.firstProbe))
    const recorded = probes.then(() => Promise.all(this.#recording))
    await Promise.race([recorded, delay(READY_LIMIT_MS, undefined, { ref: false })])
  }

  degraded(): boolean {
    return [...this.#groups.keys()].some((id) => !this.availability(id).available)
  }

  /** Probes a model's engines now. `findings` is absent when the probes found nothing new. */
  async probeNow(modelId: string): Promise<Probed> {
    const group = this.#groups.get(modelId)
    return group ? probeGroup(group) : UNKNOWN
  }

  /** Probes a model at an address that it may get. Requests and the catalogue know nothing of it. */
  async tryAddress(model: EngineModel, address: EngineAddress): Promise<ProbeResult> {
    const engine = this.#open(model, address, new SlotQueue())
    try {
      const found = await engine.probe(AbortSignal.timeout(TIMING.probeLimitMs))
      const problem = pinProblem({ build: model.engineBuild, facts: model.pinnedFacts }, found)
      return problem ? { ...found, available: false, reason: problem } : found
    } finally {
      await engine.close()
    }
  }

  /** Probes the models of this service's own engine now, because its process became ready or ended. */
  async probeOwn(): Promise<void> {
    const own = [...this.#groups.values()].filter((group) => group.isAt(OWN_ENGINE_URL))
    await Promise.all(own.flatMap(({ entries }) => entries.map(({ monitor }) => monitor?.probe())))
  }

  /** Stops all probes, refuses waiting requests and resolves when the running ones have ended. */
  async close(): Promise<void> {
    const groups = [...this.#groups.values()]
    this.#groups.clear()
    await Promise.all(groups.map((group) => group.close()))
    await Promise.all(this.#recording)
  }

  #entries(): EngineEntry[] {
    return [...this.#groups.values()].flatMap(({ entries }) => entries)
  }

  #createGroup(first: EngineModel): EngineGroup {
    const counts: SharedCounts = { systemOne: new WeakMap(), labels: new WeakMap() }
    return new EngineGroup(first, (model, address) => this.#create(model, address, counts))
  }

  #create(model: EngineModel, address: EngineAddress | null, counts: SharedCounts): EngineEntry {
    const part = (calls: number) => Math.max(1, Math.floor(calls / (this.options.processes ?? 1)))
    const [queue, batches] = [new FairQueue(part(IN_FLIGHT)), new FairQueue(part(OF_BATCHES))]
    if (address === null) return new EngineEntry(new LexicalEngine(), queue, null, batches)
    const { url } = address
    const engine = this.#open(model, address, this.slots.of(url), counts)
    const monitor = new Monitor(
      engine,
      { build: model.engineBuild, facts: model.pinnedFacts },
      { ...TIMING, ...(url === OWN_ENGINE_URL ? OWN_TIMING : {}), ...this.options.timing },
      {
        slots: (slots) => {
          queue.setLimit(part(IN_FLIGHT_PER_SLOT * slots))
          batches.setLimit(part(slots - 1))
        },
        seen: (seen) => {
          const recording = this.#record(model, url, seen).finally(() => this.#recording.delete(recording))
          this.#recording.add(recording)
        },
        change: ({ available, reason }) => {
          const { log } = this.options
          const fields = { model: model.id, engine: originOf(url) }
          if (available) log.info("An engine became available", { event: "engine.available", ...fields })
          else
            log.warn("An engine became unavailable", {
              event: "engine.unavailable",
              ...fields,
              reason: reason ?? undefined,
            })
        },
      },
    )
    return new EngineEntry(engine, queue, monitor, batches)
  }

  #open(model: EngineModel, { url, apiKey }: EngineAddress, slots: SlotQueue, counts?: SharedCounts): Engine {
    const { id, engine, engineModel, tokenizer, promptTemplate } = model
    const cacheSalt = this.options.cacheSalt ?? null
    const settings = { url, model: engineModel, apiKey, inputLimit: inputLimitOf(id), slots, cacheSalt }
    if (engine === "labels") return new LabelsEngine({ ...settings, promptTemplate, counts: counts?.labels })
    const socketPath = url === OWN_ENGINE_URL ? (this.options.ownSocket ?? null) : null
    return new SystemOneEngine({
      ...settings,
      tokenizer,
      states: statesOf(model),
      reads: readsOf(model),
      marks: marksOf(model),
      reportsLabelMass: model.pinnedFacts?.mass === MASS_REPORTED,
      socketPath,
      tokenizers: this.#tokenizers,
      counts: counts?.systemOne,
      labelMassMin: this.options.labelMassMin,
      observer: {
        labelMass: (type, mass) => this.options.onLabelMass?.(id, type, mass),
        clamped: () =>
          this.options.log.warn("An engine's probability was slightly outside of 0 to 1 and was clamped", {
            event: "engine.probability_clamped",
            model: id,
            engine: originOf(url),
          }),
      },
    })
  }

  async #record({ id }: EngineModel, url: string, seen: ProbeFindings): Promise<void> {
    try {
      await this.options.onSeen(id, seen, url)
    } catch (cause) {
      this.options.log.error("What a probe found about an engine was not recorded", {
        event: "engine.record_failed",
        model: id,
        cause,
      })
      for (const { monitor } of this.#groups.get(id)?.entries ?? []) monitor?.reportAgain()
    }
  }
}
