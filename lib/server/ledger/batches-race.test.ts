import pg from "pg"
import { describe, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount, insertKey, insertModel, insertPayer } from "@/test/insert-rows"
import { brokenChecks, setLedgerClock } from "@/test/ledger-state"
import { waitsForLock } from "@/test/waits-for-lock"
import { createHoldCalls } from "./hold-statements"

const { databaseUrl } = await testRuntime()
const modelId = await insertModel()

interface Key {
  accountId: string
  keyId: string
}
const newKey = (options: Parameters<typeof insertPayer>[0] = {}): Promise<Key> =>
  insertPayer({ balancePico: 1_000_000n, ...options })

const placeTogether = async (items: (Key & { id: string })[], maxTokens = 10): Promise<string[]> => {
  const { rows } = await runtime().pool.query<{ outcome: string }>(
    "SELECT * FROM place_holds($1, $2, $3, $4, $5, $6)",
    [
      items.map(({ id }) => id),
      items.map(({ accountId }) => accountId),
      items.map(({ keyId }) => keyId),
      items.map(() => modelId),
      items.map(() => 1),
      items.map(() => maxTokens),
    ],
  )
  return rows.map(({ outcome }) => outcome)
}
const captureTogether = async (ids: string[], used = 3): Promise<string[]> => {
  const { rows } = await runtime().pool.query<{ state: string }>("SELECT * FROM charge_holds($1, $2, $3, $4)", [
    ids,
    ...[used, 1, '{"noul": 1}'].map((value) => ids.map(() => value)),
  ])
  return rows.map(({ state }) => state)
}

/** Runs `sql` in an open transaction on another connection, starts `work`, and commits once `work` waits for a lock. */
async function whileOpen<T>(sql: string, values: unknown[], work: () => Promise<T>): Promise<T> {
  const other = new pg.Client(databaseUrl)
  await other.connect()
  try {
    await other.query("BEGIN")
    await other.query(sql, values)
    const working = work()
    await waitsForLock()
    await other.query("COMMIT")
    return await working
  } finally {
    await other.end()
  }
}

describe("many holds together", () => {
  it("see a revocation that commits while they wait for it: none is placed by that key", async () => {
    const [revoked, other] = [await newKey(), await newKey()]
    const items = [revoked, other, revoked].map((key) => ({ ...key, id: newId() }))
    const outcomes = await whileOpen("UPDATE api_key SET revoked_at = now() WHERE id = $1", [revoked.keyId], () =>
      placeTogether(items),
    )
    expect(outcomes).toEqual(["revoked", "held", "revoked"])
    expect(await brokenChecks()).toEqual([])
  })
})

describe("many captures together", () => {
  it("charge in full even if their key is revoked and their account credited while they wait", async () => {
    const [key, other] = [await newKey({ limitPico: 1_000n, period: "daily" }), await newKey()]
    const items = [key, other, key].map((one) => ({ ...one, id: newId() }))
    await placeTogether(items)
    const ids = items.map(({ id }) => id)
    const revoke = "UPDATE api_key SET revoked_at = now() WHERE id = $1"
    expect(await whileOpen(revoke, [key.keyId], () => captureTogether(ids.slice(0, 2)))).toEqual(
      Array(2).fill("captured"),
    )
    const credit = "SELECT post_entry($1, 'credit', 5, $2)"
    expect(await whileOpen(credit, [key.accountId, newId()], () => captureTogether(ids))).toEqual(
      Array(3).fill("captured"),
    )
    const { rows } = await runtime().pool.query("SELECT balance_pico FROM account WHERE id = $1", [key.accountId])
    expect(rows).toEqual([{ balance_pico: "999999" }])
    expect(await brokenChecks()).toEqual([])
  })

  it("never end a hold without its ledger entry, not even if its account or key is missing", async () => {
    const [key, other] = [await newKey(), await newKey()]
    const items = [key, other].map((one) => ({ ...one, id: newId() }))
    const ids = items.map(({ id }) => id)
    await placeTogether(items)
    const client = new pg.Client(databaseUrl)
    await client.connect()
    const statesWithout = async (table: "account" | "api_key", id: string) => {
      await client.query("BEGIN; SET LOCAL session_replication_role = replica")
      await client.query(`DELETE FROM ${table} WHERE id = $1`, [id])
      await client.query("SET LOCAL session_replication_role = origin")
      const states = await client
        .query<{ state: string }>("SELECT state FROM charge_holds($1, '{3,3}', '{1,1}', '{\"{}\",\"{}\"}')", [ids])
        .then(({ rows }) => rows.map(({ state }) => state))
        .catch((error: pg.DatabaseError) => error.code)
      const ended = "SELECT state, (SELECT id FROM ledger_entry WHERE hold_id = h.id) FROM hold h WHERE id = $1"
      const hold = typeof states === "string" ? null : (await client.query(ended, [ids[0]])).rows
      await client.query("ROLLBACK")
      return { states, hold }
    }
    // The hold of the missing account stays open.
    expect(await statesWithout("account", key.accountId)).toEqual({
      states: ["unknown", "captured"],
      hold: [{ state: "held", id: null }],
    })
    expect(await statesWithout("api_key", key.keyId)).toEqual({ states: "23503", hold: null })
    await client.end()
  })
})

