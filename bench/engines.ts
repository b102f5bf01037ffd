/**
 * Measures what the engine adapter adds to a direct call of the same double. Latency: three questions, one client, alternating
 * rounds. Throughput: sixteen clients. Then compares the tokens that an engine with a prefix cache computes with the unique
 * tokens, for sixteen questions on a state of 2,000 tokens.
 */
import { Pool } from "undici"
import { SystemOneEngine } from "@/lib/server/engines/system-one/system-one-engine"
import { type CheckedRequest, checkRequest } from "@/lib/shared/decisions/check-request"
import { THREE_QUESTIONS } from "../e2e/support/requests"
import { startLlamaCpp } from "../test/doubles/llama-cpp"
import { startOllama } from "../test/doubles/ollama"
import type { AnyDouble } from "../test/doubles/system-one-double"
import { quantile } from "./support/load"
import { startHelper } from "./support/processes"
import { decisionBody } from "./support/requests"

const ROUNDS = 8
const PER_ROUND = 400
const CLIENTS = 16
const CLOSED_MS = 4_000
const GOAL_RATIO = 1.1
/** A new signal per request, as in the service. */
const signal = () => new AbortController().signal
/** Grants every concurrent call a place in the engine's queue. */
const grantPlace = () => () => {}

type Ask = (n: number) => Promise<unknown>

function checked(body: string): CheckedRequest {
  const result = checkRequest(Buffer.from(body))
  if (!result.ok) throw new Error(result.message)
  return result.request
}

async function measureRound(ask: Ask, from: number): Promise<number[]> {
  const times: number[] = []
  for (let n = from; n < from + PER_ROUND; n++) {
    const startedAt = performance.now()
    await ask(n)
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Measures requests per second from clients that each send the next request after a response. */
async function perSecond(ask: Ask): Promise<number> {
  let answered = 0
  const startedAt = performance.now()
  const client = async () => {
    while (performance.now() - startedAt < CLOSED_MS) await ask(answered++)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return (1000 * answered) / (performance.now() - startedAt)
}

async function compareCalls(): Promise<void> {
  const helper = await startHelper("engine-double")
  const url = `http://127.0.0.1:${helper.port}`
  const pool = new Pool(url, { connections: 256 })
  const engine = new SystemOneEngine({ url, model: null, tokenizer: null, apiKey: null })
  try {
    const { available, reason } = await engine.probe(signal())
    if (!available) throw new Error(reason)
    const headers = { "content-type": "application/json" }
    const direct: Ask = async (n) => {
      const response = await pool.request({ method: "POST", path: "/v1/systemone", headers, body: decisionBody(n) })
      return response.body.json()
    }
    // Checking the request is not part of the adapter's work.
    const requests = Array.from({ length: PER_ROUND }, (_, n) => checked(decisionBody(n)))
    const adapter: Ask = (n) => engine.answer(requests[n % PER_ROUND] ?? checked(decisionBody(n)), signal(), grantPlace)
    const times = { direct: [] as number[], adapter: [] as number[] }
    for (let round = 0; round <= ROUNDS; round++) {
      const [bare, through] = [
        await measureRound(direct, round * PER_ROUND),
        await measureRound(adapter, round * PER_ROUND),
      ]
      // The first round only warms up both.
      if (round > 0) times.direct.push(...bare)
      if (round > 0) times.adapter.push(...through)
    }
    console.log(`Three questions, one client, ${times.direct.length} requests each, alternating rounds`)
    for (const [name, q] of [["p50", 0.5] as const, ["p99", 0.99] as const]) {
      const [a, b] = [quantile(times.adapter, q), quantile(times.direct, q)]
      console.log(`${name}  adapter ${a.toFixed(3)} ms   direct ${b.toFixed(3)} ms   added ${(a - b).toFixed(3)} ms`)
    }
    const [bare, through] = [await perSecond(direct), await perSecond(adapter)]
    console.log(
      `${CLIENTS} clients  adapter ${through.toFixed(0)}/s   direct ${bare.toFixed(0)}/s   ratio ${(through / bare).toFixed(2)}`,
    )
  } finally {
    await engine.close()
    await pool.close()
    await helper.stop()
  }
}

const LONG = {
  ...THREE_QUESTIONS,
  state: Array.from({ length: 2_000 }, (_, i) => `w${i % 900}`).join(" "),
  questions: Object.fromEntries(
    Array.from({ length: 16 }, (_, i) => [`q${i}`, { type: "noul", instructions: `Does it speak of topic ${i}?` }]),
  ),
}

async function measurePrefixes(name: string, double: AnyDouble): Promise<void> {
  const engine = new SystemOneEngine({ url: double.url, model: null, tokenizer: null, apiKey: null })
  try {
    await engine.probe(signal())
    double.prompts.computed = 0
    double.prompts.unique = 0
    double.fault = { kind: "slow", ms: 50 }
    await engine.answer(checked(JSON.stringify(LONG)), signal(), grantPlace)
    const { computed, unique } = double.prompts
    const ratio = computed / unique
    const verdict = ratio <= GOAL_RATIO ? "" : "   MISSED"
    console.log(`${name}  computed ${computed}   unique ${unique}   ratio ${ratio.toFixed(3)}${verdict}`)
    if (ratio > GOAL_RATIO) process.exitCode = 1
  } finally {
    await engine.close()
    await double.stop()
  }
}

await compareCalls()
console.log(`\nPrompt tokens, 16 questions on a state of 2,000 tokens, with a prefix cache (at most ${GOAL_RATIO})`)
await measurePrefixes("llama.cpp", await startLlamaCpp())
await measurePrefixes("Ollama", await startOllama())
