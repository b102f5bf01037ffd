import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { BadSetting, programEnv } from "@/lib/server/platform/env"
import { postgresBinaries } from "./binaries"
import { commandAs, type OsUser, postgresUser } from "./os-user"
import { forgetPostmaster, isPostgres, type Postmaster, readPostmaster, refuseCopy, stopPostmaster } from "./postmaster"

const LONGEST_SOCKET_PATH = 100
// Paths that need no quoting in pg_ctl's shell or in a list of socket folders.
const PLAIN_PATH = /^[\w/. +@=-]+$/
/** How long `pg_ctl` waits. A PostgreSQL that is not ready by then keeps starting. */
const START_S = 3
/** How long a failed start is retried. */
export const RETRY_START_MS = 20_000

/** The name of PostgreSQL's log in the data folder. It can quote statements. */
export const POSTGRES_LOG = "postgres.log"

/** Where the embedded PostgreSQL of a data folder is, and how it is started. */
export interface Cluster {
  pgdata: string
  logFile: string
  socketDir: string
  user: OsUser | null
  /** Overrides of PostgreSQL's settings, such as `fsync=off`. */
  overrides: string[]
}

/**
 * Makes the folder look like a repository of its own if it lies within one. `git clean -fdx` deletes ignored folders but skips
 * repositories; only `-ff` deletes them too.
 */
async function guardFromGit(root: string): Promise<void> {
  let parent = path.dirname(root)
  while (!existsSync(path.join(parent, ".git")) && parent !== path.dirname(parent)) parent = path.dirname(parent)
  const marker = path.join(root, ".git")
  if (!existsSync(path.join(parent, ".git")) || existsSync(path.join(marker, "HEAD"))) return
  for (const folder of ["objects", "refs"]) await fs.mkdir(path.join(marker, folder), { recursive: true })
  await fs.writeFile(path.join(marker, "HEAD"), "ref: refs/heads/data\n")
}

/** Returns the cluster of a data folder, which is created if it is missing. */
export async function locate(dataDir: string, overrides: string[]): Promise<Cluster> {
  const root = path.resolve(dataDir)
  await fs.mkdir(root, { recursive: true, mode: 0o700 })
  await guardFromGit(root)
  const fits = `${root}/.s.PGSQL.5432`.length <= LONGEST_SOCKET_PATH && PLAIN_PATH.test(root)
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 16)
  return {
    pgdata: path.join(root, "postgres"),
    logFile: path.join(root, POSTGRES_LOG),
    socketDir: fits ? root : path.join(os.tmpdir(), `svcd-${digest}`),
    user: postgresUser(),
    overrides,
  }
}

/**
 * Throws `BadSetting` when the folder's files are of another major version of PostgreSQL than the one that npm installed, which cannot read
 * them.
 */
export async function refuseOtherMajor({ pgdata }: Cluster): Promise<void> {
  const version = await fs.readFile(path.join(pgdata, "PG_VERSION"), "utf8").catch(() => null)
  if (version === null) return
  const { major } = await postgresBinaries()
  if (version.trim() === major) return
  throw new BadSetting(
    `DATA_DIR holds files of PostgreSQL ${version.trim()}, and this version of the service has PostgreSQL ${major}. Run "operator backup create" with the version that used this folder, then "operator backup restore" into a new folder with this one`,
  )
}

/** PostgreSQL's own program failed, for a reason of this machine. The message is one line that names it. */
export class DatabaseProgramFailed extends Error {}

/** Returns the first error that was written into a log from a position on, such as a full disk, after a colon. Empty without one. */
async function firstError(file: string, from: number): Promise<string> {
  const log = await fs.readFile(file).catch(() => Buffer.alloc(0))
  const found = /(?:error|FATAL|PANIC):\s*(.+)/.exec(log.subarray(from).toString("utf8"))
  return found ? `: ${found[1]}` : ""
}

/** Runs a program of PostgreSQL until it ends or `signal` aborts. */
async function run(cluster: Cluster, command: string, args: string[], signal?: AbortSignal): Promise<void> {
  const [file, argv] = commandAs(cluster.user, command, args)
  const log = await fs.open(cluster.logFile, "a", 0o600)
  const { size } = await log.stat()
  let interrupt = () => {}
  try {
    signal?.throwIfAborted()
    const child = spawn(file, argv, { stdio: ["ignore", log.fd, log.fd], detached: true, env: programEnv() })
    // `initdb` then deletes its files, and `pg_ctl` stops the PostgreSQL that it is starting.
    interrupt = () => void child.kill("SIGINT")
    signal?.addEventListener("abort", interrupt)
    const code = await new Promise<number>((resolve, reject) => {
      child.once("error", reject)
      child.once("exit", (exitCode) => resolve(exitCode ?? 1))
    })
    if (code !== 0)
      throw new DatabaseProgramFailed(
        `${path.basename(command)} failed${await firstError(cluster.logFile, size)}. See ${cluster.logFile}`,
      )
  } finally {
    signal?.removeEventListener("abort", interrupt)
    await log.close()
  }
}

