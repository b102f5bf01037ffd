import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import path from "node:path"
import { setImmediate, setTimeout as sleep } from "node:timers/promises"
import { promisify } from "node:util"
import pg from "pg"
import { beforeEach, expect, it, onTestFinished, vi } from "vitest"
import { tempFolder } from "@/test/temp-folder"
import { type EmbeddedPostgres, startEmbedded } from "./embedded"
import { isPostgres, type Postmaster, readPostmaster } from "./postmaster"

let dir: string
beforeEach(() => {
  dir = tempFolder()
})

async function answers({ config }: EmbeddedPostgres): Promise<boolean> {
  const client = new pg.Client(config)
  await client.connect()
  const { rowCount } = await client.query("SELECT 1")
  await client.end()
  return rowCount === 1
}

/** Kills a backend, so that PostgreSQL ends every connection and recovers. */
async function crashBackend(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(config)
  client.on("error", () => {})
  await client.connect()
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid")
  const ended = new Promise((resolve) => client.once("end", resolve))
  process.kill(rows[0].pid, "SIGKILL")
  await ended
}

it("is created completely or not at all, and only once by concurrent starts", async () => {
  const pgdata = path.join(dir, "postgres")
  const starting = Promise.all([startEmbedded(dir, "command"), startEmbedded(dir, "command")])
  while (!existsSync(pgdata)) await setImmediate()
  const whole = ["PG_VERSION", "global/pg_control", "base/5/PG_VERSION", "pg_hba.conf"]
  expect(whole.filter((file) => !existsSync(path.join(pgdata, file)))).toEqual([])
  const [first, second] = await starting
  expect(await answers(first)).toBe(true)
  await first.release()
  expect(await answers(second)).toBe(true)
  await second.release()
  expect((await readdir(dir)).filter((name) => name.startsWith("postgres"))).toEqual(["postgres", "postgres.log"])
  expect((await stat(path.join(dir, "postgres.log"))).mode & 0o777).toBe(0o600)
})

it("lets one process attach while the last one detaches", async () => {
  let here = await startEmbedded(dir, "command")
  for (let i = 0; i < 5; i++) {
    const [next] = await Promise.all([startEmbedded(dir, "command"), here.release()])
    expect(await answers(next)).toBe(true)
    here = next
  }
  await here.release()
})

it("is stopped by the last process that detaches, also while it recovers from a crash", async () => {
  const here = await startEmbedded(dir, "command")
  await crashBackend(here.config)
  // The clock does not advance, because the recovery may take longer than the 5 s for which a process retries to detach.
  const clock = vi.spyOn(performance, "now").mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  await here.release()
  expect(existsSync(path.join(dir, "postgres/postmaster.pid"))).toBe(false)
})

// Recovery that finds `recovery.signal` runs this command, which takes as long as the file `hold` exists.
const RECOVERY = ["restore_command=while [ -e hold ]; do sleep 0.1; done; false"]

/** Lets the next recovery of PostgreSQL take until the returned function is called. */
async function holdRecovery(): Promise<() => Promise<void>> {
  const hold = path.join(dir, "postgres/hold")
  for (const file of [hold, path.join(dir, "postgres/recovery.signal")]) await writeFile(file, "")
  return () => rm(hold)
}

function newAbort(): { signal: AbortSignal; abort(): void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort(new Error("aborted by a test")) }
}

/** Records what is written to standard error. Returns it, and a function that moves the clock ahead. */
function observe() {
  let aheadMs = 0
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now() + aheadMs)
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true)
  onTestFinished(() => [clock, stderr].forEach((spy) => void spy.mockRestore()))
  const written = () => stderr.mock.calls.map(([text]) => text)
  const advance = (ms: number) => {
    aheadMs += ms
  }
  return { written, advance }
}

const waiting = () =>
  `Waiting for PostgreSQL, which may be recovering from a crash. Its log is ${path.join(dir, "postgres.log")}\n`

const postmaster = () => readPostmaster(path.join(dir, "postgres"))

it("waits for a PostgreSQL that recovers for an hour, and reports that every minute", async () => {
  await (await startEmbedded(dir, "command")).release()
  const finishRecovery = await holdRecovery()
  const { written, advance } = observe()
  const starting = startEmbedded(dir, "command", RECOVERY)
  starting.catch(() => {})
  await expect.poll(postmaster).toMatchObject({ ready: false })
  advance(3_600_000)
  await expect.poll(written).toEqual([waiting()])
  advance(30_000)
  await sleep(200)
  expect(written()).toEqual([waiting()])
  advance(30_000)
  await expect.poll(written).toEqual([waiting(), waiting()])
  await finishRecovery()
  const here = await starting
  expect(await answers(here)).toBe(true)
  await here.release()
})