it("captures are flushed to disk before they return; holds are not", async () => {
  const [key, id] = [await newKey(), newId()]
  const client = await runtime().pool.connect()
  const flushes = async () => (await client.query("SHOW synchronous_commit")).rows[0].synchronous_commit
  await client.query("BEGIN")
  await client.query("SELECT * FROM place_holds($1, $2, $3, $4, '{1,1}', '{1,1}')", [
    [id, newId()],
    [key.accountId, key.accountId],
    [key.keyId, key.keyId],
    [modelId, modelId],
  ])
  expect(await flushes()).toBe("off")
  await client.query("COMMIT; BEGIN")
  await client.query("SELECT * FROM charge_holds($1, '{1}', '{1}', ARRAY['{}']::jsonb[])", [[id]])
  expect(await flushes()).toBe("on")
  await client.query("COMMIT")
  client.release()
})

describe("many at once from several instances", () => {
  it("never exceed a key's limit by a pico-dollar, in whatever batches they come", async () => {
    const { accountId } = await insertAccount(10_000n)
    const limits = [1_001n, 2_003n, undefined]
    const keys = await Promise.all(limits.map((limitPico) => insertKey(accountId, limitPico ? { limitPico } : {})))
    const instances = [createHoldCalls().holds, createHoldCalls().holds, createHoldCalls().holds]
    const asked = Array.from({ length: 900 }, (_, i) => ({ id: newId(), keyId: keys[i % 3]?.keyId ?? "", at: i % 7 }))
    const outcomes = await Promise.all(
      asked.map(({ id, keyId, at }) =>
        instances[at % 3]?.submit({ id, actor: { accountId, keyId }, modelId, pricePico: pico(1n), maxTokens: 7 + at }),
      ),
    )
    const heldBy = (index: number) =>
      asked.reduce((sum, { keyId, at }, i) => {
        const counts = keyId === keys[index]?.keyId && outcomes[i]?.outcome === "held"
        return sum + (counts ? 7n + BigInt(at) : 0n)
      }, 0n)
    // The rest is less than the smallest hold that was refused.
    for (const [index, limit] of [1_001n, 2_003n].entries()) {
      expect(heldBy(index)).toBeLessThanOrEqual(limit)
      expect(heldBy(index)).toBeGreaterThan(limit - 13n)
    }
    const { rows } = await runtime().pool.query("SELECT held_pico FROM account WHERE id = $1", [accountId])
    expect(BigInt(rows[0].held_pico)).toBe(heldBy(0) + heldBy(1) + heldBy(2))
    expect(await brokenChecks()).toEqual([])
  })

  it("count in one day: a batch is judged and dated at one moment, though midnight passes meanwhile", async () => {
    const key = await newKey({ limitPico: 20n, period: "daily" })
    const items = () => Array.from({ length: 3 }, () => ({ ...key, id: newId() }))
    const idsOf = (holds: { id: string }[]) => holds.slice(0, 2).map(({ id }) => id)
    await runtime().pool.query("CREATE SEQUENCE tick")
    await setLedgerClock("timestamptz '2126-11-20 12:00:00Z'")
    const before = items()
    expect(await placeTogether(before)).toEqual(["held", "held", "key_limit"])
    expect(await captureTogether(idsOf(before), 10)).toEqual(["captured", "captured"])
    // Each call of this clock returns a time one millisecond later: first 23:59:59.999, then midnight.
    await setLedgerClock("timestamptz '2126-11-20 23:59:59.998Z' + nextval('tick') * interval '1 ms'")
    expect(await placeTogether(items())).toEqual(["key_limit", "key_limit", "key_limit"])
    const after = items()
    expect(await placeTogether(after)).toEqual(["held", "held", "key_limit"])
    await runtime().pool.query("SELECT setval('tick', 1, false)")
    // Even if the clock is set back before midnight, charges are dated in the day whose limit they count against.
    expect(await captureTogether(idsOf(after), 10)).toEqual(["captured", "captured"])
    const { rows } = await runtime().pool.query(
      `SELECT to_char(created_at AT TIME ZONE 'UTC', 'DD') AS day, -sum(amount_pico)::int AS spent FROM ledger_entry
       WHERE key_id = $1 GROUP BY 1 ORDER BY 1`,
      [key.keyId],
    )
    expect(rows).toEqual([
      { day: "20", spent: 20 },
      { day: "21", spent: 20 },
    ])
    await setLedgerClock()
    expect(await brokenChecks()).toEqual([])
  })
})
