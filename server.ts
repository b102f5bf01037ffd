import { EventEmitter } from "node:events"
import type * as http from "node:http"
import type { Duplex } from "node:stream"
import { createEdge } from "@/lib/server/api/edge"
import { saveLastUsed } from "@/lib/server/keys/save-last-used"
import { sweepHolds } from "@/lib/server/ledger/sweep-holds"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { seedModels } from "@/lib/server/models/seed-models"
import { connectDatabase, type Database } from "@/lib/server/platform/db/connect"
import { BadSetting, type Env, readEnv } from "@/lib/server/platform/env"
import { logPrinted } from "@/lib/server/platform/log-printed"
import { installRuntime, runtime } from "@/lib/server/platform/runtime"
import { watchFailures } from "@/lib/server/platform/watch-failures"
import { createRuntime } from "@/lib/server/start/create-runtime"
import { startJobs } from "@/lib/server/start/jobs"
import { printReady } from "@/lib/server/start/startup-summary"

const FINISH_MS = 25_000
const CUT_MS = 28_000

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void

interface Console {
  handle: Handler
  /** Next hangs its reload handler here; it never gets the real server, where it would answer every upgrade itself. */
  reload: EventEmitter
  close(): Promise<void>
}

async function openConsole(env: Env): Promise<Console> {
  const { default: next } = await import("next")
  const reload = new EventEmitter()
  const dir = import.meta.dirname.replace(/\/dist$/, "")
  const app = next({
    dev: env.isDevelopment,
    hostname: env.HOST,
    port: env.PORT,
    dir,
    httpServer: reload as http.Server,
  })
  await app.prepare()
  return { handle: app.getRequestHandler(), reload, close: () => app.close() }
}

function forwardReloads(server: http.Server, { reload }: Console, dev: boolean): Set<Duplex> {
  const sockets = new Set<Duplex>()
  // Without a listener an offer to upgrade is not taken up, and the request answered as it is.
  if (!dev) return sockets
  server.on("upgrade", (request, socket, head) => {
    if (!request.url?.startsWith("/_next/") || reload.listenerCount("upgrade") === 0) return socket.destroy()
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
    reload.emit("upgrade", request, socket, head)
  })
  return sockets
}

/** Makes the runtime and the server on an open database, and listens; answers how to stop it all. */
async function serve(env: Env, database: Database, startedAt: number): Promise<() => Promise<void>> {
  const made = await createRuntime(env, database, { role: "server" })
  installRuntime(made.runtime)
  await seedModels()
  await loadCatalogue()
  await sweepHolds()
  await made.runtime.engines.ready()
  const stopJobs = startJobs()
  const web = env.SERVE === "api" ? null : await openConsole(env)
  const { app, server, inFlight } = createEdge(env.SERVE, web?.handle ?? null)
  const sockets = web ? forwardReloads(server, web, env.isDevelopment) : new Set<Duplex>()
  await app.listen({ port: env.PORT, host: env.HOST })
  printReady(performance.now() - startedAt)

  let stoppingSince = 0
  return async () => {
    // Ctrl-C reaches us twice, from the terminal and from npm: only one that comes later means "now".
    if (stoppingSince > 0) return void (performance.now() - stoppingSince > 2_000 && process.exit(1))
    stoppingSince = performance.now()
    const abort = setTimeout(() => inFlight.abortAll(), FINISH_MS)
    const cut = setTimeout(() => server.closeAllConnections(), CUT_MS)
    // A connection that was busy when we began to stop stays open after its answer: it is closed as soon as it is idle.
    const tidy = setInterval(() => server.closeIdleConnections(), 100)
    for (const socket of sockets) socket.destroy()
    await app.close()
    clearTimeout(abort)
    clearTimeout(cut)
    clearInterval(tidy)
    stopJobs()
    await web?.close()
    await saveLastUsed().catch(() => {})
    await made.close()
    await database.close()
    process.exit()
  }
}

/** A start that fails or is stopped half way lets go of the database too, so that no PostgreSQL is left running. */
async function start(): Promise<void> {
  const startedAt = performance.now()
  const env = readEnv()
  const database = await connectDatabase(env, "server")
  let stop = () => database.close().finally(() => process.exit(1))
  process.on("SIGTERM", () => stop())
  process.on("SIGINT", () => stop())
  try {
    stop = await serve(env, database, startedAt)
    watchFailures(runtime().log, () => stop())
    // Whoever develops wants to read it as it was printed.
    if (!env.isDevelopment) logPrinted(runtime().log)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** One line: what names a setting or the system refused needs no stack, anything else is a fault of ours. */
function reasonOf(error: unknown): string {
  if (error instanceof BadSetting) return `Bad setting: ${error.message}`
  if (!(error instanceof Error)) return `Could not start: ${String(error)}`
  return `Could not start: ${"code" in error ? error.message : (error.stack ?? error.message)}`
}

start().catch((error: unknown) => {
  process.stderr.write(`${reasonOf(error)}\n`)
  process.exit(1)
})
