import { setTimeout as delay } from "node:timers/promises"
import { CascadeEngines, type CascadeModel, cascadeAvailability, cascadeProbed } from "./cascade"
import type { ProbeResult } from "./engine"
import { EngineEntry } from "./engine-entry"
import { type AddressState, EngineGroup, type ModelEngines } from "./engine-group"
import { type EngineAddress, type EngineModel, originOf, slotsKey } from "./engine-model"
import { EngineSlots } from "./engine-slots"
import { FairQueue, type QueueState } from "./fair-queue"
import { LexicalEngine } from "./lexical/lexical-engine"
import { type Availability, Monitor, type ProbeFindings } from "./monitor"
import { type MonitorTiming, OWN_TIMING, TIMING } from "./monitor-timing"
import { type OpenOptions, openEngine, type SharedCounts } from "./open-engine"
import { OWN_ENGINE_URL } from "./own-engine-url"
import { pinProblem } from "./pinned-facts"
import { type Probed, probeGroup } from "./probe-group"
import { SlotQueue } from "./slot-queue"
import type { TokenizerFiles } from "./tokenizer/tokenizer-files"
import { Tokenizers } from "./tokenizer/tokenizers"

interface EnginesOptions extends OpenOptions {
  /** Records what a probe of the engine at this address found and the catalogue does not know yet. */
  onSeen(modelId: string, seen: ProbeFindings, url: string): void | Promise<void>
  loadTokenizer?(fingerprint: string): Promise<TokenizerFiles>
  timing?: Partial<MonitorTiming>
  /** How many processes of this service call the engines. Each runs an even part of the calls. */
  processes?: number
  /** Opens the slots of an engine by its `slotsKey`, for a worker whose supervisor owns them. */
  slotsOf?(key: string): SlotQueue
  /** Records how many questions of a request each model of a cascade answered. */
  onCascade?(modelId: string, small: number, big: number): void
}

const READY_LIMIT_MS = 2_000
const IN_FLIGHT = 16
const IN_FLIGHT_PER_SLOT = 4
/** States of batches at an engine that does not report its slots. Otherwise one slot is left to single requests. */
const OF_BATCHES = 8
const UNKNOWN: Availability = { available: false, reason: "There is no engine for this model." }
const NO_TOKENIZERS = () => Promise.reject(new Error("no tokenizer loader is configured"))

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    engines: Engines
  }
}

/** All engines of this process: a group for each pinned model of the catalogue. */
export class Engines {
  readonly #groups = new Map<string, EngineGroup>()
  #cascades: ReadonlyMap<string, CascadeModel> = new Map()
  readonly slots: EngineSlots
  readonly #tokenizers: Tokenizers
  readonly #recording = new Set<Promise<void>>()

  constructor(private readonly options: EnginesOptions) {
    this.slots = new EngineSlots(options.slotsOf)
    this.#tokenizers = new Tokenizers(options.loadTokenizer ?? NO_TOKENIZERS)
  }

  /** Adds and removes engines to match `models`, and replaces each whose settings changed. `cascades` ask two of them each. */
  sync(models: EngineModel[], cascades: CascadeModel[] = []): void {
    this.#cascades = new Map(cascades.map((cascade) => [cascade.id, cascade]))
    const ids = new Set(models.map(({ id }) => id))
    for (const [id, group] of this.#groups) {
      if (ids.has(id)) continue
      this.#groups.delete(id)
      group.retire()
    }
    this.slots.keep(new Set(models.flatMap((model) => model.addresses.map((address) => slotsKey(model, address)))))
    for (const model of models) {
      const known = this.#groups.get(model.id)
      if (known) known.update(model)
      else this.#groups.set(model.id, this.#createGroup(model))
    }
  }

  /** Returns a pinned model's engines, available or not. Null for a model that was not in the last `sync`. */
  get(modelId: string): ModelEngines | null {
    const cascade = this.#cascades.get(modelId)
    if (!cascade) return this.#groups.get(modelId) ?? null
    const [small, engines] = [this.#groups.get(cascade.smallId), this.#groups.get(cascade.bigId)]
    const answered = (bySmall: number, byBig: number) => this.options.onCascade?.(modelId, bySmall, byBig)
    return small && engines ? new CascadeEngines(small, { engines, below: cascade.below, answered }) : null
  }

  /** Returns what is known about every model, for another process. */
  reports(): [id: string, availability: Availability, addresses: AddressState[]][] {
    return [...this.#groups.keys(), ...this.#cascades.keys()].map((id) => [
      id,
      this.availability(id),
      this.addresses(id),
    ])
  }

  availability(modelId: string): Availability {
    const cascade = this.#cascades.get(modelId)
    if (!cascade) return this.#groups.get(modelId)?.availability ?? UNKNOWN
    return cascadeAvailability(cascade, [this.availability(cascade.smallId), this.availability(cascade.bigId)])
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
    const cascade = this.#cascades.get(modelId)
    if (cascade) {
      const parts = [this.probeNow(cascade.smallId), this.probeNow(cascade.bigId)] as const
      return cascadeProbed(cascade, await Promise.all(parts))
    }
    const group = this.#groups.get(modelId)
    return group ? probeGroup(group) : UNKNOWN
  }

  /** Probes a model at an address that it may get. Requests and the catalogue know nothing of it. */
  async tryAddress(model: EngineModel, address: EngineAddress): Promise<ProbeResult> {
    const engine = openEngine(this.options, this.#tokenizers, model, address, new SlotQueue())
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
    const engine = openEngine(
      this.options,
      this.#tokenizers,
      model,
      address,
      this.slots.of(slotsKey(model, address)),
      counts,
    )
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
