import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { inject } from "vitest"
import { freePort } from "./free-port"

const READY_WITHIN_MS = 50_000

export interface ServerProcess {
  url: string
  pid: number
  written(): string
  ended: Promise<number | null>
  signal(name: NodeJS.Signals): void
}

interface Launched {
  server: ServerProcess
  child: ChildProcess
}

/** Launches the bundled `server.ts` as the API, in its own process. */
async function launch(settings: Record<string, string>, node = process.execPath): Promise<Launched> {
  const port = settings.PORT ?? (await freePort())
  const child = spawn(node, [path.join(inject("programs"), "server.js")], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      SERVE: "api",
      PORT: String(port),
      AUTH_SECRET: "a-secret-for-tests-of-32-characters",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let written = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => {
      written += chunk
    })
  const ended = once(child, "close").then(([code]) => code as number | null)
  const url = `http://127.0.0.1:${port}`
  const signal = (name: NodeJS.Signals) => void child.kill(name)
  return { server: { url, pid: child.pid ?? 0, written: () => written, ended, signal }, child }
}

/** Launches the API, and does not wait until it is ready. */
export const launchServer = async (settings: Record<string, string>): Promise<ServerProcess> =>
  (await launch(settings)).server

/** Starts the API on an existing database, with this Node unless another is given. Rejects when it is not ready in time. */
export async function startServer(
  databaseUrl: string,
  settings: Record<string, string> = {},
  readyWithinMs = READY_WITHIN_MS,
  node?: string,
): Promise<ServerProcess> {
  const { server, child } = await launch({ DATABASE_URL: databaseUrl, ...settings }, node)
  for (const until = Date.now() + readyWithinMs; ; await sleep(50)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`the server did not start: ${server.written()}`)
    const isReady = await fetch(`${server.url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return server
  }
}
