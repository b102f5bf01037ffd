import { setTimeout as sleep } from "node:timers/promises"
import { createEdge } from "@/lib/server/api/edge"
import { sweepHolds } from "@/lib/server/ledger/sweep-holds"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { ownSources } from "@/lib/server/models/own-model"
import { seedModels } from "@/lib/server/models/seed-models"
import { DatabaseProgramFailed } from "@/lib/server/platform/db/cluster"
import { connectDatabase, type Database, openConnection } from "@/lib/server/platform/db/connect"
import { addPartitions } from "@/lib/server/platform/db/partitions"
import { BadSetting, type Env, readEnv, unknownSettings } from "@/lib/server/platform/env"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { type Console, openConsole } from "@/lib/server/start/console"
import { ConsoleSupervisor } from "@/lib/server/start/console-supervisor"
import { countWorkers } from "@/lib/server/start/count-workers"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { saveLastUses, startJobs } from "@/lib/server/start/jobs"
import { keepPrivate } from "@/lib/server/start/keep-private"
import { ModelOrders } from "@/lib/server/start/model-orders"
import { requireNamedAccounts } from "@/lib/server/start/named-accounts"
import { OwnEngine } from "@/lib/server/start/own-engine"
import { handleUncaught, logConsoleOutput } from "@/lib/server/start/process-failures"
import { printReady } from "@/lib/server/start/startup-summary"
import { openWaitingRoom } from "@/lib/server/start/waiting-room"
import { WorkerSupervisor } from "@/lib/server/start/worker-supervisor"
import { sampleStatus } from "@/lib/server/status/sample-status"

/** The project's folder. This file runs from there, or as a bundle from `dist` or, in tests, from a folder in it. */
const ROOT = import.meta.dirname.replace(/\/dist(\/.*)?$/, "")
/** Ctrl-C signals the process twice: from the terminal and from npm. Only a signal after this delay forces an immediate exit. */
const SAME_SIGNAL_MS = 2_000

/** Thrown by a start that a signal ended before the database was open. */
class Interrupted extends Error {}

/** Stops the service. `drainMs` is how long it still accepts requests while `/readyz` is already 503. */
type Stop = (drainMs?: number) => Promise<void>

async function start(): Promise<void> {
  const startedAt = performance.now()
  const env = readEnv()
  let processes = 1
  let seededId: string | null = null
  const opening = new AbortController()
  // Process 1 of a container ignores signals without a handler, and PostgreSQL may recover for long before the database is open.
  let stop = onlyOnce(async () => opening.abort(new Interrupted()))
  process.on("SIGTERM", () => stop(env.DRAIN_S * 1_000))
  // A terminal sends SIGINT for Ctrl-C, and SIGHUP when it is closed.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => stop())
  let closeWaitingRoom = async () => {}
  const database = await connectDatabase(env, "server", opening.signal, async () => {
    closeWaitingRoom = await openWaitingRoom(env)
  })
  stop = onlyOnce(() => database.close().finally(() => process.exit(1)))
  try {
    const served = await serve(env, database, () => closeWaitingRoom())
    stop = exitAfter(served.stop)
    processes = served.processes
    seededId = served.seededId
    await served.accepting
  } catch (error) {
    // Closes the embedded PostgreSQL too, which would keep running otherwise.
    await database.close()
    throw error
  }
  handleUncaught(runtime().log, () => stop())
  // While developing, errors stay readable on the terminal.
  if (!env.isDevelopment) logConsoleOutput(runtime().log)
  for (const name of unknownSettings())
    runtime().log.warn("This variable is no setting of the service", { event: "setting.unknown", reason: name })
  if (await untilReady()) printReady(performance.now() - startedAt, processes, seededId)
}

/** Waits until decisions can be charged, and prints why they cannot, once a minute. Returns false when the service stops meanwhile. */
async function untilReady(): Promise<boolean> {
  for (let seconds = 0; ; seconds++) {
    const reason = await runtime().readiness.findReason()
    if (reason === null || reason === "draining") return reason === null
    if (seconds % 60 === 0) process.stderr.write(`Started, but not ready: ${reason}\n`)
    await sleep(1_000)
  }
}

interface Served {
  /** Resolves when every process that serves the API accepts connections. The first one may do so long before. */
  accepting: Promise<void>
  /** Stops the service and closes its database. */
  stop: Stop
  /** How many processes serve the API. */
  processes: number
  /** The model of the engine that the settings name. Null without one. */
  seededId: string | null
}

