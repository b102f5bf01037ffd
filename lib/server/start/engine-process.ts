import { rmSync } from "node:fs"
import type { Server } from "node:http"
import { constants } from "node:os"
import path from "node:path"
import { createEngineServer, type EngineSettings, startFailureOf } from "@/lib/server/engines/own/engine-program"
import { lowerProcessPriority } from "@/lib/server/platform/lower-priority"
import type { StartMessage } from "./supervised-process"

/** What the server sends to the engine's process. */
export interface ToEngine {
  type: "start"
  settings: EngineSettings
  socketPath: string
}

const send = (message: StartMessage): void => void process.send?.(message)

/** The folder of the socket, which no other process uses. */
let folder: string | null = null

/** The API comes first when both want the processor. */
const lowerPriority = (): void => lowerProcessPriority(constants.priority.PRIORITY_BELOW_NORMAL)

async function listen(server: Server, socketPath: string): Promise<void> {
  // An engine that was killed leaves its socket behind.
  rmSync(socketPath, { force: true })
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(socketPath, resolve))
}

async function start({ settings, socketPath }: ToEngine): Promise<void> {
  folder = path.dirname(socketPath)
  const server = await createEngineServer(settings)
  lowerPriority()
  await listen(server, socketPath)
  send({ type: "ready" })
}

process.on("message", (message: ToEngine) => {
  start(message).catch((error: unknown) => send({ type: "failed", reason: startFailureOf(error) }))
})
// A terminal signals every process of the group. The server stops this one after the last response.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
// Also happens when the server was killed. Threads that compute would delay an ordinary exit.
process.on("disconnect", () => {
  if (folder) rmSync(folder, { recursive: true, force: true })
  process.kill(process.pid, "SIGKILL")
})
// Applies to the threads that exist now and those that they start. On the processor, the model computes in threads that Node's start.
lowerPriority()
