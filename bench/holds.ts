/** Compares pairs of hold and charge per second of one account and of 50 accounts on the embedded PostgreSQL, in alternating rounds. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { insertAccount, insertKey, insertModel } from "../test/insert-rows"
import { withRuntime } from "./support/accounts"
import { median } from "./support/load"

const BALANCE_PICO = 5_000_000_000_000_000n
const ROUNDS = Number(process.env.ROUNDS || 5)
const ROUND_MS = 3_000
const IN_FLIGHT = 32
const FACTS = { latencyMs: 1, questionCounts: { noul: 1 } }

interface Spender {
  accountId: string
  keyId: string
}

async function createSpender(): Promise<Spender> {
  const { accountId } = await insertAccount(BALANCE_PICO)
  return { accountId, keyId: (await insertKey(accountId)).keyId }
}

/** Returns pairs of hold and charge per second, with `IN_FLIGHT` concurrent pairs spread over these spenders. */
async function pairsPerSecond(modelId: string, spenders: Spender[]): Promise<number> {
  const startedAt = performance.now()
  let pairs = 0
  const worker = async () => {
    while (performance.now() - startedAt < ROUND_MS) {
      const actor = spenders[pairs % spenders.length]
      if (!actor) return
      const id = newId()
      pairs++
      const { outcome } = await placeHold(runtime(), { id, actor, modelId, pricePico: pico(20_000n), maxTokens: 300 })
      const state =
        outcome === "held"
          ? await capture(runtime(), { id, accountId: actor.accountId }, { ...FACTS, tokens: 200 })
          : outcome
      if (state !== "captured") throw new Error(`a pair ended as ${state}`)
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker))
  return pairs / ((performance.now() - startedAt) / 1000)
}

async function compareSpread(modelId: string): Promise<void> {
  const spenders = await Promise.all(Array.from({ length: 50 }, createSpender))
  const rates: { hot: number[]; spread: number[] } = { hot: [], spread: [] }
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const [hot, spread] = [await pairsPerSecond(modelId, spenders.slice(0, 1)), await pairsPerSecond(modelId, spenders)]
    if (round === 0) continue
    rates.hot.push(hot)
    rates.spread.push(spread)
  }
  const [hot, spread] = [median(rates.hot), median(rates.spread)]
  console.log(
    `Pairs of hold and durable charge per second, ${IN_FLIGHT} in flight, median of ${ROUNDS} alternating rounds:`,
  )
  console.log(
    `  one hot account ${hot.toFixed(0)}   50 accounts ${spread.toFixed(0)}   ratio ${(hot / spread).toFixed(2)}`,
  )
}

const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
try {
  await withRuntime(dataDir, async () => compareSpread(await insertModel()))
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
