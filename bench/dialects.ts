/**
 * Compares requests of each dialect with the same request of the contract: throughput and the server's processor time, in alternating
 * rounds. Then it measures how long the largest request of OpenAI's clients holds the main thread. ROUNDS sets the number of rounds.
 */
import { tmpdir } from "node:os"
import path from "node:path"
import { openAiParts } from "@/lib/shared/export-code/openai-request"
import { readParts } from "@/lib/shared/export-code/request-parts"
import { insertKeys } from "./support/accounts"
import { type BuiltService, startService } from "./support/built-service"
import { postOf } from "./support/connection"
import { Load, median } from "./support/load"
import { longestBlock } from "./support/longest-block"
import { cpuMicros } from "./support/machine"
import { startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = Number(process.env.ROUNDS || 7)
const CLIENTS = 32
const WARM_MS = 8_000
const STEP_MS = 4_000
const LARGE = 20
const PROBE = path.join(import.meta.dirname, "support/loop-probe.mjs")

interface Way {
  path: string
  load: Load
  figures: { perSecond: number; server: number }[]
}

/** Returns the first request in the form of OpenAI's clients, around the number of its state. */
function openAiFrame(): string[] {
  const parts = readParts(decisionBody(0))
  if (!parts) throw new Error("the request is invalid")
  return JSON.stringify(JSON.parse(openAiParts(parts).requestText)).split("000000000")
}

const FRAME = openAiFrame()
/** Returns the n-th request in that form. It is not translated each time, because the load shares the processors with the server. */
const openAiBody = (n: number): string => FRAME.join(String(n).padStart(9, "0"))

const ways = (port: number, headers: Record<string, string>): Way[] =>
  (
    [
      ["/v1/decisions", decisionBody],
      ["/v1/systemone", decisionBody],
      ["/api/v1/systemone", decisionBody],
      ["/openai/v1/decisions", openAiBody],
    ] as const
  ).map(([at, bodyOf]) => ({ path: at, load: new Load(port, (n) => postOf(at, bodyOf(n), headers)), figures: [] }))

async function measure({ pid }: BuiltService, { load, figures }: Way): Promise<void> {
  const before = cpuMicros([pid])
  const { times, seconds } = await load.closed(CLIENTS, STEP_MS)
  figures.push({ perSecond: times.length / seconds, server: (cpuMicros([pid]) - before) / times.length })
}

function print([own, ...others]: Way[]): void {
  console.log(`${CLIENTS} clients, medians of ${ROUNDS} alternating rounds of ${STEP_MS / 1_000} s`)
  for (const { path: at, figures } of own ? [own, ...others] : []) {
    const of = (field: "perSecond" | "server") => ({
      value: median(figures.map((figure) => figure[field])).toFixed(0),
      ratio: median(figures.map((figure, i) => figure[field] / (own?.figures[i]?.[field] ?? Number.NaN))).toFixed(2),
    })
    const [rate, server] = [of("perSecond"), of("server")]
    console.log(
      `  ${at.padEnd(21)} ${rate.value} requests/s, ratio ${rate.ratio}   ${server.value} µs of the server, ratio ${server.ratio}`,
    )
  }
}

/** Returns the largest request: 128 questions of 255 described choices, and 300 messages. */
function largestBody(): string {
  const choices = Array.from({ length: 255 }, (_, i) => ({ value: `v${i}`, description: `d${i}` }))
  const questions = Array.from({ length: 128 }, () => ({ type: "choice", instructions: "Which?", choices }))
  const input = Array.from({ length: 300 }, () => ({ role: "user", content: [{ type: "input_text", text: "x" }] }))
  return JSON.stringify({ model: "svc-decider-latest", input, questions })
}

const engine = await startHelper("engine-double")
const file = path.join(tmpdir(), `svcd-loop-${process.pid}.json`)
const service = await startService({ ENGINE_URL: `http://127.0.0.1:${engine.port}` })
try {
  const [token] = await insertKeys(service.dataDir, 1)
  const all = ways(service.port, { authorization: `Bearer ${token}` })
  for (const { load } of all) await load.closed(CLIENTS, WARM_MS)
  for (let round = 0; round < ROUNDS; round++)
    for (const way of round % 2 ? all.toReversed() : all) await measure(service, way)
  print(all)
} finally {
  await service.stop()
  await engine.stop()
}

// The keyword scorer answers any number of choices, in threads of its own.
const alone = await startService({ BENCH_LOOP_FILE: file }, ["--import", PROBE])
try {
  const [token] = await insertKeys(alone.dataDir, 1)
  const post = postOf("/openai/v1/decisions", largestBody(), { authorization: `Bearer ${token}` })
  const largest = new Load(alone.port, () => post)
  await largest.closed(1, 2_000)
  await longestBlock(alone, file)
  for (let sent = 0; sent < LARGE; ) sent += (await largest.closed(1, 1)).times.length
  console.log(`The largest request, ${LARGE} times: main thread blocked for ${await longestBlock(alone, file)}`)
} finally {
  await alone.stop()
}
