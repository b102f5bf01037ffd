import { createHmac } from "node:crypto"
import { statfs } from "node:fs/promises"
import type { Pool } from "pg"
import { createBodyDecoder } from "@/lib/server/api/coding/body-decoder"
import { Readiness } from "@/lib/server/api/readiness"
import { createRequestEvents } from "@/lib/server/api/request-events"
import { IssuerKeys } from "@/lib/server/auth/oidc/issuer-keys"
import { RefusalLog } from "@/lib/server/auth/refusal-log"
import { createPayments } from "@/lib/server/billing/payments"
import { createRequestReader } from "@/lib/server/decisions/read-request"
import { answerExamples } from "@/lib/server/decisions/record-examples"
import { Shadows } from "@/lib/server/decisions/shadows"
import { Engines } from "@/lib/server/engines/engines"
import { OwnEngines } from "@/lib/server/engines/own-engines"
import type { SlotQueue } from "@/lib/server/engines/slot-queue"
import { JobRuns } from "@/lib/server/health/job-runs"
import { readProcessState } from "@/lib/server/health/process-state"
import { ServerProcesses } from "@/lib/server/health/server-processes"
import { KeyCache } from "@/lib/server/keys/key-cache"
import { Grants } from "@/lib/server/ledger/grants"
import { createHoldCalls } from "@/lib/server/ledger/hold-statements"
import { ClaimLeases } from "@/lib/server/ledger/idempotency-claims"
import { WriteCheck } from "@/lib/server/ledger/write-check"
import { openRedisWindows } from "@/lib/server/limits/redis-windows"
import { memoryWindows, type RateWindows } from "@/lib/server/limits/windows"
import { createMailer } from "@/lib/server/mail/mailer"
import { createFollowGroups } from "@/lib/server/members/follow-groups"
import { createJoinByDomain } from "@/lib/server/members/join-by-domain"
import { AliasUses } from "@/lib/server/models/alias-use"
import { Catalogue } from "@/lib/server/models/catalogue"
import { recordSeen } from "@/lib/server/models/record-seen"
import { followProbe } from "@/lib/server/models/seed-decider"
import { loadTokenizer } from "@/lib/server/models/tokenizers"
import { createOutcomeFigures } from "@/lib/server/outcomes/outcome-figures"
import { ensureAuthSecret } from "@/lib/server/platform/auth-secret"
import type { Env } from "@/lib/server/platform/env"
import { createLog, standardError } from "@/lib/server/platform/log"
import { createMetrics } from "@/lib/server/platform/metrics"
import { openTracing } from "@/lib/server/platform/open-tracing"
import { proxyFor } from "@/lib/server/platform/outbound"
import type { Runtime } from "@/lib/server/platform/runtime"
import { StatusLog } from "@/lib/server/status/status-log"
import { StatusReports } from "@/lib/server/status/status-reports"
import { createWebhookClient } from "@/lib/server/webhooks/webhook-client"

/** Returns how much room the disk of a folder has. Infinity when that is unknown. */
const freeBytesOf = (folder: string): Promise<number> =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => Number.POSITIVE_INFINITY,
  )

interface RuntimeOptions {
  role: "server" | "command" | "console"
  engines?: Engines
  ownEngines?: OwnEngines
  readServer?: Runtime["readServer"]
  answerExamples?: Runtime["answerExamples"]
  /** Set for an API worker, and for the supervisor of workers. */
  workers?: WorkersOptions
}

interface WorkersOptions {
  /** The worker's number, from 1. Null for the supervisor. */
  number: number | null
  /** How many API workers there are. */
  count: number
  /** The supervisor's rate windows, without Redis. */
  rates?: RateWindows
  /** Opens the supervisor's slots of an engine. */
  slotsOf?(key: string): SlotQueue
  readOtherMetrics?: Runtime["readOtherMetrics"]
}

interface CreatedRuntime {
  runtime: Runtime
  /** Stops engines and workers, writes pending events and disconnects from Redis. The caller closes the database. */
  close(): Promise<void>
}

