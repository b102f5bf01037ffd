import type { Pool } from "pg"
import type { Env } from "./env"
import type { Log } from "./log"
import type { Metrics } from "./metrics"
import type { Tracing } from "./tracing"

/**
 * All state of a process. A folder that owns state adds it here by declaration merging, beside its type:
 *
 *     declare module "@/lib/server/platform/runtime" {
 *       interface Runtime { keys: KeyCache }
 *     }
 *
 * `start/create-runtime.ts` creates all of it once; other modules only read it.
 */
export interface Runtime {
  env: Env
  log: Log
  metrics: Metrics
  /** Null without a collector, and in every process but a server. */
  tracing: Tracing | null
  pool: Pool
}

const KEY = Symbol.for("svc.runtime")
const store = globalThis as unknown as Record<typeof KEY, Runtime | undefined>

/**
 * Returns the process's runtime. Throws before it is installed. Next's bundle holds a second copy of this module, so the value is
 * stored under a global symbol.
 */
export function runtime(): Runtime {
  const value = store[KEY]
  if (!value) throw new Error("the runtime is not installed: server.ts or a command creates it first")
  return value
}

/** Makes `value` the process's runtime. Tests pass undefined to remove it. */
export function installRuntime(value: Runtime | undefined): void {
  store[KEY] = value
}
