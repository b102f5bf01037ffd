import { ServiceError } from "@/lib/shared/errors"
import { ConnectionFailure } from "./breaker"
import type { Engine } from "./engine"
import type { EngineEntry, EngineHandle, Work, WorkOptions } from "./engine-entry"
import { type EngineAddress, type EngineModel, originOf, readsOf, statesOf } from "./engine-model"
import type { QueueState } from "./fair-queue"
import { LabelsEngine } from "./labels/labels-engine"
import type { Availability } from "./monitor"
import { SystemOneEngine } from "./system-one/system-one-engine"

/** Where a cascade sends the questions that its small model is not sure of. */
export interface Onward {
  engines: ModelEngines
  /** Answers with a smaller probability go on. */
  below: number
  /** Records how many questions each of both models answered in one request. */
  answered(small: number, big: number): void
}

/** The engines of one model. */
export interface ModelEngines extends EngineHandle {
  /** Null for every model but a cascade. The engines are then those of its small model. */
  readonly next: Onward | null
  /**
   * Runs `work` with one of the model's engines: the available one with the fewest calls. When a connection to it fails, `work` runs
   * once more with another. A response, an error status included, is never asked for again.
   */
  withOne<T>(work: (engine: EngineHandle) => Promise<T>): Promise<T>
  /** How many states of batches the engines take at once. At least one. */
  readonly batchPlaces: number
}

/** What is known about one address of a model. */
export interface AddressState extends Availability {
  url: string
  isDraining: boolean
}

interface Member {
  /** Null for the lexical engine. */
  address: EngineAddress | null
  entry: EngineEntry
}

/** What creates the engine of a model at one address, or without one. */
export type CreateEntry = (model: EngineModel, address: EngineAddress | null) => EngineEntry

/** Returns whether an engine's connections lead to another address as well. */
const isSameAddress = (address: EngineAddress | null, other: EngineAddress | null): boolean =>
  address?.url === other?.url &&
  address?.apiKey === other?.apiKey &&
  (address?.socketPath ?? null) === (other?.socketPath ?? null)

const ALWAYS: Availability = { available: true, reason: null }
const NOWHERE: Availability = { available: false, reason: "The model has no address." }

const availabilityOf = ({ entry }: Member): Availability => entry.monitor?.availability ?? ALWAYS

const isDraining = ({ address }: Member): boolean => address?.isDraining ?? false

/** Returns whether no response came, so that another engine may be asked. After a silence of 85 s there is no time for it. */
const isUnreached = (thrown: unknown): boolean =>
  thrown instanceof ServiceError && thrown.code === "model_unavailable" && thrown.cause instanceof ConnectionFailure

/**
 * Returns whether an engine still has the model's settings, its address aside. A served name that a probe found and recorded is not
 * a change.
 */
function hasSettings(engine: Engine, model: EngineModel, next: EngineModel): boolean {
  const isRecorded =
    model.engineModel === null &&
    (engine instanceof SystemOneEngine || engine instanceof LabelsEngine) &&
    engine.served === next.engineModel
  const [states, reads] = [statesOf(next), readsOf(next)]
  const isDetermined = ({ determined }: SystemOneEngine) =>
    (states === null || determined.states === states) && (reads === null || determined.reads === reads)
  return (
    model.engine === next.engine &&
    (model.engineModel === next.engineModel || isRecorded) &&
    (model.tokenizer === next.tokenizer || model.engine === "labels") &&
    (!(engine instanceof SystemOneEngine) || isDetermined(engine))
  )
}

/** One engine for each address of a model, each with its own probes, breaker, slots and queue. */
export class EngineGroup implements ModelEngines {
  readonly next = null
  #members: Member[] = []
  /** Engines at removed addresses. They answer until those that replaced them were probed. */
  #leaving: Member[] = []

  constructor(
    private model: EngineModel,
    private readonly create: CreateEntry,
  ) {
    this.update(model)
  }

