/**
 * Compares pairs of hold and charge per second on the embedded PostgreSQL, in alternating rounds: those of one account with those of
 * 50 accounts, and those of an account without budgets with those of one with budgets and tags. Fails when budgets and tags slow
 * pairs down by more than `MAX_SLOWDOWN`. ROUNDS sets the number of rounds.
 */
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
/** How many times as long a pair may take with budgets and tags. */
const MAX_SLOWDOWN = 1.1
const TAGS = ["env=prod", "team=search"]
const FACTS = { latencyMs: 1, questionCounts: { noul: 1 } }

interface Spender {
  accountId: string
  keyId: string
  tags?: string[]
}

async function createSpender(): Promise<Spender> {
  const { accountId } = await insertAccount(BALANCE_PICO)
  return { accountId, keyId: (await insertKey(accountId)).keyId }
}

/** Creates a spender whose requests have two tags, and count in a budget of the account, of the key's member, and of a tag. */
async function createBudgeted(): Promise<Spender> {
  const { pool } = runtime()
  const { accountId } = await insertAccount(BALANCE_PICO)
  const memberId = newId()
  await pool.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [memberId, `${memberId}@example.com`])
  for (const [member, tag] of [
    [null, null],
    [memberId, null],
    [null, TAGS[0]],
  ])
    await pool.query("SELECT set_budget($1, $2, $3, 'monthly', $4, $5)", [
      newId(),
      accountId,
      member,
      BALANCE_PICO,
      tag,
    ])
  const { keyId } = await insertKey(accountId, { createdBy: memberId })
  return { accountId, keyId, tags: TAGS }
}

/** Returns pairs of hold and charge per second, with `IN_FLIGHT` concurrent pairs spread over these spenders. With `isKeyed`, each has a hold of its own. */
async function pairsPerSecond(modelId: string, spenders: Spender[], isKeyed = false): Promise<number> {
  const startedAt = performance.now()
  let pairs = 0
  const worker = async () => {
    while (performance.now() - startedAt < ROUND_MS) {
      const actor = spenders[pairs % spenders.length]
      if (!actor) return
      const id = newId()
      pairs++
      const request = { id, actor, modelId, pricePico: pico(20_000n), maxTokens: 300, isKeyed, tags: actor.tags ?? [] }
      const { outcome } = await placeHold(runtime(), request)
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

async function compareBudgets(modelId: string, isKeyed: boolean): Promise<void> {
  const [plain, budgeted] = [[await createSpender()], [await createBudgeted()]]
  const slowdowns: number[] = []
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const without = await pairsPerSecond(modelId, plain, isKeyed)
    const slowdown = without / (await pairsPerSecond(modelId, budgeted, isKeyed))
    if (round > 0) slowdowns.push(slowdown)
  }
  const isMet = median(slowdowns) <= MAX_SLOWDOWN
  if (!isMet) process.exitCode = 1
  const how = isKeyed ? "with a hold each" : "from reserved credit"
  const rounds = slowdowns.map((slowdown) => slowdown.toFixed(2)).join(", ")
  console.log(
    `${isMet ? "met   " : "MISSED"} budgets and tags, ${how}: ${median(slowdowns).toFixed(2)} × (at most ${MAX_SLOWDOWN} ×; rounds ${rounds})`,
  )
}

const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
try {
  await withRuntime(dataDir, async () => {
    const modelId = await insertModel()
    await compareSpread(modelId)
    for (const isKeyed of [false, true]) await compareBudgets(modelId, isKeyed)
  })
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
