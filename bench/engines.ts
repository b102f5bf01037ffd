/**
 * Compares the requests per second of a model at one address with those at two. The engines limit the throughput: each computes a few
 * answers at once, which take fixed time. Then one of the two engines is killed under load. Any status but 200 ends the benchmark.
 * ROUNDS sets the number of rounds.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { changeEngine } from "@/lib/server/models/change-engine"
import { OPERATOR } from "@/lib/server/platform/actor"
import { FIRST_DECIDER } from "@/lib/shared/models/model-ids"
import { insertKeys, withRuntime } from "./support/accounts"
import { startService } from "./support/built-service"
import { postOf } from "./support/connection"
import { Load, median, quantile } from "./support/load"
import { startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = Number(process.env.ROUNDS || 4)
const ANSWER_MS = 100
const SLOTS = 4
const CLIENTS = 32
const WARM_MS = 3_000
const STEP_MS = 5_000
/** A process follows a changed address within a second, and then probes it. */
const SETTLE_MS = 2_500

const engines = [
  await startHelper("engine-double", ANSWER_MS, SLOTS),
  await startHelper("engine-double", ANSWER_MS, SLOTS),
]
const [first, second] = engines.map(({ port }) => `http://127.0.0.1:${port}`) as [string, string]
const service = await startService({ ENGINE_URL: first, LOG_LEVEL: "info" })
const change = async (how: "add" | "remove") => {
  await withRuntime(service.dataDir, (runtime) =>
    changeEngine(runtime, OPERATOR, { id: FIRST_DECIDER, url: second, how }),
  )
  await sleep(SETTLE_MS)
}
try {
  const tokens = await insertKeys(service.dataDir, CLIENTS)
  const request = (n: number) =>
    postOf("/v1/decisions", decisionBody(n), { authorization: `Bearer ${tokens[n % tokens.length]}` })
  const load = new Load(service.port, request)
  await load.closed(CLIENTS, WARM_MS)
  const rates = { one: [] as number[], two: [] as number[] }
  const measure = async (into: number[]) => {
    const { times, seconds } = await load.closed(CLIENTS, STEP_MS)
    into.push(times.length / seconds)
  }
  for (let round = 0; round < ROUNDS; round++) {
    await measure(rates.one)
    await change("add")
    await measure(rates.two)
    if (round < ROUNDS - 1) await change("remove")
  }
  const [one, two] = [median(rates.one), median(rates.two)]
  console.log(`  one address ${one.toFixed(1)}/s, two ${two.toFixed(1)}/s: ${(two / one).toFixed(2)} ×`)
  const running = load.closed(CLIENTS, STEP_MS)
  await sleep(STEP_MS / 2)
  process.kill(engines[1]?.pid ?? 0, "SIGKILL")
  const { times, seconds } = await running
  console.log(
    `  one of two killed: ${times.length} requests in ${seconds.toFixed(1)} s, all 200, the slowest took ${quantile(times, 1).toFixed(0)} ms`,
  )
} finally {
  await service.stop()
  for (const { stop } of engines) await stop()
}
