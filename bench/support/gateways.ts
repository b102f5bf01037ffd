import { insertKeys } from "./accounts"
import { type BuiltService, startService } from "./built-service"
import { postOf } from "./connection"
import { Load } from "./load"
import { CORES, cpuMicros, familyOf, pin } from "./machine"
import { portkeyHeaders, startPortkey } from "./portkey"
import { startHelper } from "./processes"
import { chatBody, decisionBody } from "./requests"

const ACCOUNTS = 16
const NO_LEDGER = new URL("./no-ledger.mjs", import.meta.url).href

/** One way to reach the engine. `load` sends requests to it, and `cpu` returns its processor time in microseconds, by program. */
export interface Way {
  name: "direct" | "relay" | "paid" | "unbilled" | "portkey"
  load: Load
  cpu(): Record<string, number>
}

export interface Gateways {
  ways: Way[]
  /** True when the measured programs have one core, and the load and the engine have the other. */
  isPinned: boolean
  stop(): Promise<void>
}

/** Starts the engine double and the ways to it. The measured programs and their database share one core, all else the other. */
export async function startGateways(): Promise<Gateways> {
  const stops: (() => Promise<void>)[] = []
  const stopLater = <T extends { stop(): Promise<void> }>(one: T): T => {
    stops.unshift(() => one.stop())
    return one
  }
  const stop = async () => {
    for (const end of stops) await end()
  }
  try {
    const engine = stopLater(await startHelper("engine-double"))
    const relay = stopLater(await startHelper("relay", engine.port))
    const portkey = stopLater(await startPortkey())
    const settings = { ENGINE_URL: `http://127.0.0.1:${engine.port}`, LOG_LEVEL: "info", SERVE: "all" }
    const service = stopLater(await startService(settings))
    const unbilled = stopLater(await startService(settings, ["--import", NO_LEDGER]))
    const keys = await insertKeys(service.dataDir, ACCOUNTS)
    const freeKeys = await insertKeys(unbilled.dataDir, ACCOUNTS)
    const services = [service, unbilled].flatMap(({ pid, postgresPid }) => [pid, ...familyOf(postgresPid)])
    const measured = [relay.pid, portkey.pid, ...services]
    const pinned = await Promise.all([
      ...measured.map((pid) => pin(pid, CORES.measured)),
      ...[engine.pid, process.pid].map((pid) => pin(pid, CORES.load)),
    ])
    const plain = (n: number) => postOf("/v1/systemone", decisionBody(n))
    const charged = (tokens: string[]) => (n: number) =>
      postOf("/v1/decisions", decisionBody(n), { authorization: `Bearer ${tokens[n % tokens.length]}` })
    const cpuOf =
      ({ pid, postgresPid }: BuiltService) =>
      () => ({ server: cpuMicros([pid]), postgres: cpuMicros(familyOf(postgresPid)) })
    const relayed = (n: number) => postOf("/v1/chat/completions", chatBody(n), portkeyHeaders(engine.port))
    const ways: Way[] = [
      { name: "direct", load: new Load(engine.port, plain), cpu: () => ({ engine: cpuMicros([engine.pid]) }) },
      { name: "relay", load: new Load(relay.port, plain), cpu: () => ({ relay: cpuMicros([relay.pid]) }) },
      { name: "paid", load: new Load(service.port, charged(keys)), cpu: cpuOf(service) },
      { name: "unbilled", load: new Load(unbilled.port, charged(freeKeys)), cpu: cpuOf(unbilled) },
      { name: "portkey", load: new Load(portkey.port, relayed), cpu: () => ({ portkey: cpuMicros([portkey.pid]) }) },
    ]
    return { ways, isPinned: pinned.every(Boolean), stop }
  } catch (error) {
    await stop()
    throw error
  }
}
