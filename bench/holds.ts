/**
 * Compares pairs of hold and charge per second on the embedded PostgreSQL, in alternating rounds: those of one account with those of
 * 50 accounts, those of an account without budgets with those of one with budgets and tags, and those of a key far from its limit with
 * those of one near it. Fails when budgets and tags slow pairs down by more than `MAX_SLOWDOWN`. ROUNDS sets the number of rounds.
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

/** What a pair reserves at most, and what it is charged. */
const MAX_TOKENS = 300
const PRICE = pico(20_000n)
/** Near a limit, so few requests fit that each counts its tokens first, in a third round trip. */
const REQUESTS_LEFT = 900n

interface Spender {
  accountId: string
  keyId: string
  tags?: string[]
  /** The tokens that a pair is charged. With them, `MAX_TOKENS` is a bound, which is not held near a limit. */
  tokens?: number
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

/** Creates a spender whose requests are bounded, of a key with this limit. A pair costs so little that none reaches the limit. */
async function createBounded(limitPico: bigint): Promise<Spender> {
  const { accountId } = await insertAccount(BALANCE_PICO)
  return { accountId, keyId: (await insertKey(accountId, { limitPico })).keyId, tokens: 1 }
}

/** Reserves the cost of a request, as `lib/server/decisions/reserve.ts` does. */
async function reserve(id: string, modelId: string, spender: Spender, isKeyed: boolean): Promise<string> {
  const { tokens, tags = [], ...actor } = spender
  const request = { id, actor, modelId, pricePico: PRICE, isKeyed, tags }
  const isBound = tokens !== undefined
  const { outcome } = await placeHold(runtime(), { ...request, maxTokens: MAX_TOKENS, isBound })
  return isBound && outcome === "near"
    ? (await placeHold(runtime(), { ...request, maxTokens: tokens })).outcome
    : outcome
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
      const outcome = await reserve(id, modelId, actor, isKeyed)
      const tokens = actor.tokens ?? 200
      const state =
        outcome === "held"
          ? await capture(runtime(), { id, accountId: actor.accountId }, { ...FACTS, tokens })
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

/** Returns how many times as long a pair of `slow` takes, in each round. */
async function slowdownsOf(modelId: string, plain: Spender, slow: Spender, isKeyed: boolean): Promise<number[]> {
  const slowdowns: number[] = []
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    const without = await pairsPerSecond(modelId, [plain], isKeyed)
    const slowdown = without / (await pairsPerSecond(modelId, [slow], isKeyed))
    if (round > 0) slowdowns.push(slowdown)
  }
  return slowdowns
}

const roundsText = (slowdowns: number[]): string => slowdowns.map((slowdown) => slowdown.toFixed(2)).join(", ")

async function compareLimits(modelId: string): Promise<void> {
  const [far, near] = [
    await createBounded(BALANCE_PICO),
    await createBounded(REQUESTS_LEFT * PRICE * BigInt(MAX_TOKENS)),
  ]
  const slowdowns = await slowdownsOf(modelId, far, near, true)
  console.log(
    `Near a limit, with a third round trip: ${median(slowdowns).toFixed(2)} × (rounds ${roundsText(slowdowns)})`,
  )
}

async function compareBudgets(modelId: string, isKeyed: boolean): Promise<void> {
  const slowdowns = await slowdownsOf(modelId, await createSpender(), await createBudgeted(), isKeyed)
  const isMet = median(slowdowns) <= MAX_SLOWDOWN
  if (!isMet) process.exitCode = 1
  const how = isKeyed ? "with a hold each" : "from reserved credit"
  console.log(
    `${isMet ? "met   " : "MISSED"} budgets and tags, ${how}: ${median(slowdowns).toFixed(2)} × (at most ${MAX_SLOWDOWN} ×; rounds ${roundsText(slowdowns)})`,
  )
}

const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
try {
  await withRuntime(dataDir, async () => {
    const modelId = await insertModel()
    await compareSpread(modelId)
    await compareLimits(modelId)
    for (const isKeyed of [false, true]) await compareBudgets(modelId, isKeyed)
  })
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
