/**
 * Measures how fast `/status` is answered while PostgreSQL does not reply: the page that is kept for visitors, beside the page that is
 * rendered for each request with a cookie, in the same rounds. The kept page may take 50 ms at most.
 */
import { readFile } from "node:fs/promises"
import { loadavg } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { startService } from "./support/built-service"
import { quantile } from "./support/load"

const REQUESTS = 100
const PAUSE_MS = 100
const MAX_MS = 50

const service = await startService({})
const url = `http://127.0.0.1:${service.port}`

async function signal(name: NodeJS.Signals): Promise<void> {
  const pid = service.postgresPid
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")
  for (const each of [pid, ...children.trim().split(" ").filter(Boolean).map(Number)]) process.kill(each, name)
}

/** Returns how long the page takes until its last byte, in ms. */
async function ask(headers: Record<string, string>): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`${url}/status`, { headers })
  const text = await response.text()
  if (response.status !== 200 || !text.includes("Database down since")) throw new Error(`status ${response.status}`)
  return performance.now() - startedAt
}

const isDown = async () => (await (await fetch(`${url}/status`)).text()).includes("Database down since")

try {
  await (await fetch(`${url}/status`)).text()
  await signal("SIGSTOP")
  while (!(await isDown())) await sleep(1_000)
  const [rendered, kept]: [number[], number[]] = [[], []]
  for (let n = 0; n < REQUESTS; n++) {
    rendered.push(await ask({ cookie: "color_theme=system" }))
    await sleep(PAUSE_MS)
    kept.push(await ask({}))
    await sleep(PAUSE_MS)
  }
  const show = (times: number[]) =>
    `p50 ${quantile(times, 0.5).toFixed(1)}, p95 ${quantile(times, 0.95).toFixed(1)}, worst ${Math.max(...times).toFixed(1)} ms`
  const isMet = Math.max(...kept) <= MAX_MS
  console.log(`${REQUESTS} requests each, load ${(loadavg()[0] ?? 0).toFixed(1)}`)
  console.log(`rendered: ${show(rendered)}`)
  console.log(`kept: ${show(kept)}; at most ${MAX_MS} ms: ${isMet ? "met" : "not met"}`)
  if (!isMet) process.exitCode = 1
} finally {
  await signal("SIGCONT")
  await service.stop()
}
