import * as fs from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const HEARTBEAT_MS = 2_000
/** A holder touches its file more often, so an older one was left by a process that was killed. */
const STALE_MS = 20_000
const POLL_MS = 200

async function isStale(file: string): Promise<boolean> {
  const stat = await fs.stat(file).catch(() => null)
  return stat !== null && Date.now() - stat.mtimeMs > STALE_MS
}

async function create(file: string): Promise<boolean> {
  try {
    await fs.writeFile(file, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    return false
  }
}

/** Removes a stale lock. One process does so at a time: another one would remove the lock of the process that takes it next. */
async function removeStale(file: string): Promise<void> {
  const guard = `${file}.stale`
  if (await isStale(guard)) await fs.rm(guard, { force: true })
  if (!(await create(guard))) return
  if (await isStale(file)) await fs.rm(file, { force: true })
  await fs.rm(guard, { force: true })
}

async function take(file: string): Promise<boolean> {
  if (await create(file)) return true
  if (!(await isStale(file))) return false
  await removeStale(file)
  return create(file)
}

/** Releases the lock, unless it was stale for another process, which holds it now. */
async function release(file: string): Promise<void> {
  const holder = await fs.readFile(file, "utf8").catch(() => "")
  if (holder === String(process.pid)) await fs.rm(file, { force: true })
}

interface LockOptions {
  /** Called once before the first delay. */
  onWait(): void
  /** Ends the wait. */
  signal?: AbortSignal
}

/** Runs `work` while no other process does so in this folder, which is created. */
export async function withFolderLock<T>(
  folder: string,
  { onWait, signal }: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  await fs.mkdir(folder, { recursive: true })
  const file = path.join(folder, ".lock")
  for (let waits = 0; !(await take(file)); waits++) {
    if (waits === 0) onWait()
    await sleep(POLL_MS, undefined, { signal })
  }
  const heartbeat = setInterval(() => {
    const now = new Date()
    fs.utimes(file, now, now).catch(() => {})
  }, HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    await release(file)
  }
}
