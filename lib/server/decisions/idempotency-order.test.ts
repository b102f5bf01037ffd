import { describe, expect, it } from "vitest"
import { revokeKey } from "@/lib/server/keys/revoke-key"
import { moveAlias } from "@/lib/server/models/alias"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { retireModel } from "@/lib/server/models/retire-model"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR, operatorFor } from "@/lib/server/platform/actor"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { ONE_NOUL } from "@/test/decide-directly"
import { insertFastKey, insertKey, insertModel, insertPayer } from "@/test/insert-rows"
import { CHARGED, outcome, REFUSED, REPLAYED } from "@/test/keyed-requests"
import { moneyOf } from "@/test/ledger-state"
import { scriptedService } from "@/test/scripted-service"

const TEN_CENTS = 100_000_000_000n

const scripted = scriptedService()
const { withKey, rowsOf } = scripted

describe("the order of checks", () => {
  it.each(["", "a b", "ü", "a.b", "x".repeat(65)])("refuses the key %j as malformed", async (key) => {
    const { accountId, token } = await insertFastKey()
    expect(await outcome(withKey(token, encodeURIComponent(key).replace(/%20/g, " ")))).toEqual(REFUSED)
    expect(await moneyOf(accountId)).toMatchObject({ charges: 0, held: 0n })
  })

  it("checks the key's form after the body's, and looks it up after the model and the rate limit", async () => {
    const { token } = await insertFastKey()
    expect(await outcome(withKey(token, "a b", { ...ONE_NOUL, state: "" }))).toEqual([400, "invalid_request", "state"])
    expect(await outcome(withKey(token, "a b", { ...ONE_NOUL, model: "none" }))).toEqual(REFUSED)
    expect(await outcome(withKey(token, "k"))).toEqual(CHARGED)
    expect(await outcome(withKey(token, "k", { ...ONE_NOUL, model: "none" }))).toEqual([400, "invalid_model", "model"])
    expect(await outcome(withKey(token, "k", { ...ONE_NOUL, state: "t" }))).toEqual(REFUSED)
  })

  it("skips the balance and the key's limit for a key that was charged", async () => {
    const { accountId, ...limited } = await insertPayer({ balancePico: TEN_CENTS, limitPico: TEN_CENTS })
    const free = await insertKey(accountId)
    expect(await outcome(withKey(limited.token, "k"))).toEqual(CHARGED)
    expect(await outcome(scripted.service.decide(limited.token, ONE_NOUL))).toEqual([402, "key_limit_reached"])
    expect(await outcome(withKey(free.token, "l"))).toEqual([402, "insufficient_balance"])
    expect(await outcome(withKey(limited.token, "k"))).toEqual(REPLAYED)
    expect(await outcome(withKey(free.token, "k"))).toEqual(REPLAYED)
    expect(await rowsOf(accountId)).toHaveLength(1)
  })

  it("refuses an API key that was revoked after the charge", async () => {
    const { accountId, keyId, token } = await insertPayer()
    expect(await outcome(withKey(token, "k"))).toEqual(CHARGED)
    await withKey(token, "m", { ...ONE_NOUL, model: "none" })
    await revokeKey(runtime(), operatorFor(accountId), { id: publicId("key", keyId) })
    expect(await outcome(withKey(token, "k"))).toEqual([401, "invalid_api_key"])
    const other = await insertKey(accountId)
    expect(await outcome(withKey(other.token, "k"))).toEqual(REPLAYED)
  })

  it("answers again by the pinned model of the charge, until that is retired", async () => {
    const { token } = await insertFastKey()
    expect(await outcome(withKey(token, "k"))).toEqual(CHARGED)
    const next = await insertModel("svc-next-1")
    await setPrice(runtime(), OPERATOR, { id: next, pricePico: pico(1n) })
    await moveAlias(runtime(), OPERATOR, { toId: next })
    await loadCatalogue(runtime())
    const modelOf = async (response: Response) => ((await response.json()) as { model: string }).model
    expect(await modelOf(await withKey(token, "new"))).toBe("svc-next-1")
    expect(await modelOf(await withKey(token, "k"))).toBe(LEXICAL_BASELINE)
    await retireModel(runtime(), OPERATOR, { id: LEXICAL_BASELINE, replacementId: next })
    await loadCatalogue(runtime())
    expect(await outcome(withKey(token, "k"))).toEqual([410, "model_retired"])
    await scripted.service.runtime.pool.query(
      "UPDATE model SET status = 'active', replacement_id = NULL WHERE id = $1",
      [LEXICAL_BASELINE],
    )
    await moveAlias(runtime(), OPERATOR, { toId: LEXICAL_BASELINE })
    await loadCatalogue(runtime())
    expect(scripted.service.runtime.catalogue.resolve(ALIAS)?.id).toBe(LEXICAL_BASELINE)
  })
})
