import type { Pool } from "pg"
import type { RequestEvents } from "./api/request-events"
import type { Payments } from "./billing/payments"
import type { PrismaClient } from "./db/generated/client"
import type { RequestReader } from "./decisions/read-request"
import type { Engines } from "./engines/engines"
import type { Env } from "./env"
import type { KeyCache } from "./keys/key-cache"
import type { Coalescer } from "./ledger/coalescer"
import type { HoldOutcome, HoldRequest } from "./ledger/place-hold"
import type { Capture, Resolution } from "./ledger/resolve-hold"
import type { RateWindows } from "./limits/windows"
import type { Log } from "./log"
import type { Mailer } from "./mail/mailer"
import type { Metrics } from "./metrics"
import type { Catalogue } from "./models/catalogue"

/** Everything with state, made once per process by `createRuntime` and only read elsewhere. */
export interface Runtime {
  env: Env
  log: Log
  metrics: Metrics
  pool: Pool
  prisma: PrismaClient
  keys: KeyCache
  holds: Coalescer<HoldRequest, HoldOutcome>
  captures: Coalescer<Capture, Resolution>
  rates: RateWindows
  catalogue: Catalogue
  engines: Engines
  events: RequestEvents
  reader: RequestReader
  mailer: Mailer
  /** Null while top-ups are off. */
  payments: Payments | null
}

const KEY = Symbol.for("svc.runtime")
const store = globalThis as unknown as Record<typeof KEY, Runtime | undefined>

/**
 * The process's one runtime. Next's bundle holds a second copy of this module, so the value lives under a global symbol
 * and not in the module.
 */
export function runtime(): Runtime {
  const value = store[KEY]
  if (!value) throw new Error("the runtime is not installed: server.ts or a command makes it first")
  return value
}

/** Makes `value` the process's runtime; undefined takes it away (tests). */
export function installRuntime(value: Runtime | undefined): void {
  store[KEY] = value
}
