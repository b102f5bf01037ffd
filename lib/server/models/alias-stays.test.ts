import { beforeEach, describe, expect, it, vi } from "vitest"
import { listModelsFor } from "@/lib/server/decisions/admit-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { RELIED_ON_MS } from "@/lib/server/platform/authority"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico, usdPerMillion } from "@/lib/shared/money"
import { DAY_MS } from "@/lib/shared/time"
import { insertFastKey, insertModel, insertSession } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { ownerOf } from "@/test/sign-up"
import { stopClock } from "@/test/stop-clock"
import { meanwhile } from "@/test/waits-for-lock"
import { moveAlias, pointAlias } from "./alias"
import { dropStays, findStay, getStay, setStay } from "./alias-stays"
import { loadCatalogue } from "./load-catalogue"
import { retireModel } from "./retire-model"
import { setPrice } from "./set-model"

const service = await testService({}, { serve: "all" })
const query = async (text: string, values: unknown[] = []) => (await runtime().pool.query(text, values)).rows

const NEXT = "next-1"
const QUESTIONS = { late: { type: "noul", instructions: "Is it late?" } }
const BODY = { model: ALIAS, state: "Where is it?", questions: QUESTIONS }

beforeEach(async () => {
  vi.restoreAllMocks()
  await insertModel(NEXT)
  await query("DELETE FROM alias_stay")
  await query("DELETE FROM alias_move")
  await query("UPDATE model SET target_id = $2 WHERE id = $1", [ALIAS, LEXICAL_BASELINE])
  await query("UPDATE model SET status = 'active', replacement_id = NULL WHERE kind = 'pinned'")
  await moveAlias(runtime(), OPERATOR, { toId: NEXT })
  await loadCatalogue(runtime())
})

/** Adds an account with a key whose owner keeps the alias on the earlier model. */
async function stayer() {
  const payer = await insertFastKey()
  await setStay(runtime(), ownerOf(payer.accountId), { stays: true })
  return payer
}

const modelOf = async (token: string, body: unknown = BODY): Promise<string> => {
  const response = await service.decide(token, body)
  expect(response.status).toBe(200)
  return (await response.json()).model
}

const post = async (path: string, body: unknown, headers: Record<string, string>) => {
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: runtime().env.CONSOLE_URL, ...headers },
    body: JSON.stringify(body),
  })
  expect(response.status).toBe(200)
  return response.json()
}

/** Has every model but one be unavailable. */
function onlyAvailable(id: string): void {
  vi.spyOn(runtime().engines, "availability").mockImplementation((asked) =>
    asked === id ? { available: true, reason: null } : { available: false, reason: "stopped" },
  )
}