  /** Adds and removes engines to match the model's addresses, and replaces each whose settings changed. */
  update(next: EngineModel): void {
    const { model } = this
    const old = this.#members
    const isKept = ({ address, entry }: Member, at: EngineAddress | null) =>
      isSameAddress(address, at) && hasSettings(entry.engine, model, next)
    const added: Member[] = []
    const addresses = next.engine === "lexical" ? [null] : next.addresses
    this.#members = addresses.map((address) => {
      const kept = old.find((member) => isKept(member, address))
      kept?.entry.monitor?.setPin({ build: next.engineBuild, facts: next.pinnedFacts })
      if (kept) return { ...kept, address }
      const member = { address, entry: this.create(next, address) }
      added.push(member)
      return member
    })
    this.model = next
    for (const { entry } of added) entry.monitor?.start()
    const gone = old.filter(({ entry }) => !this.#members.some((member) => member.entry === entry))
    // An engine with other settings must not answer for the new ones. One at a removed address may.
    const outdated = gone.filter(({ entry }) => !hasSettings(entry.engine, model, next))
    for (const { entry } of outdated) entry.retire()
    this.#leave(
      gone.filter((member) => !outdated.includes(member)),
      added,
    )
  }

  /** Returns the model's engines, at its addresses in their order. */
  get entries(): EngineEntry[] {
    return this.#members.map(({ entry }) => entry)
  }

  /** Returns whether any engine listens at this address. */
  isAt(url: string): boolean {
    return this.#members.some(({ address }) => address?.url === url)
  }

  get addresses(): AddressState[] {
    return this.#members.flatMap((member) =>
      member.address
        ? [{ url: member.address.url, isDraining: member.address.isDraining, ...availabilityOf(member) }]
        : [],
    )
  }

  /** Returns whether any engine may be used. If not, the reason names each address when there are several. */
  get availability(): Availability {
    const [only, ...others] = this.#members
    if (!only) return NOWHERE
    if ([...this.#serving, ...this.#standIns].some(isUsable)) return ALWAYS
    if (others.length === 0) return availabilityOf(only)
    const reasons = this.addresses.map(
      ({ url, reason, isDraining }) => `${originOf(url)}: ${isDraining ? "It is drained." : reason}`,
    )
    return { available: false, reason: reasons.join(" ") }
  }

  /** Returns how busy the engines are together. */
  get queue(): QueueState {
    const states = this.#members.map(({ entry }) => entry.queue.state)
    const sum = (name: keyof QueueState) => states.reduce((total, state) => total + state[name], 0)
    return { running: sum("running"), limit: sum("limit"), waiting: sum("waiting") }
  }

  get batchPlaces(): number {
    const usable = this.#serving.filter(isUsable)
    return Math.max(
      1,
      usable.reduce((sum, { entry }) => sum + entry.batches.state.limit, 0),
    )
  }

  async withOne<T>(work: (engine: EngineHandle) => Promise<T>): Promise<T> {
    const first = this.#choose(null)
    if (!first) throw new ServiceError("model_unavailable")
    try {
      return await work(first.entry)
    } catch (failure) {
      const other = isUnreached(failure) ? this.#choose(first.entry) : null
      if (!other || !isUsable(other)) throw failure
      return work(other.entry)
    }
  }

  run<T>(accountId: string, signal: AbortSignal, work: Work<T>, options?: WorkOptions): Promise<T> {
    return this.withOne((engine) => engine.run(accountId, signal, work, options))
  }

  withoutPlace<T>(work: (engine: Engine) => T | Promise<T>): Promise<T> {
    return this.withOne((engine) => engine.withoutPlace(work))
  }

  /** Stops the probes, and closes each engine's connections when its last running request has ended. */
  retire(): void {
    for (const { entry } of [...this.#members, ...this.#leaving]) entry.retire()
  }

  /** Refuses waiting requests and resolves when the running ones have ended. */
  async close(): Promise<void> {
    await Promise.all([...this.#members, ...this.#leaving].map(({ entry }) => entry.close()))
  }

  get #serving(): Member[] {
    return this.#members.filter((member) => !isDraining(member))
  }

  /** Engines that answer until those that replace them were probed: at removed addresses, and drained ones. */
  get #standIns(): Member[] {
    const isAwaited = this.#serving.some(({ entry }) => entry.monitor?.isProbed === false)
    return isAwaited ? [...this.#leaving, ...this.#members.filter(isDraining)] : this.#leaving
  }

  #choose(except: EngineEntry | null): Member | null {
    let best: Member | null = null
    for (const member of this.#serving) if (member.entry !== except && isBetter(member, best)) best = member
    if (best && isUsable(best)) return best
    for (const member of this.#standIns) if (member.entry !== except && isBetter(member, best)) best = member
    return best
  }

  #leave(gone: Member[], added: Member[]): void {
    if (gone.length === 0) return
    this.#leaving.push(...gone)
    void Promise.all(added.map(({ entry }) => entry.monitor?.firstProbe)).then(() => {
      this.#leaving = this.#leaving.filter((member) => !gone.includes(member))
      for (const { entry } of gone) entry.retire()
    })
  }
}

const isUsable = (member: Member): boolean => availabilityOf(member).available

/** Returns whether an engine is to be chosen before another: the usable one, then the one with fewer calls. */
function isBetter(member: Member, than: Member | null): boolean {
  if (than === null) return true
  const usable = isUsable(member)
  return usable === isUsable(than) ? member.entry.calls < than.entry.calls : usable
}
