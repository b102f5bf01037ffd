/**
 * Measures rows of Evaluate (`EVALUATE_RATE`) and a paid client beside them, against the same client alone. Both share an engine that
 * computes some answers at once. ROUNDS sets the number of rounds, of ten seconds each.
 */
import { insertAccount, insertFastKey, insertSession } from "../test/insert-rows"
import { withRuntime } from "./support/accounts"
import { startService } from "./support/built-service"
import { postOf } from "./support/connection"
import { Load, quantile } from "./support/load"
import { startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = Number(process.env.ROUNDS || 6)
const WARM_MS = 3_000
const STEP_MS = 5_000
const BALANCE_PICO = 1_000_000_000_000_000n
/** At most 640 answers per second. A request takes about four. Beside paid requests, rows get half of the slots. */
const ENGINE = { answerMs: 25, slots: 16 }
const PAID_PER_SECOND = 20
/** A little more than the default of EVALUATE_RATE, at which a run's rows arrive. */
const ROWS_PER_SECOND = 55

const MIN_ROWS_PER_SECOND = 50
const MAX_RATIO = 1.5

const engine = await startHelper("engine-double", ENGINE.answerMs, ENGINE.slots)
const service = await startService({
  ENGINE_URL: `http://127.0.0.1:${engine.port}`,
  LOG_LEVEL: "info",
  // The benchmark sends the rows at a rate of its own.
  EVALUATE_RATE: "10000",
})
try {
  const { token, cookie } = await withRuntime(service.dataDir, async () => {
    const { accountId } = await insertAccount(BALANCE_PICO)
    return { ...(await insertFastKey(BALANCE_PICO)), cookie: await insertSession(accountId) }
  })
  const authorization = `Bearer ${token}`
  const origin = `http://localhost:${service.port}`
  const paid = new Load(service.port, (n) => postOf("/v1/decisions", decisionBody(n), { authorization }))
  const rows = new Load(service.port, (n) => postOf("/evaluate/decisions", decisionBody(n), { origin, cookie }))

  await Promise.all([paid.arriving(PAID_PER_SECOND, WARM_MS), rows.arriving(ROWS_PER_SECOND, WARM_MS)])
  const alone: number[] = []
  const beside: number[] = []
  const asked = { rows: 0, seconds: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await paid.arriving(PAID_PER_SECOND, STEP_MS)).times)
    const [busy, row] = await Promise.all([
      paid.arriving(PAID_PER_SECOND, STEP_MS),
      rows.arriving(ROWS_PER_SECOND, STEP_MS),
    ])
    beside.push(...busy.times)
    asked.rows += row.times.length
    asked.seconds += row.seconds
  }

  const perSecond = asked.rows / asked.seconds
  const ratio = quantile(beside, 0.99) / quantile(alone, 0.99)
  const text = (times: number[]) => [0.5, 0.99].map((q) => `${quantile(times, q).toFixed(1)} ms`).join(" / ")
  console.log(`${perSecond.toFixed(1)} rows per second beside ${PAID_PER_SECOND} paid requests per second`)
  console.log(`Paid client, p50 / p99: alone ${text(alone)}, beside rows ${text(beside)}, p99 ${ratio.toFixed(2)}×`)
  const isMet = perSecond >= MIN_ROWS_PER_SECOND && ratio <= MAX_RATIO
  console.log(isMet ? "met" : `not met: at least ${MIN_ROWS_PER_SECOND} rows per second, at most ${MAX_RATIO}×`)
  if (!isMet) process.exitCode = 1
} finally {
  await service.stop()
  await engine.stop()
}
