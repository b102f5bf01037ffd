import { describe, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { charge, extend, grantTests, MODEL_ID, newPayer, place, warmUp } from "@/test/grants"
import { moneyOf } from "@/test/ledger-state"
import { release } from "./release-hold"

grantTests()

describe("a reply that is lost", () => {
  it("never charges a request that was given up, though its charge arrives later", async () => {
    const payer = await newPayer()
    await warmUp(payer)
    const id = newId()
    await place(payer, id)
    const { balance, held } = await moneyOf(payer.accountId)
    const draw = runtime().grants.drawOf(id)
    if (!draw) throw new Error("the request drew from no grant")
    draw.isCharging = true
    expect(await release({ id, accountId: payer.accountId })).toBe("voided")
    const { rows } = await runtime().pool.query(
      "SELECT state FROM charge_drawn($1, $2, $3, '{1000000}', '{1000}', '{400}', '{1}', ARRAY['{}']::jsonb[])",
      [[draw.grant.id], [id], [MODEL_ID]],
    )
    expect(rows).toEqual([{ state: "voided" }])
    expect((await moneyOf(payer.accountId)).balance).toBe(balance)
    expect(held).toBeGreaterThan(0n)
  })

  it("charges a request once, however often its charge is repeated", async () => {
    const payer = await newPayer()
    const grant = await warmUp(payer)
    const id = newId()
    await place(payer, id)
    const { balance } = await moneyOf(payer.accountId)
    const again = () =>
      runtime().pool.query(
        "SELECT state FROM charge_drawn($1, $2, $3, '{1000000,1000000}', '{1000,1000}', '{400,400}', '{1,1}', ARRAY['{}','{}']::jsonb[])",
        [
          [grant, grant],
          [id, id],
          [MODEL_ID, MODEL_ID],
        ],
      )
    for (const { rows } of [await again(), await again()])
      expect(rows.map(({ state }) => state)).toEqual(["captured", "captured"])
    expect(await charge(payer, id)).toBe("captured")
    expect((await moneyOf(payer.accountId)).balance).toBe(balance - 400_000_000n)
  })
})

describe("a revoked key", () => {
  it("gets no more credit, and its requests take the exact path, which refuses them", async () => {
    const payer = await newPayer()
    const grant = await warmUp(payer)
    await runtime().pool.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [payer.keyId])
    expect(await extend(payer, grant, 10n ** 12n, false)).toBeNull()
  })
})