describe("an account that keeps the alias on its earlier model", () => {
  it("is answered and charged by that model, and no other account is", async () => {
    await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(7n) })
    await setPrice(runtime(), OPERATOR, { id: NEXT, pricePico: pico(11n) })
    await loadCatalogue(runtime())
    const [one, other] = [await stayer(), await insertFastKey()]
    expect(await modelOf(one.token)).toBe(LEXICAL_BASELINE)
    expect(await modelOf(other.token)).toBe(NEXT)
    const charges = await query(
      "SELECT account_id, model_id, -amount_pico / tokens AS price FROM ledger_entry WHERE kind = 'charge' ORDER BY id",
    )
    expect(charges).toEqual([
      { account_id: one.accountId, model_id: LEXICAL_BASELINE, price: "7" },
      { account_id: other.accountId, model_id: NEXT, price: "11" },
    ])
    const { data } = await (await fetch(`${service.url}/v1/models`)).json()
    expect(data[0]).toMatchObject({ id: ALIAS, target_model: NEXT })
  })

  it("gets the pinned id that it names", async () => {
    const { token } = await stayer()
    expect(await modelOf(token, { ...BODY, model: NEXT })).toBe(NEXT)
  })

  it("is answered by it in the dialects, in batches, in the playground and by its token count", async () => {
    const { token, accountId } = await stayer()
    const headers = { authorization: `Bearer ${token}` }
    expect((await post("/v1/systemone", BODY, headers)).model).toBe(LEXICAL_BASELINE)
    const batch = { model: ALIAS, states: ["Where?", "Here."], questions: QUESTIONS }
    const { results } = await post("/v1/systemone/batch", batch, headers)
    expect(results.map(({ model }: { model: string }) => model)).toEqual([LEXICAL_BASELINE, LEXICAL_BASELINE])
    const cookie = await insertSession(accountId)
    expect((await post("/playground/decisions", BODY, { cookie })).model).toBe(LEXICAL_BASELINE)
    expect((await post("/playground/tokens", BODY, { cookie })).model).toBe(LEXICAL_BASELINE)
  })

  it("is shown the earlier model and its price for the alias, by which Evaluate asks, while that model answers", async () => {
    await query("UPDATE model SET price_pico = CASE id WHEN $1 THEN 7 ELSE 11 END WHERE id IN ($1, $2)", [
      LEXICAL_BASELINE,
      NEXT,
    ])
    await loadCatalogue(runtime())
    const shown = (staysOn: string | null) => {
      const entry = listModelsFor(runtime(), staysOn).find(({ id }) => id === ALIAS)
      return [entry?.kind, entry?.target_model, entry?.price_per_million_input_tokens_usd]
    }
    const [earlier, next] = [usdPerMillion(pico(7n)), usdPerMillion(pico(11n))]
    expect(shown(LEXICAL_BASELINE)).toEqual(["alias", LEXICAL_BASELINE, earlier])
    expect(shown(null)).toEqual(["alias", NEXT, next])
    onlyAvailable(NEXT)
    expect(shown(LEXICAL_BASELINE)).toEqual(["alias", NEXT, next])
  })

  it("may use the alias with a key that is restricted to it, and not the earlier model's id", async () => {
    const { token, keyId } = await stayer()
    await query("UPDATE api_key SET models = $2 WHERE id = $1", [keyId, [ALIAS]])
    expect(await modelOf(token)).toBe(LEXICAL_BASELINE)
    const refused = await service.decide(token, { ...BODY, model: LEXICAL_BASELINE })
    expect([refused.status, (await refused.json()).error.code]).toEqual([400, "invalid_model"])
  })

  it("is answered by the alias's own model while the earlier one is unavailable, without a price or retired", async () => {
    const { token } = await stayer()
    onlyAvailable(NEXT)
    expect(await modelOf(token)).toBe(NEXT)
    vi.restoreAllMocks()
    expect(await modelOf(token)).toBe(LEXICAL_BASELINE)
    await query("UPDATE model SET price_pico = NULL WHERE id = $1", [LEXICAL_BASELINE])
    await loadCatalogue(runtime())
    expect(await modelOf(token)).toBe(NEXT)
    await query("UPDATE model SET price_pico = 7 WHERE id = $1", [LEXICAL_BASELINE])
    await retireModel(runtime(), OPERATOR, { id: LEXICAL_BASELINE, replacementId: NEXT })
    await loadCatalogue(runtime())
    expect(await modelOf(token)).toBe(NEXT)
  })

  it("is answered by the earlier model while the alias's own one is unavailable", async () => {
    const { token } = await stayer()
    onlyAvailable(LEXICAL_BASELINE)
    expect(await modelOf(token)).toBe(LEXICAL_BASELINE)
  })

  it("follows the alias within two seconds of the end, and of an owner's change", async () => {
    const pass = stopClock()
    const { token, accountId } = await stayer()
    expect(await modelOf(token)).toBe(LEXICAL_BASELINE)
    await query("UPDATE alias_stay SET until_at = now()")
    pass(RELIED_ON_MS)
    expect(await modelOf(token)).toBe(NEXT)
    await setStay(runtime(), ownerOf(accountId), { stays: true })
    pass(RELIED_ON_MS)
    expect(await modelOf(token)).toBe(LEXICAL_BASELINE)
    await setStay(runtime(), ownerOf(accountId), { stays: false })
    pass(RELIED_ON_MS)
    expect(await modelOf(token)).toBe(NEXT)
  })

  it("stays on the same model, until the same time, when the alias moves on", async () => {
    const { token, accountId } = await stayer()
    const before = await findStay(runtime(), accountId)
    await insertModel("third-1")
    await moveAlias(runtime(), OPERATOR, { toId: "third-1" })
    // Nothing is offered any more.
    await retireModel(runtime(), OPERATOR, { id: NEXT, replacementId: null })
    await loadCatalogue(runtime())
    await setStay(runtime(), ownerOf(accountId), { stays: true })
    expect(await findStay(runtime(), accountId)).toEqual(before)
    expect(await modelOf(token)).toBe(LEXICAL_BASELINE)
  })
})

