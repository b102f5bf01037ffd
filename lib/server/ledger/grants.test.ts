import { describe, expect, it, vi } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import {
  COST,
  charge,
  extend,
  FIVE_USD,
  grantsOf,
  grantTests,
  newPayer,
  PRICE,
  place,
  stateOf,
  warmUp,
} from "@/test/grants"
import { moneyOf, setLedgerClock } from "@/test/ledger-state"
import { stopClock } from "@/test/stop-clock"
import { sweepGrants } from "./grant-statements"
import { Grants } from "./grants"
import { release } from "./hold"

const ONE_CENT = 10_000_000_000n

grantTests()

/** Returns the names of the statements that were sent while `work` ran. */
async function statementsDuring(work: () => Promise<unknown>): Promise<string[]> {
  const { pool } = runtime()
  const query = vi.spyOn(pool, "query")
  try {
    await work()
    return query.mock.calls.map(([statement]) => (statement as { name?: string }).name ?? "other")
  } finally {
    query.mockRestore()
  }
}

/**
 * Sets the ledger's clock after a grant's lease and sweeps the grant, in one transaction, so that this process cannot renew the lease in
 * between.
 */
const sweepLate = (grantId: string) =>
  runtime().pool.query(`
    CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS $$ SELECT clock_timestamp() + interval '7 s' $$;
    SELECT release('${grantId}', 'expired')`)

describe("a busy key", () => {
  it("pays from its grant with one statement for a whole request", async () => {
    const payer = await newPayer()
    await warmUp(payer)
    const id = newId()
    const sent = await statementsDuring(async () => {
      expect(await place(payer, id)).toEqual({ outcome: "held" })
      expect(await charge(payer, id)).toBe("captured")
    })
    expect(sent.filter((name) => !["extend-grant", "renew-grants"].includes(name))).toEqual(["charge-drawn"])
    const { rows } = await runtime().pool.query("SELECT amount_pico FROM ledger_entry WHERE hold_id = $1", [id])
    expect(rows).toEqual([{ amount_pico: "-400000000" }])
  })

  it("reserves at most 2 % of the smaller remainder of balance and limit", async () => {
    const payer = await newPayer(FIVE_USD, { limitPico: FIVE_USD / 2n, period: "daily" })
    const id = newId()
    expect(await extend(payer, id, 10n)).toBe("10")
    expect(await extend(payer, id, 10n ** 15n, false)).toBe(String(FIVE_USD / 100n - 10n))
    expect((await moneyOf(payer.accountId)).held).toBe(FIVE_USD / 100n)
  })

  it("gets no grant if four requests cost more than 2 % of the balance, nor below four requests per second", async () => {
    const payer = await newPayer(199n * COST)
    for (let i = 0; i < 100; i++) {
      const id = newId()
      await place(payer, id)
      await charge(payer, id, 0)
    }
    await expect.poll(() => grantsOf(payer)).toEqual([])
    expect(runtime().grants.drawOf(newId())).toBeUndefined()
    const slow = await newPayer()
    for (let i = 0; i < 3; i++) await place(slow)
    expect(await grantsOf(slow)).toEqual([])
  })

  it("returns what is unused a second after its last request", async () => {
    runtime().grants = new Grants()
    const payer = await newPayer()
    await warmUp(payer)
    await expect.poll(() => grantsOf(payer)).toEqual([])
    expect((await moneyOf(payer.accountId)).held).toBe(0n)
  })

  it("leaves requests that draw on an ended grant holds of their own", async () => {
    const payer = await newPayer()
    await warmUp(payer)
    const [paid, failed] = [newId(), newId()]
    await place(payer, paid)
    await place(payer, failed)
    await runtime().grants.close()
    expect((await moneyOf(payer.accountId)).held).toBe(2n * COST)
    expect(await charge(payer, paid)).toBe("captured")
    expect(await release(runtime(), { id: failed, accountId: payer.accountId })).toBe("voided")
    expect((await moneyOf(payer.accountId)).held).toBe(0n)
  })
})

