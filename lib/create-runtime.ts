import "server-only"
import { createRequestEvents } from "./api/request-events"
import { ensureAuthSecret } from "./auth/secret"
import { createPayments } from "./billing/payments"
import type { Database } from "./db/connect"
import { createRequestReader } from "./decisions/read-request"
import { Engines } from "./engines/engines"
import type { Env } from "./env"
import { KeyCache } from "./keys/key-cache"
import { createHoldCalls } from "./ledger/place-hold"
import { createCaptureCalls } from "./ledger/resolve-hold"
import { openRedisWindows } from "./limits/redis-windows"
import { memoryWindows } from "./limits/windows"
import { createLog } from "./log"
import { createMailer } from "./mail/mailer"
import { createMetrics } from "./metrics"
import { Catalogue } from "./models/catalogue"
import { loadTokenizer } from "./models/keep-tokenizer"
import { recordSeen } from "./models/record-seen"
import type { Runtime } from "./runtime"

interface Made {
  runtime: Runtime
  /** Ends engines, workers, batches and shared windows; the database stays open for its owner to close. */
  close(): Promise<void>
}

/**
 * Makes the one runtime of a process on an open database. A command's runtime starts no timers; a server's is set going
 * by `startJobs`. The caller installs it.
 */
export async function createRuntime(
  env: Env,
  { pool, prisma }: Pick<Database, "pool" | "prisma">,
  { role }: { role: "server" | "command" },
): Promise<Made> {
  const log = createLog(role === "command" ? "silent" : env.LOG_LEVEL)
  const events = createRequestEvents(pool, log)
  const reader = createRequestReader()
  const engines = new Engines({ log, loadTokenizer, onSeen: recordSeen })
  const rates =
    env.REDIS_URL && role === "server" ? await openRedisWindows({ url: env.REDIS_URL, log }) : memoryWindows()
  const runtime: Runtime = {
    env: { ...env, AUTH_SECRET: await ensureAuthSecret(env) },
    log,
    metrics: createMetrics({ ofProcess: role === "server" }),
    pool,
    prisma,
    keys: new KeyCache(),
    holds: createHoldCalls(),
    captures: createCaptureCalls(),
    rates,
    catalogue: new Catalogue(),
    engines,
    events,
    reader,
    mailer: createMailer(env, log),
    payments: createPayments(env),
  }
  const close = async () => {
    await engines.close()
    await reader.close()
    await events.flush()
    await rates.close()
  }
  return { runtime, close }
}
