import fs from "node:fs/promises"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { DIST } from "./project.mjs"

const LOCK = path.join(DIST, ".lock")

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === "EPERM"
  }
}

async function take() {
  await fs.mkdir(DIST, { recursive: true })
  try {
    await fs.writeFile(LOCK, String(process.pid), { flag: "wx" })
    return true
  } catch (error) {
    if (error.code !== "EEXIST") throw error
  }
  const holder = Number(await fs.readFile(LOCK, "utf8").catch(() => ""))
  // An empty file is a holder that has not written its pid yet.
  if (holder && !isAlive(holder)) await fs.rm(LOCK, { force: true })
  return false
}

/** Installing and building happen once when several commands start at the same time: the others wait here. */
export async function alone(work) {
  let told = false
  while (!(await take())) {
    if (!told) process.stderr.write("Another command is installing or building; waiting for it…\n")
    told = true
    await sleep(200)
  }
  try {
    return await work()
  } finally {
    await fs.rm(LOCK, { force: true })
  }
}