/**
 * Creates the runtime of a process on an open database. It starts no jobs: a server calls `startJobs` for that. A command logs
 * nothing. Only a server connects to Redis. `engines` replaces the engines of this process. `ownEngines` are the models that
 * the service runs itself. `readServer` and `answerExamples` ask the server that this process belongs to.
 */
export async function createRuntime(
  env: Env,
  pool: Pool,
  {
    role,
    engines: given,
    ownEngines = new OwnEngines(),
    readServer,
    answerExamples: askServer,
    workers,
  }: RuntimeOptions,
): Promise<CreatedRuntime> {
  const log = createLog(role === "command" ? "silent" : env.LOG_LEVEL, standardError, workers?.number)
  const metrics = createMetrics({ ofProcess: role === "server" })
  const events = createRequestEvents(pool, log, metrics)
  const reader = createRequestReader()
  const decoder = createBodyDecoder()
  const secret = await ensureAuthSecret(env)
  // An engine learns no account's id, and another service on the same engine has other values.
  const cacheSalt = (accountId: string) => createHmac("sha256", secret).update(`cache ${accountId}`).digest("base64url")
  const engines =
    given ??
    new Engines({
      log,
      loadTokenizer: (fingerprint) => loadTokenizer(runtime, fingerprint),
      onSeen: async (modelId, seen, url) => {
        await recordSeen(runtime, modelId, seen, url)
        await followProbe(runtime, modelId)
      },
      cacheSalt,
      labelMassMin: env.LABEL_MASS_MIN,
      onLabelMass: metrics.labelMass,
      onCascade: metrics.cascade,
      processes: workers?.count,
      slotsOf: workers?.slotsOf,
    })
  const rates =
    env.REDIS_URL && role === "server"
      ? await openRedisWindows({
          url: env.REDIS_URL,
          log,
          isApi: env.SERVE !== "console" && workers?.number !== null,
          processes: workers?.count,
        })
      : (workers?.rates ?? memoryWindows())
  const runtime: Runtime = {
    env: { ...env, AUTH_SECRET: secret },
    log,
    metrics,
    tracing: role === "server" ? await openTracing(env, log) : null,
    pool,
    keys: new KeyCache(),
    downloads: new Map(),
    ...createHoldCalls(),
    grants: new Grants(),
    claims: new ClaimLeases(pool),
    writes: new WriteCheck(pool, env.DATABASE_URL ? undefined : () => freeBytesOf(env.DATA_DIR)),
    status: new StatusLog(pool),
    statusReports: new StatusReports(),
    readiness: new Readiness(),
    rates,
    catalogue: new Catalogue(),
    engines,
    ownEngines,
    events,
    refusals: new RefusalLog(),
    issuerKeys: new IssuerKeys(env),
    joining: {
      followGroups: createFollowGroups(() => runtime),
      joinByDomain: createJoinByDomain(() => runtime),
    },
    reader,
    decoder,
    outcomeFigures: createOutcomeFigures(),
    jobs: new JobRuns(),
    isConsoleUp: () => null,
    processes: new ServerProcesses(),
    readOtherMetrics: workers?.readOtherMetrics ?? (async () => []),
    answerExamples: askServer ?? ((modelId) => answerExamples(runtime, modelId)),
    readServer: readServer ?? (async () => (role === "server" ? readProcessState(runtime) : null)),
    aliasUses: new AliasUses(),
    shadows: new Shadows(),
    mailer: createMailer(env, log, metrics),
    payments: createPayments(env),
    webhooks: createWebhookClient({ proxyOf: (url) => proxyFor(env, url) }),
  }
  const close = async () => {
    await runtime.shadows.close(runtime).catch(() => {})
    await engines.close()
    await runtime.grants.close()
    await reader.close()
    await decoder.close()
    await runtime.outcomeFigures.close()
    await events.flush()
    runtime.refusals.flush(runtime)
    await rates.close()
    await runtime.webhooks.close()
    await runtime.prisma?.$disconnect()
    await runtime.tracing?.close()
  }
  return { runtime, close }
}
