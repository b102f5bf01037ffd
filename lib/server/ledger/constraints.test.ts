import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertAccount, insertModel, insertPayer } from "@/test/insert-rows"
import { brokenChecks } from "@/test/ledger-state"
import { capture, placeHold } from "./hold"

await testRuntime()
const modelId = await insertModel()

const sql = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

interface Named {
  accountId: string
  keyId: string
  holdId: string
}

async function newHold(model = modelId): Promise<Named> {
  const actor = await insertPayer()
  const holdId = newId()
  await placeHold(runtime(), { id: holdId, actor, modelId: model, pricePico: pico(1n), maxTokens: 10 })
  return { ...actor, holdId }
}

async function newCharge(model = modelId): Promise<Named> {
  const named = await newHold(model)
  const facts = { tokens: 3, latencyMs: 1, questionCounts: { noul: 1 } }
  expect(await capture(runtime(), { id: named.holdId, accountId: named.accountId }, facts)).toBe("captured")
  return named
}

describe("what holds and entries refer to", () => {
  it.each([
    ["an open hold", newHold],
    ["a charge", newCharge],
  ])("cannot be deleted or renamed: account, key and model of %s", async (what, make) => {
    const model = `named-by-${what === "a charge" ? "charge" : "hold"}-1`
    await insertModel(model)
    const { accountId, keyId } = await make(model)
    await sql("DELETE FROM api_key WHERE account_id = $1 AND kind = 'playground'", [accountId])
    for (const [table, id] of Object.entries({ account: accountId, api_key: keyId, model })) {
      await expect(sql(`DELETE FROM ${table} WHERE id = $1`, [id])).rejects.toMatchObject({ code: "23503" })
      await expect(sql(`UPDATE ${table} SET id = $2 WHERE id = $1`, [id, newId()])).rejects.toThrow(
        /violates foreign key constraint|pinned/,
      )
    }
  })

  it("includes a captured hold, and an account with only a credit", async () => {
    const { holdId } = await newCharge()
    await expect(sql("DELETE FROM hold WHERE id = $1", [holdId])).rejects.toMatchObject({ code: "23503" })
    await expect(sql("UPDATE hold SET id = $2 WHERE id = $1", [holdId, newId()])).rejects.toMatchObject({
      code: "23503",
    })
    const other = "UPDATE hold SET resolved_at = now() - interval '8 days' WHERE id = $1"
    await sql(other, [holdId])
    expect((await sql("DELETE FROM hold WHERE id = $1", [holdId])).rowCount).toBe(1)
    await sql("DELETE FROM charged_hold WHERE hold_id = $1", [holdId])
    const { accountId } = await insertAccount(1n)
    await sql("DELETE FROM api_key WHERE account_id = $1", [accountId])
    await expect(sql("DELETE FROM account WHERE id = $1", [accountId])).rejects.toMatchObject({ code: "23503" })
  })

  it.each(["hold CASCADE", "model CASCADE", "api_key CASCADE", "account CASCADE"])(
    "survives TRUNCATE %s",
    async (what) => {
      await expect(sql(`TRUNCATE ${what}`)).rejects.toThrow("append-only")
    },
  )

  it("does not include an account, a key and a model without a hold or an entry, which can be deleted", async () => {
    const { accountId, keyId } = await insertPayer({ balancePico: 0n })
    await insertModel("named-by-nothing-1")
    expect((await sql("DELETE FROM api_key WHERE id = $1", [keyId])).rowCount).toBe(1)
    expect((await sql("DELETE FROM model WHERE id = 'named-by-nothing-1'")).rowCount).toBe(1)
    await sql("DELETE FROM api_key WHERE account_id = $1", [accountId])
    expect((await sql("DELETE FROM account WHERE id = $1", [accountId])).rowCount).toBe(1)
  })
})

describe("a hold or an entry", () => {
  it("refers to an existing account, key and hold", async () => {
    const { accountId, keyId } = await insertPayer()
    const hold = { modelId, pricePico: pico(1n), maxTokens: 10 }
    for (const actor of [
      { accountId: newId(), keyId },
      { accountId, keyId: newId() },
    ]) {
      const many = [1, 2, 3].map(() => placeHold(runtime(), { ...hold, id: newId(), actor }))
      expect(await Promise.all(many)).toEqual(Array(3).fill({ outcome: "revoked" }))
    }
    const entry = `INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, tokens, price_pico)
      VALUES ($1, 'charge', 0, 0, $2, 0, 0)`
    await expect(sql(entry, [accountId, newId()])).rejects.toMatchObject({ code: "23503" })
    expect(await brokenChecks()).toEqual([])
  })
})

describe("the price rule", () => {
  it("refuses an entry that charges another amount", async () => {
    const { accountId, holdId } = await newHold()
    const entry = `INSERT INTO ledger_entry (account_id, kind, amount_pico, balance_after_pico, hold_id, tokens, price_pico)
      VALUES ($1, 'charge', -2, 0, $2, 3, 1)`
    await expect(sql(entry, [accountId, holdId])).rejects.toMatchObject({ constraint: "ledger_entry_check2" })
  })

  it("is stated by verification too, which finds the charges of a wrong token_cost", async () => {
    await sql(`CREATE OR REPLACE FUNCTION token_cost(tokens bigint, price_pico bigint, rule smallint) RETURNS bigint
      LANGUAGE sql IMMUTABLE AS $$ SELECT tokens * price_pico - 1 $$`)
    for (let charges = 0; charges < 3; charges++) await newCharge()
    const found = await brokenChecks()
    await sql(await readFile("prisma/functions/token_cost.sql", "utf8"))
    expect(found).toEqual([
      { name: "a captured hold has exactly one charge of tokens times price", ok: false, violations: 3 },
    ])
  })
})

describe("the shape of a key and of an account's rates", () => {
  const refused = { code: "23514" }

  it.each([
    "kind = 'other'",
    "name = ''",
    `name = '${"n".repeat(65)}'`,
    "masked = NULL",
    "secret_sha256 = NULL",
    "kind = 'playground'",
    "limit_pico = 1",
    "limit_period = 'daily'",
    "limit_pico = 0, limit_period = 'daily'",
    "limit_pico = -1, limit_period = 'daily'",
    "limit_pico = 1, limit_period = 'weekly'",
    "spent_pico = -1",
    "held_pico = -1",
    "limit_pico = 1, limit_period = 'lifetime', spent_pico = 1, held_pico = 1",
  ])("is enforced by the database against %s", async (change) => {
    const { keyId } = await insertPayer({ balancePico: 0n })
    await expect(sql(`UPDATE api_key SET ${change} WHERE id = $1`, [keyId])).rejects.toMatchObject(refused)
  })

  it("is enforced for a new key and a new account too", async () => {
    const { accountId } = await insertAccount(0n)
    await expect(
      sql("INSERT INTO api_key (id, account_id, name) VALUES ($1, $2, 'no secret')", [newId(), accountId]),
    ).rejects.toMatchObject(refused)
    await expect(sql("INSERT INTO account (id, requests_per_second) VALUES ($1, 0)", [newId()])).rejects.toMatchObject(
      refused,
    )
    for (const change of ["requests_per_second = 0", "requests_per_second_per_key = -1", "held_pico = -1"])
      await expect(sql(`UPDATE account SET ${change} WHERE id = $1`, [accountId])).rejects.toMatchObject(refused)
  })
})
