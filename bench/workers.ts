/**
 * Compares the requests per second of one process with those of API workers (`API_WORKERS`) on the whole machine. The load and the
 * engine share its processors, so their part of the processor time is stated. WORKERS sets the numbers of workers, ROUNDS that of
 * the rounds.
 */
import { availableParallelism } from "node:os"
import { insertKeys } from "./support/accounts"
import { type BuiltService, startService } from "./support/built-service"
import { postOf } from "./support/connection"
import { Load, median, quantile } from "./support/load"
import { cpuMicros, familyOf } from "./support/machine"
import { type Started, startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const COUNTS = (process.env.WORKERS || "1,2").split(",").map(Number)
const ROUNDS = Number(process.env.ROUNDS || 4)
const ACCOUNTS = 16
const WARM_MS = 5_000
const STEP_MS = 2_000
const CLIENTS = [8, 16, 32, 64]

interface Step {
  perSecond: number
  p99: number
  /** Processor time in microseconds per request, by program. */
  cpu: Record<string, number>
}

interface Measured {
  workers: number
  service: BuiltService
  load: Load
  steps: Map<number, Step[]>
}

async function start(workers: number, engine: Started): Promise<Measured> {
  const settings = { ENGINE_URL: `http://127.0.0.1:${engine.port}`, LOG_LEVEL: "info", API_WORKERS: String(workers) }
  const service = await startService(settings)
  const tokens = await insertKeys(service.dataDir, ACCOUNTS)
  const request = (n: number) =>
    postOf("/v1/decisions", decisionBody(n), { authorization: `Bearer ${tokens[n % tokens.length]}` })
  return { workers, service, load: new Load(service.port, request), steps: new Map() }
}

/** Returns the processor time of each program so far. The server's includes its workers and the console's process, which is idle. */
const cpuNow = ({ pid, postgresPid }: BuiltService, engine: Started): Record<string, number> => ({
  server: cpuMicros(familyOf(pid)),
  postgres: cpuMicros(familyOf(postgresPid)),
  engine: cpuMicros([engine.pid]),
  load: cpuMicros([process.pid]),
})

async function measure({ service, load }: Measured, engine: Started, clients: number): Promise<Step> {
  const before = cpuNow(service, engine)
  const { times, seconds } = await load.closed(clients, STEP_MS)
  const cpu = Object.entries(cpuNow(service, engine)).map(([program, micros]): [string, number] => [
    program,
    (micros - (before[program] ?? 0)) / times.length,
  ])
  return { perSecond: times.length / seconds, p99: quantile(times, 0.99), cpu: Object.fromEntries(cpu) }
}

/** Prints the median of each number of clients. `load` and `engine` are not part of the service. */
function print({ workers, steps }: Measured): void {
  console.log(`\n${workers === 1 ? "One process" : `${workers} workers`}`)
  for (const [clients, measured] of steps) {
    const middle = (read: (step: Step) => number) => median(measured.map(read))
    const cpu = ["server", "postgres", "engine", "load"].map((program): [string, number] => [
      program,
      middle((step) => step.cpu[program] ?? 0),
    ])
    const all = cpu.reduce((sum, [, micros]) => sum + micros, 0)
    const perSecond = middle((step) => step.perSecond)
    const used = (all * perSecond) / 1_000_000
    const shares = cpu.map(
      ([program, micros]) => `${program} ${micros.toFixed(0)} (${((100 * micros) / all).toFixed(0)} %)`,
    )
    console.log(
      `  ${String(clients).padStart(3)} clients  ${perSecond.toFixed(0).padStart(5)}/s  p99 ${middle((step) => step.p99).toFixed(1)} ms  ` +
        `CPU µs per request: ${shares.join(", ")}; ${used.toFixed(2)} of ${availableParallelism()} processors in use`,
    )
  }
}

const engine = await startHelper("engine-double")
const started: Measured[] = []
try {
  for (const workers of COUNTS) started.push(await start(workers, engine))
  for (const { load } of started) await load.closed(16, WARM_MS)
  for (let round = 0; round < ROUNDS; round++)
    for (const one of round % 2 ? started.toReversed() : started)
      for (const clients of CLIENTS)
        one.steps.set(clients, [...(one.steps.get(clients) ?? []), await measure(one, engine, clients)])
  for (const one of started) print(one)
} finally {
  for (const { service } of started) await service.stop()
  await engine.stop()
}
