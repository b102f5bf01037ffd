import fs from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { DIST } from "./project.mjs"

const LOCK = path.join(DIST, ".lock")
const BEAT_MS = 2_000
const STALE_MS = 20_000

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

/** A holder that was killed leaves its file behind; its pid may be another program's by now, so the file also has to beat. */
async function isHeld() {
  const [text, stat] = await Promise.all([fs.readFile(LOCK, "utf8"), fs.stat(LOCK)]).catch(() => [null, null])
  if (stat === null) return false
  return Date.now() - stat.mtimeMs < STALE_MS && (text === "" || isAlive(Number(text)))
}

async function take() {
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

/** Installing and building happen once when several commands start at the same time: the others wait here. */
export async function alone(work) {
  let told = false
  while (!(await take())) {
    if (!told) process.stderr.write("Another command is installing or building; waiting for it…\n")
    told = true
    await sleep(200)
  }
  const beat = setInterval(() => fs.utimes(LOCK, new Date(), new Date()).catch(() => {}), BEAT_MS)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await fs.rm(LOCK, { force: true })
  }
}
