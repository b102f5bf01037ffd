/**
 * Compares the cost of a state in a batch of 64 with that of a single request: the processor time of the server and of PostgreSQL, and
 * the transactions of PostgreSQL. Both ask three questions about each state, in alternating rounds. ROUNDS sets the number of rounds.
 */
import { insertKeys, withRuntime } from "./support/accounts"
import { type BuiltService, startService } from "./support/built-service"
import { postOf } from "./support/connection"
import { Load, median } from "./support/load"
import { cpuMicros, familyOf } from "./support/machine"
import { startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = Number(process.env.ROUNDS || 7)
const STATES = 64
const WARM_MS = 8_000
const STEP_MS = 4_000

interface Way {
  name: string
  load: Load
  clients: number
  states: number
  costs: { server: number; postgres: number; transactions: number; perSecond: number }[]
}

function batchBody(n: number): string {
  const requests = Array.from({ length: STATES }, (_, i) => JSON.parse(decisionBody(n * STATES + i)))
  const { state: _, ...asked } = requests[0]
  return JSON.stringify({ ...asked, states: requests.map(({ state }) => state) })
}

/** Returns the transactions so far. A connection reports its own within a second after the last one. */
async function transactions({ dataDir }: BuiltService): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  return withRuntime(dataDir, async ({ pool }) => {
    const { rows } = await pool.query("SELECT sum(xact_commit)::int AS n FROM pg_stat_database")
    return rows[0].n
  })
}

async function measure(service: BuiltService, { load, clients, states, costs }: Way): Promise<void> {
  const cpu = () => ({ server: cpuMicros([service.pid]), postgres: cpuMicros(familyOf(service.postgresPid)) })
  const began = await transactions(service)
  const before = cpu()
  const { times, seconds } = await load.closed(clients, STEP_MS)
  const after = cpu()
  const answered = times.length * states
  costs.push({
    server: (after.server - before.server) / answered,
    postgres: (after.postgres - before.postgres) / answered,
    transactions: ((await transactions(service)) - began) / answered,
    perSecond: answered / seconds,
  })
}

function print([single, batch]: [Way, Way]): void {
  console.log(`Per state, medians of ${ROUNDS} alternating rounds of ${STEP_MS / 1_000} s`)
  for (const field of ["server", "postgres", "transactions", "perSecond"] as const) {
    const [one, other] = [single, batch].map(({ costs }) => median(costs.map((cost) => cost[field])))
    const ratio = median(batch.costs.map((cost, round) => cost[field] / (single.costs[round]?.[field] ?? Number.NaN)))
    const unit = {
      server: "µs of the server",
      postgres: "µs of PostgreSQL",
      transactions: "transactions",
      perSecond: "states/s",
    }
    const digits = field === "transactions" ? 3 : 0
    console.log(
      `  ${unit[field].padEnd(18)} ${single.name} ${one?.toFixed(digits)}   ${batch.name} ${other?.toFixed(digits)}   ratio ${ratio.toFixed(2)}`,
    )
  }
}

const engine = await startHelper("engine-double")
const service = await startService({ ENGINE_URL: `http://127.0.0.1:${engine.port}` })
try {
  const [token] = await insertKeys(service.dataDir, 1)
  const headers = { authorization: `Bearer ${token}` }
  const single = new Load(service.port, (n) => postOf("/v1/systemone", decisionBody(n), headers))
  const batch = new Load(service.port, (n) => postOf("/v1/systemone/batch", batchBody(n), headers))
  const ways: [Way, Way] = [
    { name: `${STATES} single requests`, load: single, clients: STATES, states: 1, costs: [] },
    { name: `a batch of ${STATES}`, load: batch, clients: 1, states: STATES, costs: [] },
  ]
  for (const { load, clients } of ways) await load.closed(clients, WARM_MS)
  for (let round = 0; round < ROUNDS; round++)
    for (const way of round % 2 ? ways.toReversed() : ways) await measure(service, way)
  print(ways)
} finally {
  await service.stop()
  await engine.stop()
}
