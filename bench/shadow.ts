/**
 * Compares the durations of requests to the alias with and without a shadow, in alternating rounds. Requests arrive at a constant rate, and
 * the shadow takes SHARE of them, 5% unless given. Both engines are doubles that answer within 10 ms. ROUNDS sets the number of rounds,
 * RATE the requests per second. Fails when the median of the rounds' p50 is over 1.05 times, or that of p99 over 1.2 times.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { addModel } from "@/lib/server/models/add-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { endShadow, startShadow } from "@/lib/server/shadows/run-shadow"
import { findShadow } from "@/lib/server/shadows/shadow-report"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { insertKeys, withRuntime } from "./support/accounts"
import { type BuiltService, startService } from "./support/built-service"
import { postOf } from "./support/connection"
import { Load, median, quantile } from "./support/load"
import { startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = Number(process.env.ROUNDS || 7)
const RATE = Number(process.env.RATE || 100)
const SHARE = Number(process.env.SHARE || 0.05)
const WARM_MS = 8_000
const STEP_MS = 10_000
/** Every process follows a shadow, and its engine is probed, within this time. */
const FOLLOWED_MS = 3_000
const CANDIDATE = "candidate-1"
const LIMITS = { p50: 1.05, p99: 1.2 }

const ENGINE = ["10", "16"]

const addCandidate = ({ dataDir }: BuiltService, port: number) =>
  withRuntime(dataDir, () =>
    addModel(runtime(), OPERATOR, {
      ...{ id: CANDIDATE, engineUrl: `http://127.0.0.1:${port}`, engineModel: "kev-4b", pricePico: pico(1n) },
      ...{ tokenizerFolder: null, engine: "system-one", bothOrders: false },
    }),
  )

async function setShadow({ dataDir }: BuiltService, isOn: boolean): Promise<void> {
  const terms = { aliasId: ALIAS, toId: CANDIDATE, share: SHARE, until: null, budgetPico: null }
  await withRuntime(dataDir, () =>
    isOn
      ? startShadow(runtime(), OPERATOR, terms)
      : // None runs before the first round.
        endShadow(runtime(), OPERATOR, { aliasId: ALIAS }).catch(() => {}),
  )
  await sleep(FOLLOWED_MS)
}

interface Round {
  p50: number
  p99: number
}

async function measure(load: Load): Promise<Round> {
  const { times } = await load.arriving(RATE, STEP_MS)
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

function print(rounds: { without: Round; beside: Round }[]): void {
  console.log(
    `${RATE} requests/s, shadow of ${SHARE * 100}%, medians of ${ROUNDS} alternating rounds of ${STEP_MS / 1_000} s`,
  )
  for (const figure of ["p50", "p99"] as const) {
    const without = median(rounds.map((round) => round.without[figure]))
    const beside = median(rounds.map((round) => round.beside[figure]))
    const ratio = median(rounds.map((round) => round.beside[figure] / round.without[figure]))
    const isMet = ratio <= LIMITS[figure]
    if (!isMet) process.exitCode = 1
    console.log(
      `${isMet ? "met   " : "MISSED"} ${figure} ${without.toFixed(2)} ms without, ${beside.toFixed(2)} ms with, ratio ${ratio.toFixed(3)} (at most ${LIMITS[figure]})`,
    )
  }
}

const engine = await startHelper("engine-double", ...ENGINE)
const other = await startHelper("engine-double", ...ENGINE)
const service = await startService({ ENGINE_URL: `http://127.0.0.1:${engine.port}` })
try {
  const [token] = await insertKeys(service.dataDir, 1)
  await addCandidate(service, other.port)
  const headers = { authorization: `Bearer ${token}` }
  const load = new Load(service.port, (n) => postOf("/v1/decisions", decisionBody(n), headers))
  await load.closed(8, WARM_MS)
  const rounds: { without: Round; beside: Round }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await setShadow(service, round % 2 === 1)
    const first = await measure(load)
    await setShadow(service, round % 2 === 0)
    const second = await measure(load)
    rounds.push(round % 2 === 0 ? { without: first, beside: second } : { without: second, beside: first })
  }
  print(rounds)
  const last = await withRuntime(service.dataDir, () => findShadow(runtime(), OPERATOR, { aliasId: ALIAS }))
  console.log(`The last shadow: ${last?.answered} answered, ${last?.failed} failed, ${last?.skipped} not asked`)
} finally {
  await service.stop()
  await engine.stop()
  await other.stop()
}
