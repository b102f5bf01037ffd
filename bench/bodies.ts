/**
 * Measures bodies of 28 MiB. First, it compares the check of each shape with `JSON.parse` of its text. Then it measures how long
 * posting them blocks the server's main thread, and how four clients that post them delay small requests.
 */
import { tmpdir } from "node:os"
import path from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { checkRequest } from "@/lib/shared/decisions/check-request"
import { otherLengthOf } from "@/lib/shared/json/text"
import { insertKeys } from "./support/accounts"
import { type BuiltService, startService } from "./support/built-service"
import { postOf } from "./support/connection"
import { largeBody, SHAPE_NAMES } from "./support/large-bodies"
import { Load, median, quantile } from "./support/load"
import { longestBlock } from "./support/longest-block"
import { runHelper, startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = Number(process.env.ROUNDS || 5)
const POSTERS = 4
const PER_SECOND = 100
const ROUND_MS = 5_000
const PROBE = path.join(import.meta.dirname, "support/loop-probe.mjs")

function timed(run: () => unknown): number {
  const from = performance.now()
  run()
  return performance.now() - from
}

function bestTimes(runs: (() => unknown)[]): number[] {
  const best = runs.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, run] of runs.entries()) best[i] = Math.min(best[i] ?? 0, timed(run))
  return best
}

function compareWithParse(): void {
  console.log(`Check of 28 MiB compared with JSON.parse of the decoded text, best of ${ROUNDS} rounds each`)
  for (const shape of SHAPE_NAMES) {
    const body = largeBody(shape)
    const text = new TextDecoder().decode(body)
    const result = checkRequest(body)
    if (!result.ok) throw new Error(`${shape}: ${result.message}`)
    const { kind, source } = result.request.state
    const [checked = 0, parsed = 0, measured = 0] = bestTimes([
      () => checkRequest(body),
      () => JSON.parse(text),
      () => otherLengthOf(kind === "string", source),
    ])
    const figures = `check ${checked.toFixed(0)} ms, JSON.parse ${parsed.toFixed(0)} ms`
    const ratio = (checked / parsed).toFixed(2)
    console.log(
      `  ${shape.padEnd(12)} ${figures}, ratio ${ratio}   then measuring its decoded length ${measured.toFixed(0)} ms`,
    )
  }
}

async function measureBlocks(service: BuiltService, key: string, file: string): Promise<void> {
  console.log(
    "\nLongest time the main thread was blocked by bodies over HTTP, sent sequentially, and responses by status",
  )
  const longest = () => longestBlock(service, file)
  await runHelper("post-large", service.port, key, 1, 1_000, "records").printed
  await longest()
  await sleep(2_000)
  console.log(`  ${"idle".padEnd(12)} ${await longest()}`)
  for (const shape of SHAPE_NAMES) {
    const statuses = await runHelper("post-large", service.port, key, 1, 2_000, shape).printed
    console.log(`  ${shape.padEnd(12)} ${await longest()}   ${statuses}`)
  }
}

async function measureNeighbours(service: BuiltService, key: string): Promise<void> {
  const small = new Load(service.port, (n) =>
    postOf("/v1/decisions", decisionBody(n), { authorization: `Bearer ${key}` }),
  )
  const quiet: number[][] = []
  const beside: number[][] = []
  const statuses: string[] = []
  await small.arriving(PER_SECOND, ROUND_MS)
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push((await small.arriving(PER_SECOND, ROUND_MS)).times)
    const posters = runHelper("post-large", service.port, key, POSTERS, ROUND_MS, ...SHAPE_NAMES)
    await posters.begun
    beside.push((await small.arriving(PER_SECOND, ROUND_MS)).times)
    statuses.push(await posters.printed)
  }
  console.log(
    `\nSmall requests, ${PER_SECOND} a second, alone and while ${POSTERS} clients post 28 MiB bodies of all shapes`,
  )
  for (const q of [0.5, 0.99]) {
    const [alone, busy] = [median(quiet.map((t) => quantile(t, q))), median(beside.map((t) => quantile(t, q)))]
    const figures = `alone ${alone.toFixed(2)} ms, with large bodies ${busy.toFixed(2)} ms, ratio ${(busy / alone).toFixed(2)}`
    console.log(`  p${q * 100} ${figures}   (median of ${ROUNDS} rounds)`)
  }
  console.log(`  responses to large bodies by status: ${statuses.join(" ")}`)
}

compareWithParse()
const engine = await startHelper("engine-double")
try {
  const file = path.join(tmpdir(), `svcd-loop-${process.pid}.json`)
  const settings = { ENGINE_URL: `http://127.0.0.1:${engine.port}`, BENCH_LOOP_FILE: file }
  const service = await startService(settings, ["--import", PROBE])
  try {
    const [key = ""] = await insertKeys(service.dataDir, 1)
    await measureBlocks(service, key, file)
    await measureNeighbours(service, key)
  } finally {
    await service.stop()
  }
} finally {
  await engine.stop()
}
