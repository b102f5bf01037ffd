import fs from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { DIST } from "./project.mjs"

const LOCK = path.join(DIST, ".lock")
const HEARTBEAT_MS = 2_000
const STALE_MS = 20_000

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

/**
 * Returns whether no live process holds a lock file. A killed process leaves its lock file behind, and another program may
 * reuse its pid. The holder therefore also touches the file every 2 seconds.
 */
async function isStale(file) {
  const [text, stat] = await Promise.all([fs.readFile(file, "utf8"), fs.stat(file)]).catch(() => [null, null])
  if (stat === null) return false
  return Date.now() - stat.mtimeMs >= STALE_MS || (text !== "" && !isAlive(Number(text)))
}

async function create(file) {
  try {
    await fs.writeFile(file, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    return false
  }
}

/** Removes a stale lock. One command does so at a time: another one would remove the lock of the command that takes it next. */
async function removeStale() {
  const guard = `${LOCK}.stale`
  if (await isStale(guard)) await fs.rm(guard, { force: true })
  if (!(await create(guard))) return
  if (await isStale(LOCK)) await fs.rm(LOCK, { force: true })
  await fs.rm(guard, { force: true })
}

async function takeLock() {
  await fs.mkdir(DIST, { recursive: true })
  if (await create(LOCK)) return true
  if (!(await isStale(LOCK))) return false
  await removeStale()
  return create(LOCK)
}

/** Releases the lock, unless another command found it stale and holds it now. */
async function release() {
  const holder = await fs.readFile(LOCK, "utf8").catch(() => "")
  if (holder === String(process.pid)) await fs.rm(LOCK, { force: true })
}

/** Runs `work` while no other command installs or builds. Commands that start at the same time wait here. */
export async function withLock(work) {
  let isAnnounced = false
  while (!(await takeLock())) {
    if (!isAnnounced) process.stderr.write("Another command is installing or building; waiting for it…\n")
    isAnnounced = true
    await sleep(200)
  }
  const heartbeat = setInterval(() => fs.utimes(LOCK, new Date(), new Date()).catch(() => {}), HEARTBEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(heartbeat)
    await release()
  }
}
