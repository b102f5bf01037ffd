import fc from "fast-check"
import { expect, it } from "vitest"
import { getStatement } from "@/lib/server/billing/get-statement"
import { capture, placeHold } from "@/lib/server/ledger/hold"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { parseUsd, pico } from "@/lib/shared/money"
import { dayOf } from "@/lib/shared/time"
import { grantTests, MODEL_ID, newPayer, type Payer, PRICE, warmUp } from "@/test/grants"
import { insertKey } from "@/test/insert-rows"
import { brokenChecks } from "@/test/ledger-state"
import { testScale } from "@/test/scale"
import { ownerOf } from "@/test/sign-up"
import { getUsage } from "./get-usage"

grantTests()

const sql = async (text: string, values: unknown[] = []) => (await runtime().pool.query(text, values)).rows

const TAGS = ["team=search", "team=ads", "env=prod"]

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("charge" as const),
      /** Requests that are sent at once. The key is one that draws from reserved credit, or one with holds. */
      requests: fc.array(
        fc.record({ tags: fc.subarray(TAGS), tokens: fc.integer({ min: 0, max: 400 }), draws: fc.boolean() }),
        { minLength: 1, maxLength: 8 },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("sum up" as const), most: fc.integer({ min: 1, max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("end grants" as const) }) },
)

async function send(actor: Payer, tags: string[], tokens: number): Promise<void> {
  const id = newId()
  const request = { id, actor, modelId: MODEL_ID, pricePico: pico(PRICE), maxTokens: 400, tags }
  expect(await placeHold(runtime(), request)).toEqual({ outcome: "held" })
  const facts = { tokens, latencyMs: tokens, questionCounts: { noul: 1 } }
  expect(await capture(runtime(), { id, accountId: actor.accountId }, facts)).toBe("captured")
}

type Sums = Map<string, { decisions: number; tokens: number; cost: bigint }>

const add = (sums: Sums, tag: string, tokens: number) => {
  const { decisions, tokens: before, cost } = sums.get(tag) ?? { decisions: 0, tokens: 0, cost: 0n }
  sums.set(tag, { decisions: decisions + 1, tokens: before + tokens, cost: cost + PRICE * BigInt(tokens) })
}

/** Returns the sums of the usage page, of its filter by each tag, and of the statement. */
async function shown(accountId: string): Promise<Sums[]> {
  const actor = ownerOf(accountId)
  const range = { days: 2 }
  const [usage, statement] = await Promise.all([
    getUsage(runtime(), actor, { range }),
    getStatement(runtime(), actor, { month: dayOf(new Date()).slice(0, 7) }),
  ])
  const filtered: Sums = new Map()
  for (const tag of TAGS) {
    const { total } = await getUsage(runtime(), actor, { range, tag, by: "key" })
    if (total.decisions > 0)
      filtered.set(tag, { decisions: total.decisions, tokens: total.tokens, cost: parseUsd(total.costUsd) ?? -1n })
  }
  return [
    new Map(
      usage.tags.map(({ tag, decisions, tokens, costUsd }) => [
        tag,
        { decisions, tokens, cost: parseUsd(costUsd) ?? -1n },
      ]),
    ),
    filtered,
    new Map(
      statement.byTag.map(({ name, decisions, tokens, amountUsd }) => [
        name,
        { decisions, tokens, cost: parseUsd(amountUsd.replace("-", "")) ?? -1n },
      ]),
    ),
  ]
}

/** Returns what a new budget of each tag counts as spent. */
async function spentByBudgets(accountId: string): Promise<unknown[]> {
  await sql("DELETE FROM budget WHERE account_id = $1", [accountId])
  const spent: unknown[] = []
  for (const tag of TAGS) {
    const values = [newId(), accountId, tag]
    const rows = await sql("SELECT spent_pico FROM set_budget($1, $2, NULL, 'monthly', 1000000000000, $3)", values)
    spent.push([tag, BigInt(rows[0].spent_pico)])
  }
  return spent
}

it(
  "sums by tag are those of the ledger's charges at any moment, also from reserved credit",
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const busy = await newPayer()
        const other = { accountId: busy.accountId, keyId: (await insertKey(busy.accountId)).keyId }
        await warmUp(busy)
        const expected: Sums = new Map()
        for (const one of steps) {
          if (one.do === "charge") {
            for (const { tags, tokens } of one.requests) for (const tag of tags) add(expected, tag, tokens)
            await Promise.all(
              one.requests.map(({ tags, tokens, draws }) => send(draws ? busy : other, tags.toSorted(), tokens)),
            )
          } else if (one.do === "sum up") await sql("SELECT roll_up_usage($1, $2)", [busy.accountId, one.most])
          else await runtime().grants.recall(busy.accountId)
          for (const sums of await shown(busy.accountId)) expect(sums).toEqual(expected)
        }
        const costs = TAGS.map((tag) => [tag, expected.get(tag)?.cost ?? 0n])
        expect(await spentByBudgets(busy.accountId)).toEqual(costs)
        await sql("SELECT roll_up_usage($1, 1000000)", [busy.accountId])
        expect(await spentByBudgets(busy.accountId)).toEqual(costs)
        for (const sums of await shown(busy.accountId)) expect(sums).toEqual(expected)
        expect(await brokenChecks()).toEqual([])
      }),
      { numRuns: 12 * testScale },
    )
  },
  240_000 * testScale,
)