describe("a grant whose key or account may no longer be used", () => {
  it.each([
    ["a revoked key", "UPDATE api_key SET revoked_at = ledger_now() WHERE id = $2"],
    ["a paused key", "UPDATE api_key SET paused_at = ledger_now() WHERE id = $2"],
    ["an expired key", "UPDATE api_key SET expires_at = ledger_now() WHERE id = $2"],
    ["a suspended account", "UPDATE account SET status = 'suspended' WHERE id = $1"],
    ["a closed account", "UPDATE account SET status = 'closed' WHERE id = $1"],
  ])("ends with the next beat for %s, and what was drawn before can be charged", async (_, end) => {
    const payer = await newPayer()
    await warmUp(payer)
    const drawn = newId()
    await place(payer, drawn)
    await runtime().pool.query(`WITH ended AS (${end} RETURNING 1) SELECT $1::uuid, $2::uuid FROM ended`, [
      payer.accountId,
      payer.keyId,
    ])
    await expect.poll(() => grantsOf(payer), { timeout: 2_000 }).toEqual([])
    expect((await moneyOf(payer.accountId)).held).toBe(COST)
    expect((await place(payer)).outcome).toMatch(/^(revoked|expired_key)$/)
    expect(await charge(payer, drawn)).toBe("captured")
  })
})

describe("a grant whose process was suspended", () => {
  it("ends, and a charge of it then takes the exact path", async () => {
    const payer = await newPayer()
    const grantId = await warmUp(payer)
    const id = newId()
    await place(payer, id)
    // Another process sweeps before this one renews its lease.
    await sweepLate(grantId)
    expect(await charge(payer, id)).toBe("captured")
    expect(await stateOf(grantId)).toBe("expired")
    await sweepGrants(runtime())
  })

  it("cannot charge what others have taken meanwhile", async () => {
    const payer = await newPayer()
    const grantId = await warmUp(payer)
    const id = newId()
    await place(payer, id)
    await sweepLate(grantId)
    const { balance } = await moneyOf(payer.accountId)
    await runtime().pool.query("SELECT post_entry($1, 'debit', $2, $3)", [payer.accountId, -balance, newId()])
    expect(await charge(payer, id)).toBe("expired")
    await release(runtime(), { id, accountId: payer.accountId })
    expect(await moneyOf(payer.accountId)).toMatchObject({ balance: 0n, held: 0n })
    await sweepGrants(runtime())
  })

  it("is swept after its lease", async () => {
    const payer = await newPayer()
    expect(await extend(payer, newId(), 1_000n)).toBe("1000")
    await sweepGrants(runtime())
    expect((await moneyOf(payer.accountId)).held).toBe(1_000n)
    await setLedgerClock("clock_timestamp() + interval '6 s'")
    await sweepGrants(runtime())
    expect((await moneyOf(payer.accountId)).held).toBe(0n)
    expect(await grantsOf(payer)).toEqual([])
  })
})

describe("a request that finds too little", () => {
  it("recalls the account's grants before it is refused, and is refused although a process does not respond", async () => {
    const payer = await newPayer(1_000n * COST)
    const [grantId, silent] = [await warmUp(payer), newId()]
    const { balance } = await moneyOf(payer.accountId)
    // A request for all there is and the cent that a balance may fall short. A small grant is within that cent.
    const most = Number((balance + ONE_CENT) / PRICE)
    expect(await place(payer, newId(), most)).toEqual({ outcome: "held" })
    expect(await stateOf(grantId)).toBe("voided")
    // A grant of a process that does not answer stays counted.
    const other = await newPayer()
    await extend(other, silent, FIVE_USD / 50n)
    expect(await place(other, newId(), Number(FIVE_USD / PRICE))).toMatchObject({ outcome: "insufficient" })
  })

  it("makes a process end its grant with its next beat, and ask for no other one", async () => {
    const payer = await newPayer()
    await warmUp(payer)
    // A recall lasts for all of the requests below, also on a slow machine.
    stopClock()
    await runtime().pool.query("UPDATE credit_grant SET recalled_at = now() WHERE account_id = $1", [payer.accountId])
    await expect.poll(() => grantsOf(payer)).toEqual([])
    for (let i = 0; i < 30; i++) await place(payer)
    expect(await grantsOf(payer)).toEqual([])
  })

  it("makes a process end its grant when it asks for more, and ask for no other one", async () => {
    const payer = await newPayer()
    await warmUp(payer)
    // A recall lasts for all of the requests below, also on a slow machine.
    stopClock()
    await runtime().pool.query("UPDATE credit_grant SET recalled_at = now() WHERE account_id = $1", [payer.accountId])
    // Uses up the grant well before the next beat.
    for (let i = 0; i < 200; i++) await place(payer)
    await expect.poll(() => grantsOf(payer)).toEqual([])
    for (let i = 0; i < 30; i++) await place(payer)
    expect(await grantsOf(payer)).toEqual([])
  })
})
