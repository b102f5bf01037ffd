import { expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { COST, charge, grantTests, MODEL_ID, newPayer, type Payer, PRICE, place, stateOf, warmUp } from "@/test/grants"
import { insertKey } from "@/test/insert-rows"
import type { Draw } from "./grant"
import { placeHold } from "./hold"

grantTests()

/** Reserves credit for a request with tags, and returns its id. */
async function placeTagged(actor: Payer, ...tags: string[]): Promise<string> {
  const id = newId()
  await placeHold(runtime(), { id, actor, modelId: MODEL_ID, pricePico: pico(PRICE), maxTokens: 1_000, tags })
  return id
}

async function tagsOf(ids: string[]): Promise<unknown[]> {
  const { rows } = await runtime().pool.query(
    `SELECT h.tags AS held, e.tags AS charged FROM unnest($1::uuid[]) WITH ORDINALITY AS w(id, n)
       LEFT JOIN hold h ON h.id = w.id LEFT JOIN ledger_entry e ON e.hold_id = w.id ORDER BY n`,
    [ids],
  )
  return rows.map(({ held, charged }) => [held, charged])
}

const SEARCH = ["team=search"]
const BOTH = ["env=prod", "team=ads"]

it("a hold's charge has the tags of its request, alone and in a batch", async () => {
  const payer = await newPayer()
  const alone = await placeTagged(payer, ...SEARCH)
  await charge(payer, alone)
  const ids = await Promise.all([placeTagged(payer, ...BOTH), placeTagged(payer), placeTagged(payer, ...SEARCH)])
  await Promise.all(ids.map((id) => charge(payer, id)))
  expect(await tagsOf([alone, ...ids])).toEqual([
    [SEARCH, SEARCH],
    [BOTH, BOTH],
    [null, null],
    [SEARCH, SEARCH],
  ])
})

const drawOf = (id: string): Draw => {
  const draw = runtime().grants.drawOf(id)
  if (!draw) throw new Error("the request drew from no grant")
  return draw
}

it("a request that draws from reserved credit is charged with its tags, alone and in a batch", async () => {
  const payer = await newPayer()
  for (const tags of [[], SEARCH, BOTH]) await warmUp(payer, tags)
  const alone = await placeTagged(payer, ...SEARCH)
  drawOf(alone)
  await charge(payer, alone)
  const ids = await Promise.all([placeTagged(payer, ...BOTH), placeTagged(payer), placeTagged(payer, ...SEARCH)])
  for (const id of ids) drawOf(id)
  await Promise.all(ids.map((id) => charge(payer, id)))
  expect(await tagsOf([alone, ...ids])).toEqual([
    [SEARCH, SEARCH],
    [BOTH, BOTH],
    [null, null],
    [SEARCH, SEARCH],
  ])
})

it("a request keeps its tags when its grant ends before the charge", async () => {
  const payer = await newPayer()
  for (const tags of [[], BOTH]) await warmUp(payer, tags)
  const [tagged, plain] = [await placeTagged(payer, ...BOTH), await placeTagged(payer)]
  expect(drawOf(plain).grant.id).not.toBe(drawOf(tagged).grant.id)
  await runtime().grants.end(drawOf(tagged).grant)
  expect(await tagsOf([tagged, plain])).toEqual([
    [BOTH, null],
    [null, null],
  ])
  await Promise.all([charge(payer, tagged), charge(payer, plain)])
  expect(await tagsOf([tagged, plain])).toEqual([
    [BOTH, BOTH],
    [null, null],
  ])
})

it("a refusal by a tag's budget recalls no credit that was reserved for requests without the tag", async () => {
  const payer = await newPayer()
  await warmUp(payer)
  const budget = "SELECT set_budget($1, $2, NULL, 'monthly', 1, 'team=search')"
  await runtime().pool.query(budget, [newId(), payer.accountId])
  const request = { actor: payer, modelId: MODEL_ID, pricePico: pico(PRICE), maxTokens: 1_000 }
  const refused = await placeHold(runtime(), { ...request, id: newId(), tags: SEARCH })
  expect(refused).toMatchObject({ outcome: "key_limit", limitPico: 1n })
  const plain = await placeTagged(payer)
  drawOf(plain)
  await charge(payer, plain)
})

it("a request recalls credit that is reserved for another key of its budget, before the budget refuses it", async () => {
  const busy = await newPayer()
  const { pool } = runtime()
  const limit = 1_000n * COST
  await pool.query("SELECT set_budget($1, $2, NULL, 'monthly', $3)", [newId(), busy.accountId, limit])
  const grantId = await warmUp(busy)
  const idle = { accountId: busy.accountId, keyId: (await insertKey(busy.accountId)).keyId }
  const { rows } = await pool.query("SELECT spent_pico, held_pico FROM budget WHERE account_id = $1", [busy.accountId])
  expect(BigInt(rows[0].held_pico)).toBeGreaterThan(0n)
  const rest = Number((limit - BigInt(rows[0].spent_pico)) / PRICE)
  expect(await place(idle, newId(), rest + 1)).toMatchObject({ outcome: "key_limit", limitPico: limit })
  expect(await stateOf(grantId)).toBe("voided")
  expect(await place(idle, newId(), rest)).toEqual({ outcome: "held" })
})
