import type { Runtime } from "@/lib/server/platform/runtime"
import { listSigningKeys, type SigningKey } from "@/lib/server/signing/signing-keys"
import {
  type ComponentStatus,
  type PartsReport,
  RECENT_MS,
  readStatus,
  type State,
  type StatusReport,
  worstOf,
} from "./read-status"

declare module "@/lib/server/platform/runtime" {
  interface Runtime {
    statusReports: StatusReports
  }
}

const READ_EVERY_MS = 30_000
/** Requests share what was put together within this time. */
const SHARED_MS = 1_000

const NEVER = { steps: [], total: null, counted: 0 }

/** Returns since when this process cannot read the database or write to it, or null. */
function outageSince({ catalogue, writes }: Runtime): Date | null {
  const [read, write] = [catalogue.staleSince, writes.failingSince]
  return read && write ? (read < write ? read : write) : (read ?? write)
}

/** A part that was never sampled, because the database is down since this process started. */
const unsampled = (component: "api" | "database", at: string): ComponentStatus => {
  const uptime = { start: at, ...NEVER }
  return { component, model: null, state: "down", downSince: null, lastSampleAt: at, hours: uptime, days: uptime }
}

/** The report that requests share. They get it from memory, also while the database is down. */
export class StatusReports {
  #latest: PartsReport | null = null
  #signingKeys: SigningKey[] = []
  #readAt = Number.NEGATIVE_INFINITY
  #shown: { report: StatusReport; at: number } | null = null

  /**
   * Finds out whether the database can be written, reads the signing keys, and the uptimes when they are older than half a minute.
   * Rejects when they cannot be read: then the last ones stay. Every process that shows the status runs it every few seconds.
   */
  async refresh(runtime: Runtime): Promise<void> {
    await runtime.writes.findFault()
    const isDue = !this.#latest?.components.length || performance.now() - this.#readAt >= READ_EVERY_MS
    this.#signingKeys = await listSigningKeys(runtime)
    if (!isDue) return
    this.#latest = await readStatus(runtime)
    this.#readAt = performance.now()
    this.#shown = null
  }

  /** Reads the first report, before the process serves requests. Never rejects: without a database, the job reads it later. */
  async prepare(runtime: Runtime): Promise<void> {
    await this.refresh(runtime).catch(() => {})
  }

  /** Returns the report of now, without a query. A retired model has no part in it. */
  current(runtime: Runtime, now = new Date()): StatusReport {
    if (this.#shown && performance.now() - this.#shown.at < SHARED_MS) return this.#shown.report
    const report = this.#compose(runtime, now)
    this.#shown = { report, at: performance.now() }
    return report
  }

  #compose(runtime: Runtime, now: Date): StatusReport {
    const pinned = new Map(runtime.catalogue.pinned().map((model) => [model.id, model]))
    const read = this.#latest?.components ?? []
    const current = read.filter(({ model }) => model === null || pinned.get(model)?.status === "active")
    const isOld = this.#latest === null || now.getTime() - Date.parse(this.#latest.at) > RECENT_MS
    const known = isOld ? current.map((part): ComponentStatus => ({ ...part, state: "unknown" })) : current
    const since = outageSince(runtime)
    const components = since ? duringOutage(runtime, known, since) : known
    const at = since || !this.#latest ? now.toISOString() : this.#latest.at
    return { at, state: worstOf(components), components, signingKeys: this.#signingKeys }
  }
}

/** Returns the parts as this process sees them while nothing can be stored or read: the database and the API are down. */
function duringOutage(runtime: Runtime, known: ComponentStatus[], since: Date): ComponentStatus[] {
  const down = { state: "down" as const, downSince: since.toISOString() }
  const missing = (["api", "database"] as const)
    .filter((name) => !known.some(({ component }) => component === name))
    .map((name) => unsampled(name, since.toISOString()))
  return [...missing, ...known].map((part): ComponentStatus => {
    const { component, model } = part
    if (component === "api" || component === "database") return { ...part, ...down }
    if (model !== null) return { ...part, state: stateOf(runtime.engines.availability(model).available) ?? part.state }
    return component === "console" ? { ...part, state: stateOf(runtime.isConsoleUp()) ?? part.state } : part
  })
}

const stateOf = (isUp: boolean | null): State | null => (isUp === null ? null : isUp ? "up" : "down")
