/**
 * Compares the p99 of a paid client alone and beside 500 forged keys a second from one address, in rounds of one run. All programs
 * share the processors of this machine.
 */
import { availableParallelism, loadavg } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { insertKeys } from "./support/accounts"
import { startService } from "./support/built-service"
import { quantile } from "./support/load"
import { type Answered, Probe } from "./support/probe"
import { runHelper } from "./support/processes"

const ROUNDS = 6
const ROUND_MS = 5_000
const PER_SECOND = 40
const MAX_RATIO = 1.5

const service = await startService({})
try {
  const [key = ""] = await insertKeys(service.dataDir, 1)
  const probe = new Probe(service.port, key, PER_SECOND)
  await sleep(ROUND_MS)
  const quiet: Answered[] = []
  const beside: Answered[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const startedAt = performance.now()
    await sleep(ROUND_MS)
    quiet.push(...probe.between(startedAt, performance.now()))
    const attacker = runHelper("attack", "forged keys", service.port, key, ROUND_MS)
    await attacker.begun
    const attackedAt = performance.now()
    await attacker.printed
    beside.push(...probe.between(attackedAt, performance.now()))
    await sleep(500)
  }
  probe.stop()
  await probe.settled()
  const p = (list: Answered[], q: number) =>
    quantile(
      list.map(({ ms }) => ms),
      q,
    )
  const ratio = p(beside, 0.99) / p(quiet, 0.99)
  const show = (list: Answered[]) => `${p(list, 0.5).toFixed(1)} / ${p(list, 0.99).toFixed(1)} ms of ${list.length}`
  const lost = probe.answered.filter(({ isLost }) => isLost).length
  const isMet = lost === 0 && ratio <= MAX_RATIO
  console.log(`${availableParallelism()} processors, load ${(loadavg()[0] ?? 0).toFixed(1)}; p50 / p99`)
  console.log(`alone ${show(quiet)}; beside 500 forged keys a second ${show(beside)}; lost ${lost}`)
  console.log(`p99 ratio ${ratio.toFixed(2)}, at most ${MAX_RATIO}: ${isMet ? "met" : "not met"}`)
  if (!isMet) process.exitCode = 1
} finally {
  await service.stop()
}