/** Starts the service on an open database. Calls `freePort` before it listens. */
async function serve(env: Env, database: Database, freePort: () => Promise<void>): Promise<Served> {
  await requireNamedAccounts(env, database.pool)
  const count = await countWorkers(env, database.pool)
  const own = await OwnEngine.start(env, env.ENGINE_GGUF ? await ownSources(database.pool) : [])
  const workers = count === 1 ? undefined : { number: null, count }
  const created = await createRuntime(env, database.pool, { role: "server", workers })
  installRuntime(created.runtime)
  await keepPrivate(env.DATA_DIR, created.runtime.log)
  // Starting the engine may take longer than the pool keeps an idle connection.
  await openConnection(database.pool)
  const seededId = await seedModels(runtime(), own?.model ?? null)
  const orders =
    env.SERVE === "console" ? null : new ModelOrders(own && seededId ? { id: seededId, engine: own } : null)
  if (orders) await orders.publish()
  else await loadCatalogue(runtime())
  await addPartitions(database.pool).catch((cause) =>
    runtime().log.warn("A job failed and will run again", { event: "job.failed", reason: "partitions", cause }),
  )
  await sweepHolds(runtime())
  // A first probe of a model on this machine's processors may take longer than that of an engine elsewhere.
  if (own) await created.runtime.engines.probeOwn()
  await created.runtime.engines.ready()
  // A first probe may have pinned a model and moved the alias.
  await loadCatalogue(runtime())
  // The first report then has parts, also on a new database.
  await sampleStatus(created.runtime, { console: null, mail: null, payments: null }).catch(() => {})
  await created.runtime.statusReports.prepare(created.runtime)
  await orders?.ready(runtime())
  const supervisor = workers ? new WorkerSupervisor({ database: database.config, count }) : null
  if (orders && supervisor) orders.onChange = (entries) => supervisor.setOwnEngines(entries)
  const console = env.SERVE === "api" ? null : await startConsole(env, database, supervisor)
  if (console) runtime().isConsoleUp = () => console.isUp
  const stopJobs = startJobs(orders)
  const front = supervisor ?? openEdge(env, console)
  await freePort()
  const accepting = front.start()
  const stop = async (drainMs = 0) => {
    created.runtime.readiness.isDraining = true
    supervisor?.drain()
    try {
      await Promise.all([accepting, sleep(drainMs)])
      console?.closeReloads?.()
      await front.close()
      stopJobs()
      await console?.close()
      await saveLastUses()
      await runtime().processes.leave(runtime())
      await created.close()
    } finally {
      // Also after a failure: a backup or a ledger check would keep its connection.
      stopJobs()
      await orders?.close()
      await database.close()
    }
  }
  return { accepting, stop, processes: count, seededId }
}

/** Returns what serves the port from this process once it is started. */
function openEdge(env: Env, console: Console | null): { start(): Promise<void>; close(): Promise<void> } {
  const edge = createEdge(env.SERVE, console?.handle ?? null, { ownsAction: console?.ownsAction })
  console?.forwardReloads?.(edge.server)
  return { start: () => edge.listen({ port: env.PORT, host: env.HOST }), close: () => edge.close() }
}

/** Renders the console in a process of its own, or in this one while developing, because Next then reloads pages over its socket. */
async function startConsole(env: Env, { config }: Database, workers: WorkerSupervisor | null): Promise<Console> {
  if (env.isDevelopment) return openConsole(runtime().env, ROOT)
  const console = new ConsoleSupervisor({
    database: config,
    root: ROOT,
    ...(workers && {
      onSocket: (socketPath: string | null) => workers.setConsoleSocket(socketPath),
      readState: () => workers.readState(),
    }),
  })
  await console.start()
  return console
}

/** Returns a function that calls `stop` once. A second call, at least 2 s later, exits at once with code 1. */
function onlyOnce(stop: Stop): Stop {
  let stoppingSince = 0
  return async (drainMs) => {
    if (stoppingSince > 0) return void (performance.now() - stoppingSince > SAME_SIGNAL_MS && process.exit(1))
    stoppingSince = performance.now()
    await stop(drainMs)
  }
}

/** Returns a function that stops gracefully and exits, with code 1 when a step failed. */
function exitAfter(stop: Stop): Stop {
  return onlyOnce(async (drainMs) => {
    try {
      await stop(drainMs)
    } catch (cause) {
      runtime().log.error("A step of the stop failed", { event: "process.stop_failed", cause })
      process.exitCode = 1
    }
    process.exit()
  })
}

/** Returns one line for a signal, a bad setting or a system error, and the stack for any other error. */
function reasonOf(error: unknown): string {
  if (error instanceof Interrupted) return "Stopped by a signal before the database was open"
  if (error instanceof BadSetting) return `Bad setting: ${error.message}`
  if (!(error instanceof Error)) return `Could not start: ${String(error)}`
  if (error instanceof DatabaseProgramFailed) return `Could not start: ${error.message}`
  const advice = "code" in error && error.code === "EADDRINUSE" ? ". Set PORT to a free one" : ""
  return `Could not start: ${"code" in error ? error.message + advice : (error.stack ?? error.message)}`
}

start().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exit(1)
})
