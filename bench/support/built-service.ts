import { spawn } from "node:child_process"
import { mkdtemp, open, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { freePort } from "../../test/free-port"
import { own, type Started, stop, untilReady } from "./processes"

/** The built service, as `npm start` runs it. It has its own data folder, which also holds its log file. */
export interface BuiltService extends Started {
  dataDir: string
  /** 0 with a `DATABASE_URL`. */
  postgresPid: number
}

const postmasterOf = async (dataDir: string): Promise<number> =>
  Number((await readFile(path.join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n")[0])

/** Starts the server that was built in `folder`, and waits until it and its engine are ready. */
export async function startService(
  settings: Record<string, string>,
  nodeArgs: string[] = [],
  folder = ".",
): Promise<BuiltService> {
  const port = await freePort()
  const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
  const log = await open(path.join(dataDir, "server.log"), "a")
  const child = own(
    spawn(process.execPath, [...nodeArgs, "dist/server.js"], {
      cwd: folder,
      env: { PATH: process.env.PATH, NODE_ENV: "production", PORT: String(port), DATA_DIR: dataDir, ...settings },
      stdio: ["ignore", "ignore", log.fd],
    }),
  )
  await log.close()
  const destroy = async () => {
    await stop(child)
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await untilReady(`http://127.0.0.1:${port}/readyz`, child, { passes: (body) => body.includes('"engine":"ok"') })
    const postgresPid = settings.DATABASE_URL ? 0 : await postmasterOf(dataDir)
    return { port, pid: child.pid ?? 0, stop: destroy, dataDir, postgresPid }
  } catch (error) {
    await destroy()
    throw error
  }
}
