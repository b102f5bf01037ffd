import { spawn } from "node:child_process"
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

/** Starts the bundled `server.ts` as the API on an existing database, in its own process. Rejects when it is not ready in time. */
export async function startServer(
  databaseUrl: string,
  settings: Record<string, string> = {},
  readyWithinMs = READY_WITHIN_MS,
): Promise<ServerProcess> {
  const port = settings.PORT ?? (await freePort())
  const child = spawn(process.execPath, [path.join(inject("programs"), "server.js")], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      SERVE: "api",
      PORT: String(port),
      DATABASE_URL: databaseUrl,
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
  for (const until = Date.now() + readyWithinMs; ; await sleep(50)) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`the server did not start: ${written}`)
    const isReady = await fetch(`${url}/readyz`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady)
      return { url, pid: child.pid ?? 0, written: () => written, ended, signal: (name) => void child.kill(name) }
  }
}