it("gives up a PostgreSQL that keeps ending while it recovers, after 20 s", async () => {
  await (await startEmbedded(dir, "command")).release()
  await holdRecovery()
  const { advance } = observe()
  const timer = setInterval(async () => {
    advance(1_000)
    const starting = await postmaster()
    if (starting && isPostgres(starting.pid)) process.kill(starting.pid, "SIGKILL")
  }, 100)
  onTestFinished(() => clearInterval(timer))
  await expect(startEmbedded(dir, "command", RECOVERY)).rejects.toThrow(/^pg_ctl failed(?:: .+)?\. See /)
})

it("attaches to a PostgreSQL that recovers for an hour after the crash of a backend", async () => {
  const first = await startEmbedded(dir, "command", RECOVERY)
  const finishRecovery = await holdRecovery()
  await crashBackend(first.config)
  const { written, advance } = observe()
  const attaching = startEmbedded(dir, "command")
  attaching.catch(() => {})
  const reportsLater = () => {
    advance(60_000)
    return written().length
  }
  await expect.poll(reportsLater).toBeGreaterThan(5)
  await finishRecovery()
  const second = await attaching
  expect(await answers(second)).toBe(true)
  await Promise.all([first.release(), second.release()])
})

/** Returns the PostgreSQL that recovers. */
async function recovering(): Promise<Postmaster> {
  await expect.poll(postmaster).toMatchObject({ ready: false })
  const found = await postmaster()
  if (!found) throw new Error("PostgreSQL ended")
  return found
}

it.each([
  ["soon", () => Promise.resolve()],
  [
    "after `pg_ctl` gave up",
    () => expect.poll(() => readFile(path.join(dir, "postgres.log"), "utf8")).toContain("did not start in time"),
  ],
])("an aborted start stops the PostgreSQL that it started, %s", async (_when, moment) => {
  await (await startEmbedded(dir, "command")).release()
  await holdRecovery()
  const { signal, abort } = newAbort()
  const starting = startEmbedded(dir, "server", RECOVERY, signal)
  starting.catch(() => {})
  const { pid } = await recovering()
  await moment()
  abort()
  await expect(starting).rejects.toThrow("aborted by a test")
  expect(isPostgres(pid)).toBe(false)
  expect(await postmaster()).toBeNull()
})

it("an aborted start leaves a PostgreSQL alone that another process started", async () => {
  const first = await startEmbedded(dir, "command", RECOVERY)
  const finishRecovery = await holdRecovery()
  await crashBackend(first.config)
  const { pid } = (await postmaster()) as Postmaster
  const { signal, abort } = newAbort()
  const { written, advance } = observe()
  const attaching = startEmbedded(dir, "server", [], signal)
  attaching.catch(() => {})
  const reportsLater = () => {
    advance(60_000)
    return written()[0]
  }
  await expect.poll(reportsLater).toBe(waiting())
  abort()
  await expect(attaching).rejects.toThrow("aborted by a test")
  expect(isPostgres(pid)).toBe(true)
  await finishRecovery()
  await first.release()
})

it("runs in a folder of any name", async () => {
  const here = await startEmbedded(path.join(dir, "it's ours, naïve"), "command")
  expect(await answers(here)).toBe(true)
  await here.release()
})

it("git clean -fdx keeps a DATA_DIR that the repository ignores, and its database works", async () => {
  const git = async (...args: string[]) => {
    const running = promisify(execFile)("git", args, { cwd: dir })
    await running.catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? new Error("git is missing. Install the Debian package git") : error
    })
  }
  await git("init", "-q")
  await writeFile(path.join(dir, ".gitignore"), "data/\nbuild.log\n")
  await writeFile(path.join(dir, "build.log"), "")
  const dataDir = path.join(dir, "data")
  await (await startEmbedded(dataDir, "command")).release()

  await git("clean", "-fdx")
  expect(existsSync(path.join(dataDir, "postgres/PG_VERSION"))).toBe(true)
  expect(existsSync(path.join(dir, "build.log"))).toBe(false)
  const again = await startEmbedded(dataDir, "command")
  expect(await answers(again)).toBe(true)
  await again.release()

  // The second f asks for exactly that.
  await git("clean", "-ffdx")
  expect(existsSync(dataDir)).toBe(false)
})
