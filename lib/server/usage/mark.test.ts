import pg from "pg"
import { expect, test } from "vitest"
import { checkLedger } from "@/lib/server/ledger/verify-ledger"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey, insertModel } from "@/test/insert-rows"
import { testScale } from "@/test/scale"
import { waitsForLock } from "@/test/waits-for-lock"
import { rollUpUsage } from "./roll-up-usage"

const { databaseUrl } = await testRuntime()
const modelId = await insertModel()

interface Spender {
  accountId: string
  keyId: string
}
const newSpender = async (): Promise<Spender> => {
  const { accountId } = await insertAccount()
  return { accountId, keyId: (await insertKey(accountId)).keyId }
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(databaseUrl)
  await client.connect()
  return client
}

async function hold(client: pg.Client, spenders: Spender[]): Promise<string[]> {
  const ids = spenders.map(() => newId())
  await client.query("SELECT * FROM place_holds($1, $2, $3, $4, $5, $6)", [
    ids,
    spenders.map(({ accountId }) => accountId),
    spenders.map(({ keyId }) => keyId),
    ids.map(() => modelId),
    ids.map(() => 1),
    ids.map(() => 10),
  ])
  return ids
}

const capture = (client: pg.Client, ids: string[]) =>
  client.query("SELECT * FROM charge_holds($1, $2, $3, $4)", [
    ids,
    ...[3, 1, '{"noul": 1}'].map((value) => ids.map(() => value)),
  ])

async function countsOf({ accountId }: Spender) {
  const { rows } = await runtime().pool.query<{ summed: number; charged: number }>(
    `SELECT (SELECT coalesce(sum(decisions), 0)::int FROM usage_sum WHERE account_id = $1 AND unit = 'day' AND model_id = '*'
         AND key_id = '00000000-0000-0000-0000-000000000000') AS summed,
       (SELECT count(*)::int FROM ledger_entry WHERE account_id = $1 AND kind = 'charge') AS charged`,
    [accountId],
  )
  return rows[0]
}

test("entries of a batch that commits after entries with higher ids are summed: each account has its own mark", async () => {
  const [one, two, quick] = [await newSpender(), await newSpender(), await newSpender()]
  const slow = await connect()
  const fast = await connect()
  await slow.query("BEGIN")
  await capture(slow, await hold(slow, [one, two]))
  await capture(fast, await hold(fast, [quick]))
  await rollUpUsage(runtime())
  expect(await countsOf(quick)).toEqual({ summed: 1, charged: 1 })
  expect(await countsOf(one)).toEqual({ summed: 0, charged: 0 })
  await slow.query("COMMIT")
  await rollUpUsage(runtime())
  expect([await countsOf(one), await countsOf(two)]).toEqual(Array(2).fill({ summed: 1, charged: 1 }))
  await Promise.all([slow.end(), fast.end()])
})

test("an account's entries commit in the order of their ids: a later one waits for the account's lock", async () => {
  const [one, two] = [await newSpender(), await newSpender()]
  const [first, second] = [await connect(), await connect()]
  const [ofFirst, ofSecond] = [await hold(first, [one, two]), await hold(second, [two])]
  await first.query("BEGIN")
  await capture(first, ofFirst)
  const waiting = capture(second, ofSecond)
  await waitsForLock()
  await rollUpUsage(runtime())
  await first.query("COMMIT")
  await waiting
  const { rows } = await runtime().pool.query("SELECT hold_id FROM ledger_entry WHERE hold_id = ANY($1) ORDER BY id", [
    [...ofFirst, ...ofSecond],
  ])
  expect(rows.map(({ hold_id }) => hold_id)).toEqual([...ofFirst, ...ofSecond])
  await rollUpUsage(runtime())
  expect(await countsOf(two)).toEqual({ summed: 2, charged: 2 })
  await Promise.all([first.end(), second.end()])
})

test("no mark skips an entry, and no batch deadlocks, while many connections charge and sum up", async () => {
  const spenders = await Promise.all(Array.from({ length: 5 }, newSpender))
  const until = performance.now() + 2_000 * testScale
  let isBusy = true
  const shuffled = () => spenders.flatMap((one) => [one, one]).sort(() => Math.random() - 0.5)
  const charge = async () => {
    const client = await connect()
    // Three batches at least, because on a busy machine the time may be over before the first one.
    for (let batches = 0; batches < 3 || performance.now() < until; batches++)
      await capture(client, await hold(client, shuffled()))
    await client.end()
  }
  const sumUp = async () => {
    const client = await connect()
    while (isBusy)
      for (const { accountId } of spenders) await client.query("SELECT roll_up_usage($1, $2)", [accountId, 7])
    await client.end()
  }
  const summing = [sumUp(), sumUp(), sumUp()]
  await Promise.all([charge(), charge(), charge(), charge()])
  isBusy = false
  await Promise.all(summing)
  await rollUpUsage(runtime())
  for (const spender of spenders) {
    const counts = await countsOf(spender)
    expect(counts?.charged).toBeGreaterThan(10)
    expect(counts?.summed).toBe(counts?.charged)
  }
  expect((await checkLedger(runtime().pool)).filter(({ ok }) => !ok)).toEqual([])
})
