import { rmSync } from "node:fs"
import * as http from "node:http"
import { constants } from "node:os"
import path from "node:path"
import type pg from "pg"
import { setConsoleHeaders } from "@/lib/server/api/console-request"
import { EXAMPLES_MS } from "@/lib/server/decisions/record-examples"
import { ReportedEngines, type ReportedModel } from "@/lib/server/engines/reported-engines"
import type { ProcessState } from "@/lib/server/health/process-state"
import { loadFirstCatalogue } from "@/lib/server/models/load-catalogue"
import { openPool } from "@/lib/server/platform/db/connect"
import { readEnv } from "@/lib/server/platform/env"
import { lowerProcessPriority } from "@/lib/server/platform/lower-priority"
import type { Metrics } from "@/lib/server/platform/metrics"
import { installRuntime, type Runtime, runtime } from "@/lib/server/platform/runtime"
import { openConsole } from "./console"
import { createRuntime } from "./create-runtime"
import { startSharedJobs } from "./jobs"
import { handleUncaught, logConsoleOutput } from "./process-failures"
import { type Answer, type Question, ServerLine } from "./server-line"

/** What the server sends to the console's process. */
export type ToConsole =
  | { type: "start"; database: pg.PoolConfig; root: string; socketPath: string }
  | { type: "engines"; engines: ReportedModel[] }
  | { type: "answer"; answer: Answer }
  | { type: "ping" }

/** What the console's process sends to the server. */
export type FromConsole =
  | { type: "signIn"; event: string }
  | { type: "mail"; outcome: "sent" | "failed" }
  | { type: "outcomeAlarm"; claim: string }
  | { type: "ready" }
  | { type: "failed"; reason: string }
  | { type: "question"; id: number; question: Question }
  | { type: "pong" }

/** The server bounds the headers that it accepts, and adds some of its own. */
const MAX_HEADER_BYTES = 64 * 1024

/** For the way to the server and back. */
const SPARE_MS = 10_000

const send = (message: FromConsole): void => void process.send?.(message)

/** The folder of the socket, which no other process uses. */
let folder: string | null = null

/** Serves Next on a Unix socket that only the server can reach. */
async function start({ database, root, socketPath }: ToConsole & { type: "start" }, engines: ReportedEngines) {
  folder = path.dirname(socketPath)
  const env = readEnv()
  const pool = openPool(database)
  const readServer = () => line.ask<ProcessState>({ name: "state" })
  const answerExamples: Runtime["answerExamples"] = (modelId) =>
    line.ask({ name: "examples", modelId }, EXAMPLES_MS + SPARE_MS)
  const created = await createRuntime(env, pool, { role: "console", engines, readServer, answerExamples })
  // Only the server is scraped, so it counts what happens here.
  Object.assign(created.runtime.metrics, {
    signIn: (event) => send({ type: "signIn", event }),
    mail: (outcome) => send({ type: "mail", outcome }),
    outcomeAlarm: (claim) => send({ type: "outcomeAlarm", claim }),
  } satisfies Pick<Metrics, "signIn" | "mail" | "outcomeAlarm">)
  installRuntime(created.runtime)
  handleUncaught(runtime().log, () => process.exit())
  logConsoleOutput(runtime().log)
  created.runtime.isConsoleUp = () => true
  startSharedJobs()
  const { handle } = await openConsole(runtime().env, root)
  await loadFirstCatalogue(runtime())
  await runtime().statusReports.prepare(runtime())
  const server = http.createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, requestTimeout: 0, headersTimeout: 0, keepAliveTimeout: 0, noDelay: true },
    (request, response) => {
      setConsoleHeaders(request, response, env)
      return handle(request, response)
    },
  )
  server.maxHeadersCount = 0
  server.listen(socketPath, () => send({ type: "ready" }))
}

const line = new ServerLine((id, question) => send({ type: "question", id, question }))
const engines = new ReportedEngines({ onSeen: () => {}, log: { info() {}, warn() {}, error() {} } }, (modelId) =>
  line.ask({ name: "probe", modelId }),
)
process.on("message", (message: ToConsole) => {
  if (message.type === "engines") engines.report(message.engines)
  else if (message.type === "answer") line.receive(message.answer)
  else if (message.type === "ping") send({ type: "pong" })
  else
    start(message, engines).catch((error: unknown) => {
      send({ type: "failed", reason: error instanceof Error ? error.message : String(error) })
    })
})
// A terminal signals every process of the group. The server stops this one after the last response.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
// Also happens when the server was killed, which then leaves its folder behind.
process.on("disconnect", () => {
  if (folder) rmSync(folder, { recursive: true, force: true })
  // An exit can hang on a busy machine, while threads of V8 still compile.
  process.kill(process.pid, "SIGKILL")
})
// The API comes first when both want the processor.
lowerProcessPriority(constants.priority.PRIORITY_BELOW_NORMAL)