describe("an owner", () => {
  const audited = (accountId: string) =>
    query("SELECT action, subject, detail FROM audit_event WHERE account_id = $1 ORDER BY id", [accountId])

  it("keeps the earlier model until 30 days after the move, which the audit log has", async () => {
    const [{ created_at: moved }] = await query("SELECT created_at FROM alias_move ORDER BY id DESC LIMIT 1")
    const until = new Date(moved.getTime() + 30 * DAY_MS).toISOString()
    const { accountId } = await insertFastKey()
    const owner = ownerOf(accountId)
    const offer = { model: LEXICAL_BASELINE, until, isAhead: false }
    expect(await getStay(runtime(), owner)).toEqual({ stay: null, offer })
    await setStay(runtime(), owner, { stays: true })
    await setStay(runtime(), owner, { stays: true })
    expect(await getStay(runtime(), owner)).toEqual({ stay: offer, offer })
    await setStay(runtime(), owner, { stays: false })
    await setStay(runtime(), owner, { stays: false })
    expect(await getStay(runtime(), owner)).toEqual({ stay: null, offer })
    expect(await audited(accountId)).toEqual([
      { action: "account.keep_model", subject: LEXICAL_BASELINE, detail: `until ${until.slice(0, 10)}` },
      { action: "account.follow_alias", subject: LEXICAL_BASELINE, detail: null },
    ])
  })

  it("can keep the earlier model while the alias moves back to it", async () => {
    const { accountId } = await insertFastKey()
    await meanwhile(
      () => setStay(runtime(), ownerOf(accountId), { stays: true }),
      (client) => client.query("SELECT FROM model WHERE id = $1 FOR UPDATE", [LEXICAL_BASELINE]),
      (client) => pointAlias(client, LEXICAL_BASELINE),
    )
    expect(await findStay(runtime(), accountId)).toMatchObject({ model: LEXICAL_BASELINE })
  })

  it("is offered none 30 days after the move, for a retired model, and before the first move", async () => {
    const { accountId } = await insertFastKey()
    const refusedWithout = async () => {
      expect((await getStay(runtime(), ownerOf(accountId))).offer).toBeNull()
      const refused = setStay(runtime(), ownerOf(accountId), { stays: true })
      await expect(refused).rejects.toMatchObject({ code: "invalid_request" })
      expect(await findStay(runtime(), accountId)).toBeNull()
    }
    await query("UPDATE alias_move SET created_at = now() - interval '30 days'")
    await refusedWithout()
    await query("UPDATE alias_move SET created_at = now()")
    await query("UPDATE model SET status = 'retired' WHERE id = $1", [LEXICAL_BASELINE])
    await refusedWithout()
    await query("UPDATE model SET status = 'active' WHERE id = $1", [LEXICAL_BASELINE])
    await query("UPDATE alias_move SET from_id = NULL")
    await refusedWithout()
    expect(await audited(accountId)).toEqual([])
  })
})

it("ended stays and those of closed accounts are dropped, and no others", async () => {
  const [ended, closed, running] = [await stayer(), await stayer(), await stayer()]
  await query("UPDATE alias_stay SET until_at = now() WHERE account_id = $1", [ended.accountId])
  await query("UPDATE account SET status = 'closed' WHERE id = $1", [closed.accountId])
  await dropStays(runtime())
  expect(await query("SELECT account_id FROM alias_stay")).toEqual([{ account_id: running.accountId }])
})
