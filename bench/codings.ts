/**
 * Measures what a decision costs by the `Content-Encoding` and the length of its body: the server's processor time, beside that of
 * the plain body in the same rounds. BEFORE names the folder of another build, whose plain bodies are then measured in the same
 * rounds too. ROUNDS sets the number of rounds.
 */
import { ENCODERS } from "../test/encode-body"
import { insertKeys } from "./support/accounts"
import { type BuiltService, startService } from "./support/built-service"
import { postOf } from "./support/connection"
import { Load, median } from "./support/load"
import { cpuMicros } from "./support/machine"
import { type Started, startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = Number(process.env.ROUNDS || 15)
const WARM_MS = 15_000
const STEP_MS = 1_000
const CLIENTS = 8
/** Longer texts have more tokens than the engine takes. */
const LENGTHS = [1_024, 2_048]
/** Requests are made ahead, because the load shares the processors with the service. */
const MADE = 200
const PLAIN = "plain"
const BEFORE = "plain, other build"

interface Way {
  name: string
  service: BuiltService
  load: Load
  micros: number[]
  perSecond: number[]
}

/** Returns the n-th request, with a state of words that do not repeat, so that it compresses as a text does. */
function bodyOf(n: number, length: number): Buffer {
  const { state, ...request } = JSON.parse(decisionBody(n))
  let seed = n + 1
  const word = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed.toString(36).slice(0, 2 + (seed % 5))
  }
  const words = [state]
  for (let room = length - decisionBody(n).length; room > 0; room -= (words.at(-1)?.length ?? 0) + 1) words.push(word())
  return Buffer.from(JSON.stringify({ ...request, state: words.join(" ") }))
}

function wayOf(name: string, service: BuiltService, token: string, bodies: Buffer[]): Way {
  const encode = name in ENCODERS ? ENCODERS[name as keyof typeof ENCODERS] : null
  const headers = { authorization: `Bearer ${token}`, ...(encode ? { "content-encoding": name } : {}) }
  const requests = bodies.map((body) => postOf("/v1/decisions", encode ? encode(body) : body, headers))
  const load = new Load(service.port, (n) => requests[n % MADE] ?? Buffer.alloc(0))
  return { name, service, load, micros: [], perSecond: [] }
}

async function measure(way: Way): Promise<void> {
  const before = cpuMicros([way.service.pid])
  const { times, seconds } = await way.load.closed(CLIENTS, STEP_MS)
  way.micros.push((cpuMicros([way.service.pid]) - before) / times.length)
  way.perSecond.push(times.length / seconds)
}

/** Prints each way's medians, and the medians over the rounds of how it compares with the plain body of this build. */
function print(length: number, ways: Way[]): void {
  console.log(`\nBodies of ${length.toLocaleString("en")} bytes, ${CLIENTS} clients, medians of ${ROUNDS} rounds`)
  const plain = ways.find(({ name }) => name === PLAIN)
  const compare = (of: "micros" | "perSecond", way: Way, by: (own: number, plain: number) => number) =>
    median(way[of].map((own, round) => by(own, plain?.[of][round] ?? Number.NaN)))
  for (const way of ways) {
    const figures = `${median(way.micros).toFixed(0)} µs of the server per request, ${median(way.perSecond).toFixed(0)} requests/s`
    const more = `${compare("micros", way, (own, base) => own - base).toFixed(0)} µs more than plain`
    const perCore = compare("micros", way, (own, base) => own / base).toFixed(3)
    const rate = compare("perSecond", way, (own, base) => base / own).toFixed(3)
    const ratios = `this build answers ${perCore} × as many per second of the server, ${rate} × as many per second`
    console.log(`  ${way.name.padEnd(20)} ${figures}${way === plain ? "" : `, ${way.name === BEFORE ? ratios : more}`}`)
  }
}

async function start(engine: Started, folder?: string): Promise<[BuiltService, string]> {
  const service = await startService({ ENGINE_URL: `http://127.0.0.1:${engine.port}` }, [], folder)
  const [token = ""] = await insertKeys(service.dataDir, 1)
  const request = (n: number) => postOf("/v1/decisions", decisionBody(n), { authorization: `Bearer ${token}` })
  await new Load(service.port, request).closed(CLIENTS, WARM_MS)
  return [service, token]
}

const engine = await startHelper("engine-double")
const [service, token] = await start(engine)
const [other, otherToken] = process.env.BEFORE ? await start(engine, process.env.BEFORE) : [null, ""]
try {
  for (const length of LENGTHS) {
    const bodies = Array.from({ length: MADE }, (_, n) => bodyOf(n, length))
    const ways: Way[] = []
    for (const name of [PLAIN, ...Object.keys(ENCODERS)]) ways.push(wayOf(name, service, token, bodies))
    if (other) ways.unshift(wayOf(BEFORE, other, otherToken, bodies))
    for (let round = 0; round < ROUNDS; round++)
      for (const way of round % 2 ? ways.toReversed() : ways) await measure(way)
    print(length, ways)
  }
} finally {
  await other?.stop()
  await service.stop()
  await engine.stop()
}