async function makePrivateDir(cluster: Cluster, dir: string): Promise<void> {
  await fs.mkdir(dir, { recursive: true, mode: 0o700 })
  if (cluster.user) await fs.chown(dir, cluster.user.uid, cluster.user.gid)
}

/** Creates the cluster under a temporary name and renames it, because an incomplete cluster could never be started. */
async function init(cluster: Cluster, initdb: string, signal?: AbortSignal): Promise<void> {
  const draft = await fs.mkdtemp(`${cluster.pgdata}-new-`)
  try {
    if (cluster.user) await fs.chown(draft, cluster.user.uid, cluster.user.gid)
    const access = ["-U", "svcd", "--auth-local=trust", "--auth-host=reject"]
    const locale = ["--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
    await run(cluster, initdb, ["-D", draft, ...access, ...locale, "--no-instructions"], signal)
    await fs.rename(draft, cluster.pgdata).catch((error: NodeJS.ErrnoException) => {
      // Another process created it meanwhile.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error
    })
  } finally {
    await fs.rm(draft, { recursive: true, force: true })
  }
}

async function boot(cluster: Cluster, signal?: AbortSignal): Promise<void> {
  const { initdb, pgCtl } = await postgresBinaries()
  if (!existsSync(path.join(cluster.pgdata, "PG_VERSION"))) await init(cluster, initdb, signal)
  if (path.dirname(cluster.pgdata) !== cluster.socketDir) await makePrivateDir(cluster, cluster.socketDir)
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${cluster.socketDir}`,
    "unix_socket_permissions=0700",
    "max_connections=100",
    "shared_buffers=128MB",
    "log_min_messages=warning",
    "timezone=UTC",
    ...cluster.overrides,
  ]
  const options = settings.map((setting) => `-c '${setting}'`).join(" ")
  const start = ["start", "-s", "-w", "-t", String(START_S), "-D", cluster.pgdata, "-o", options]
  await run(cluster, pgCtl, start, signal)
}

/** Returns the PostgreSQL that runs on the cluster. Removes the pid file that a killed one left. */
async function findRunning({ pgdata }: Cluster): Promise<Postmaster | null> {
  const found = await readPostmaster(pgdata)
  if (!found) return null
  await refuseCopy(pgdata, found)
  if (isPostgres(found.pid)) return found
  await forgetPostmaster(pgdata)
  return null
}

interface EnsureOptions {
  /** Aborts when the cluster is no longer wanted. */
  signal?: AbortSignal
  /** Called again and again while PostgreSQL runs but is not ready. A failure ends the wait. */
  onNotReady?(): Promise<void>
}

/**
 * Returns the running cluster, or starts it. If several processes start it at once, PostgreSQL's pid file lets one succeed. Waits
 * for as long as PostgreSQL recovers. A failed start is retried for 20 s, because the backends of a killed PostgreSQL keep their
 * shared memory for a moment. Throws after that. When `signal` aborts, or `onNotReady` fails, stops a PostgreSQL that this call started and throws.
 */
export async function ensureRunning(
  cluster: Cluster,
  { signal, onNotReady = async () => {} }: EnsureOptions = {},
): Promise<Postmaster> {
  const notReady = new Error(`PostgreSQL did not become ready. See ${cluster.logFile}`)
  let failure: unknown = null
  let failedAt = 0
  let isStarter = false
  let ended: unknown = null
  while (!signal?.aborted && ended === null) {
    const running = await findRunning(cluster)
    if (running?.ready) return running
    if (running)
      await onNotReady().catch((error: unknown) => {
        ended = error
      })
    else if (failure && performance.now() - failedAt > RETRY_START_MS) throw failure
    else {
      isStarter = true
      failure = await boot(cluster, signal).then(
        () => notReady,
        (error: unknown) => error,
      )
      failedAt ||= performance.now()
    }
    await sleep(50)
  }
  const running = isStarter ? await findRunning(cluster) : null
  if (running) await stopPostmaster(running)
  throw ended ?? signal?.reason
}
