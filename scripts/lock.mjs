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
 * Returns whether a live process holds the lock. A killed process leaves its lock file behind, and another program may
 * reuse its pid. The holder therefore also touches the file every 2 seconds.
 */
async function isHeld() {
  const [text, stat] = await Promise.all([fs.readFile(LOCK, "utf8"), fs.stat(LOCK)]).catch(() => [null, null])
  if (stat === null) return false
  return Date.now() - stat.mtimeMs < STALE_MS && (text === "" || isAlive(Number(text)))
}

async function takeLock() {
  await fs.mkdir(DIST, { recursive: true })
  if (!(await isHeld())) await fs.rm(LOCK, { force: true })
  try {
    await fs.writeFile(LOCK, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
    return false
  }
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
    await fs.rm(LOCK, { force: true })
  }
}
