/**
 * Compares the paid path with a bare relay and with Portkey's gateway, which keeps no accounts. Measures the latency that each
 * adds to the same engine, and the requests per second of one core. The accounting tax compares the paid path with itself when
 * its ledger does nothing. ROUNDS sets the number of rounds.
 */
import { startGateways, type Way } from "./support/gateways"
import { quantile } from "./support/load"

const ROUNDS = Number(process.env.ROUNDS || 4)
const WARM_MS = 6_000
const ALONE_MS = 1_500
const SWEEP_MS = 1_500
const HALF_MS = 2_500
const CLIENTS = [1, 2, 4, 8, 16, 32, 64]
const MAX_P99_MS = 50
const MAX_DRIFT = 0.1

interface Ceiling {
  perSecond: number
  clients: number
  p99: number
  /** Processor time in microseconds, by program. */
  cpuPerRequest: Record<string, number>
}

/** Measures the ways sequentially, `ROUNDS` times in alternating order. Returns all times by name. */
async function alternate(ways: Way[], measure: (way: Way) => Promise<number[]>): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(ways.map(({ name }) => [name, []]))
  for (let round = 0; round < ROUNDS; round++)
    for (const way of round % 2 ? ways.toReversed() : ways)
      for (const time of await measure(way)) times.get(way.name)?.push(time)
  return times
}

/** Prints how much the relay's times changed, which shows other work on the machine. */
function printDrift(relay: number[]): void {
  const third = Math.floor(relay.length / 3)
  const [first, last] = [quantile(relay.slice(0, third), 0.5), quantile(relay.slice(-third), 0.5)]
  const drift = Math.abs(last / first - 1)
  const verdict = drift > MAX_DRIFT ? "something else runs on this machine, measure again" : "quiet"
  console.log(`  the relay's p50 changed by ${(100 * drift).toFixed(0)} % from first to last third: ${verdict}`)
}

function printLatency(times: Map<string, number[]>): void {
  const at = (name: string, q: number) => quantile(times.get(name) ?? [], q)
  for (const [name, all] of times) {
    const columns = [0.5, 0.99].map((q) => {
      const value = at(name, q)
      const added = name === "direct" ? "" : `, +${(value - at("direct", q)).toFixed(2)} over direct`
      const overRelay = ["direct", "relay"].includes(name) ? "" : `, +${(value - at("relay", q)).toFixed(2)} over relay`
      return `p${q * 100} ${value.toFixed(2)} ms${added}${overRelay}`
    })
    console.log(`  ${name.padEnd(8)} ${columns.join("   ")}   (${all.length})`)
  }
}

async function measureStep(way: Way, clients: number): Promise<Ceiling> {
  const before = way.cpu()
  const { times, seconds } = await way.load.closed(clients, SWEEP_MS)
  const cpuPerRequest = Object.fromEntries(
    Object.entries(way.cpu()).map(([program, micros]) => [program, (micros - (before[program] ?? 0)) / times.length]),
  )
  return { perSecond: times.length / seconds, clients, p99: quantile(times, 0.99), cpuPerRequest }
}

/** Returns each way's step with the best median rate among those whose p99 is at most `MAX_P99_MS`. */
async function findCeilings(ways: Way[]): Promise<Map<string, Ceiling>> {
  const steps = new Map<string, Ceiling[]>()
  for (let round = 0; round < ROUNDS; round++)
    for (const way of round % 2 ? ways.toReversed() : ways)
      for (const clients of CLIENTS) {
        const key = `${way.name} ${clients}`
        steps.set(key, [...(steps.get(key) ?? []), await measureStep(way, clients)])
      }
  const medianOf = (tried: Ceiling[]) => tried.toSorted((a, b) => a.perSecond - b.perSecond)[tried.length >> 1]
  return new Map(
    ways.flatMap(({ name }) => {
      const medians = CLIENTS.flatMap((clients) => medianOf(steps.get(`${name} ${clients}`) ?? []) ?? [])
      const best = medians.filter(({ p99 }) => p99 <= MAX_P99_MS).toSorted((a, b) => b.perSecond - a.perSecond)[0]
      return best ? [[name, best] as const] : []
    }),
  )
}

function printCeilings(ceilings: Map<string, Ceiling>): void {
  const portkey = ceilings.get("portkey")?.perSecond ?? Number.NaN
  if (ceilings.size < 4) console.log(`  at least one gateway exceeded a p99 of ${MAX_P99_MS} ms at every step`)
  for (const [name, { perSecond, clients, p99, cpuPerRequest }] of ceilings) {
    const ratio = (perSecond / portkey).toFixed(2)
    const figures = `${perSecond.toFixed(0)}/s with ${clients} clients, p99 ${p99.toFixed(1)} ms`
    const cpu = Object.entries(cpuPerRequest).map(([program, micros]) => `${program} ${micros.toFixed(0)}`)
    console.log(`  ${name.padEnd(8)} ${figures}, ${ratio} × Portkey   CPU µs per request: ${cpu.join(" + ")}`)
  }
}

/** Prints how much slower the paid path is than the same build whose ledger does nothing. */
function printTax(ceilings: Map<string, Ceiling>): void {
  const [paid, unbilled] = [ceilings.get("paid"), ceilings.get("unbilled")]
  if (!paid || !unbilled) return
  const share = 100 * (1 - paid.perSecond / unbilled.perSecond)
  const cpuOf = ({ cpuPerRequest }: Ceiling) => Object.values(cpuPerRequest).reduce((sum, micros) => sum + micros, 0)
  const cpu = `${cpuOf(paid).toFixed(0)} µs of CPU per request instead of ${cpuOf(unbilled).toFixed(0)}`
  console.log(`  accounting tax: ${share.toFixed(0)} % fewer requests per second, ${cpu}`)
}

const { ways, isPinned, stop } = await startGateways()
try {
  const gateways = ways.slice(1)
  console.log(
    isPinned
      ? "Each gateway on core 0, with its database; the load and the engine on core 1."
      : "No core could be reserved for the measured programs: rates are those of the whole machine.",
  )
  for (const way of ways) await way.load.closed(16, WARM_MS)

  console.log("\nOne client")
  const alone = await alternate(ways, async ({ load }) => (await load.closed(1, ALONE_MS)).times)
  printLatency(alone)
  printDrift(alone.get("relay") ?? [])

  console.log(`\nMaximum requests per second at p99 ≤ ${MAX_P99_MS} ms`)
  const ceilings = await findCeilings(gateways)
  printCeilings(ceilings)
  printTax(ceilings)

  for (const way of gateways.filter(({ name }) => name !== "relay" && name !== "unbilled" && ceilings.has(name))) {
    const half = Math.floor((ceilings.get(way.name)?.perSecond ?? 0) / 2)
    console.log(`\nHalf of ${way.name}'s maximum: ${half} requests per second arrive`)
    const compared = ways.filter(({ name }) => name === "direct" || name === "relay" || name === way.name)
    printLatency(await alternate(compared, async ({ load }) => (await load.arriving(half, HALF_MS)).times))
  }
} finally {
  await stop()
}
