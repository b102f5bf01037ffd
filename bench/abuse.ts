/**
 * Attacks the built service from this machine and measures paid requests before, during and after each attack, in one run.
 * `ATTACKS="slowloris,page flood"` selects some.
 *
 * The attacker, this program and the service run at the same priority in the same session, and share the processors with each
 * other and PostgreSQL. Times include the client's own: what the attacker takes from this program counts against the service.
 */
import { availableParallelism, loadavg } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { insertKeys } from "./support/accounts"
import { type BuiltService, startService } from "./support/built-service"
import { quantile } from "./support/load"
import { cpuMicros, familyOf, memoryMiB } from "./support/machine"
import { type Answered, Probe } from "./support/probe"
import { runHelper } from "./support/processes"

const QUIET_MS = 5_000
const ATTACK_MS = 10_000
const PER_SECOND = 20
const RECOVERED_WITHIN_MS = 30_000
/** The maximum p99 of paid requests during an attack: this or `MAX_RATIO` times the quiet p99, whichever is larger. */
const MAX_P99_MS = 60
const MAX_RATIO = 4

const p = (list: Answered[], q: number): number =>
  quantile(
    list.map(({ ms }) => ms),
    q,
  )
const memoryOf = (pid: number): number =>
  familyOf(pid).reduce((sum, one) => {
    try {
      return sum + memoryMiB(one, "VmRSS")
    } catch {
      return sum
    }
  }, 0)

/** Watches the memory of the service's processes until it is stopped. Returns the peak in MiB. */
function watchMemory(pid: number): () => number {
  let peak = memoryOf(pid)
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid))
  }, 250)
  return () => {
    clearInterval(timer)
    return peak
  }
}

/** Samples the processor time of each part every 500 ms. The returned function stops it and returns the cores used, as text. */
function watchCores(service: BuiltService, attacker: number): () => string {
  const parts: Record<string, () => number[]> = {
    server: () => [service.pid],
    console: () => familyOf(service.pid).slice(1),
    PostgreSQL: () => familyOf(service.postgresPid),
    attacker: () => [attacker],
  }
  const read = () => Object.entries(parts).map(([name, pids]) => ({ name, micros: cpuMicros(pids()) }))
  const [before, startedAt] = [read(), performance.now()]
  let last = before
  let lastAt = startedAt
  const timer = setInterval(() => {
    last = read()
    lastAt = performance.now()
  }, 500)
  return () => {
    clearInterval(timer)
    const micros = (lastAt - startedAt) * 1_000
    return last
      .map(({ name, micros: now }, i) => `${name} ${((now - (before[i]?.micros ?? 0)) / micros).toFixed(2)}`)
      .join(", ")
  }
}

/** Waits until ten requests in a row take at most twice the quiet p99. Returns the milliseconds; null after 30 s. */
async function untilRecovered(probe: Probe, quietP99: number): Promise<number | null> {
  const from = performance.now()
  while (performance.now() - from < RECOVERED_WITHIN_MS) {
    await sleep(100)
    const last = probe.between(from, Number.POSITIVE_INFINITY).slice(-10)
    if (last.length === 10 && last.every(({ ms, isLost }) => !isLost && ms <= 2 * quietP99))
      return Math.max(0, performance.now() - from - (10 * 1_000) / PER_SECOND)
  }
  return null
}

async function measure(service: BuiltService, key: string, attack: string): Promise<boolean> {
  const probe = new Probe(service.port, key, PER_SECOND)
  const startedAt = performance.now()
  await sleep(QUIET_MS)
  const attacker = runHelper("attack", attack, service.port, key, ATTACK_MS)
  await attacker.begun
  const attackedAt = performance.now()
  const [peak, cores] = [watchMemory(service.pid), watchCores(service, attacker.pid)]
  await attacker.printed
  const endedAt = performance.now()
  const used = cores()
  const quiet = probe.between(startedAt, attackedAt)
  const recoveredMs = await untilRecovered(probe, p(quiet, 0.99))
  const afterAt = performance.now()
  await sleep(QUIET_MS)
  probe.stop()
  await probe.settled()
  const during = probe.between(attackedAt, endedAt)
  const after = probe.between(afterAt, Number.POSITIVE_INFINITY)
  const lost = probe.answered.filter(({ isLost }) => isLost).length
  const limit = Math.max(MAX_P99_MS, MAX_RATIO * p(quiet, 0.99))
  const isMet = lost === 0 && p(during, 0.99) <= limit
  const pair = (list: Answered[]) => `${p(list, 0.5).toFixed(0)} / ${p(list, 0.99).toFixed(0)}`.padStart(13)
  console.log(
    [
      attack.padEnd(20),
      pair(quiet),
      pair(during),
      pair(after),
      `${(p(during, 0.99) / p(quiet, 0.99)).toFixed(1)}×`.padStart(7),
      String(lost).padStart(5),
      `${peak().toFixed(0)} MiB`.padStart(10),
      (recoveredMs === null ? "over 30 s" : `${(recoveredMs / 1_000).toFixed(1)} s`).padStart(10),
      isMet ? "  met    " : "  not met",
      `  ${used}`,
    ].join(" "),
  )
  return isMet
}

const all: string[] = JSON.parse(await runHelper("attack", "list").printed)
const chosen = process.env.ATTACKS?.split(",") ?? all
const service = await startService({ LOG_LEVEL: "silent" })
try {
  const [key = ""] = await insertKeys(service.dataDir, 1)
  // Warm up, so that the first quiet window does not measure the compiler.
  const warm = new Probe(service.port, key, PER_SECOND)
  for (const path of ["/", "/docs", "/models", "/sign-in"]) await fetch(`http://127.0.0.1:${service.port}${path}`)
  await sleep(QUIET_MS)
  warm.stop()
  console.log(
    `${availableParallelism()} processors, load ${(loadavg()[0] ?? 0).toFixed(1)}; p50 / p99 in ms; memory of all processes; cores used during the attack`,
  )
  console.log("attack                      before        during         after   ratio  lost       peak  recovered")
  for (const attack of chosen) if (!(await measure(service, key, attack))) process.exitCode = 1
} finally {
  await service.stop()
}
