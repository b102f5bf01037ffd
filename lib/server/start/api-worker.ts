import type pg from "pg"
import { readActionMap } from "@/lib/server/api/action-map"
import { BodyBudget, bodyBudgetOf } from "@/lib/server/api/body-budget"
import { createEdge, type Edge, pagesOf } from "@/lib/server/api/edge"
import { ownSnapshot, readReadiness } from "@/lib/server/api/metrics-route"
import { type OwnEngineEntries, OwnEngines } from "@/lib/server/engines/own-engines"
import { type SlotCall, type SlotGrant, SlotLine } from "@/lib/server/engines/owned-slots"
import { readProcessState } from "@/lib/server/health/process-state"
import { type Count, type Counted, OwnedWindows } from "@/lib/server/limits/owned-windows"
import { loadFirstCatalogue } from "@/lib/server/models/load-catalogue"
import { openPool } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import type { MetricValues } from "@/lib/server/platform/metrics"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { createRuntime } from "./create-runtime"
import { ConsoleLink } from "./forward-to-console"
import { saveLastUses, startWorkerJobs } from "./jobs"
import { handleUncaught, logConsoleOutput } from "./process-failures"
import { type Answer, answerWith, type Question, ServerLine } from "./server-line"

export interface WorkerStart {
  type: "start"
  database: pg.PoolConfig
  ownModels: OwnEngineEntries
  /** From 1. */
  number: number
  count: number
  consoleSocket: string | null
  isDraining: boolean
}

/** What the supervisor sends to a worker. */
export type ToWorker =
  | WorkerStart
  | { type: "counted"; results: Counted[] }
  | { type: "slots"; grant: SlotGrant }
  | { type: "console"; socketPath: string | null }
  | { type: "own_engines"; entries: OwnEngineEntries }
  | { type: "question"; id: number; question: Question }
  | { type: "answer"; answer: Answer }
  | { type: "drain" }
  | { type: "ping" }
  | { type: "stop" }

/** What a worker sends to its supervisor. */
export type FromWorker =
  | { type: "loaded" }
  | { type: "ready" }
  | { type: "failed"; reason: string }
  | { type: "count"; counts: Count[] }
  | { type: "slots"; call: SlotCall }
  | { type: "question"; id: number; question: Question }
  | { type: "answer"; answer: Answer }
  | { type: "pong" }

const send = (message: FromWorker): void => void process.send?.(message)
const line = new ServerLine((id, question) => send({ type: "question", id, question }))
const rates = new OwnedWindows((counts) => send({ type: "count", counts }))
const slots = new SlotLine((call) => send({ type: "slots", call }))
const console = new ConsoleLink()
/** The models that the supervisor's engines run. */
const ownEngines = new OwnEngines()
let edge: Edge | null = null
/** Stops what runs behind the edge. */
let closeRest = async (): Promise<void> => {}

/** The runtime's readiness. Until the runtime exists, a placeholder that records whether the supervisor asked to drain. */
let readiness = { isDraining: false }

/** Serves the API, and forwards the console's requests, on the port that all workers share. */
async function start({ database, ownModels, number, count, consoleSocket, isDraining }: WorkerStart): Promise<void> {
  readiness.isDraining = isDraining
  ownEngines.replace(ownModels)
  console.socketPath = consoleSocket
  const env = readEnv()
  const pool = openPool(database)
  const readOtherMetrics = () => line.ask<MetricValues[]>({ name: "metrics" }).catch(() => [])
  const workers = { number, count, rates, slotsOf: slots.queueOf, readOtherMetrics }
  const created = await createRuntime(env, pool, { role: "server", ownEngines, workers })
  installRuntime(created.runtime)
  handleUncaught(runtime().log, stop)
  logConsoleOutput(runtime().log)
  created.runtime.readiness.isDraining = readiness.isDraining
  readiness = created.runtime.readiness
  await loadFirstCatalogue(runtime())
  await runtime().engines.ready()
  await runtime().statusReports.prepare(runtime())
  const stopJobs = startWorkerJobs()
  closeRest = async () => {
    stopJobs()
    await saveLastUses()
    await created.close()
    console.close()
    await pool.end().catch(() => {})
  }
  if (env.SERVE !== "api") {
    console.ownsAction = readActionMap(".")
    runtime().isConsoleUp = () => console.socketPath !== null
  }
  edge = createEdge(env.SERVE, env.SERVE === "api" ? null : console.handle, {
    bodies: new BodyBudget(bodyBudgetOf(count)),
    pages: pagesOf(count),
    ownsAction: console.ownsAction,
  })
  await edge.listen({ port: env.PORT, host: env.HOST })
  send({ type: "ready" })
}

/** Finishes the requests that arrived and exits. Other workers accept what is queued. */
async function stop(): Promise<void> {
  readiness.isDraining = true
  await edge?.close()
  await closeRest()
  process.exit()
}

async function answer(question: Question): Promise<unknown> {
  if (question.name === "metrics") {
    const known = { inFlight: edge?.inFlight.count ?? 0, readiness: await readReadiness() }
    return runtime().metrics.values(ownSnapshot(known))
  }
  return question.name === "state" ? readProcessState(runtime()) : undefined
}

process.on("message", (message: ToWorker) => {
  if (message.type === "counted") rates.receive(message.results)
  else if (message.type === "slots") slots.receive(message.grant)
  else if (message.type === "console") console.socketPath = message.socketPath
  else if (message.type === "own_engines") ownEngines.replace(message.entries)
  else if (message.type === "answer") line.receive(message.answer)
  else if (message.type === "question")
    void answerWith(message.id, answer(message.question), (given) => send({ type: "answer", answer: given }))
  else if (message.type === "drain") readiness.isDraining = true
  else if (message.type === "ping") send({ type: "pong" })
  else if (message.type === "stop") void stop()
  else if (message.type === "start")
    start(message).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      send({ type: "failed", reason: reason.includes("EADDRINUSE") ? `${reason}. Set PORT to a free one` : reason })
    })
})
// A terminal signals every process of the group. The supervisor stops this one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
// Ends this process when the supervisor has ended. Node's own listener would call `process.exit()`, which hung on a busy machine
// while V8 was compiling.
process.prependListener("disconnect", () => process.kill(process.pid, "SIGKILL"))
send({ type: "loaded" })
