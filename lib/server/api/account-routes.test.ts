import { describe, expect, it, onTestFinished, vi } from "vitest"
import { createAccountToken } from "@/lib/server/accounts/account-tokens"
import { createKey } from "@/lib/server/keys/create-key"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { memoryWindows } from "@/lib/server/limits/windows"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { setPrice } from "@/lib/server/models/set-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { expectDescribed } from "@/test/contract"
import { testService } from "@/test/service"
import { signUp } from "@/test/sign-up"

const service = await testService({}, { serve: "all" })
await setPrice(runtime(), OPERATOR, { id: LEXICAL_BASELINE, pricePico: pico(2_000_000n) })
await loadCatalogue(runtime())

const read = (path: string, token: string | null) =>
  fetch(`${service.url}${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })

/** Signs up, with one USD of welcome credit and five more. Returns the account's token and a key. */
async function account(email: string) {
  const actor = await signUp(email)
  await postEntry(service.runtime.pool, {
    accountId: actor.accountId,
    kind: "credit",
    amountPico: pico(5_000_000_000_000n),
    source: `test:${email}`,
  })
  const { token } = await createAccountToken(runtime(), actor, { name: "Dashboard", expiresAt: null })
  const key = await createKey(runtime(), actor, {
    name: "=CI",
    limit: { amountUsd: "1", period: "lifetime" },
    expiresAt: null,
  })
  return { actor, token, key }
}

async function decide(key: string, state: string): Promise<number> {
  const response = await service.decide(key, {
    model: LEXICAL_BASELINE,
    state,
    questions: { late: { type: "noul", instructions: "Was it late?" } },
  })
  const { usage } = (await response.json()) as { usage: { input_tokens: number } }
  return usage.input_tokens
}

const usdOf = (tokens: number): string => `0.${String(tokens * 2_000_000).padStart(12, "0")}`
const today = new Date().toISOString().slice(0, 10)

describe("GET /api/account", () => {
  it("reports the balance, the rates, the keys with limit and use, and the month, as charged", async () => {
    const { actor, token, key } = await account("report@example.com")
    const tokens = await decide(key.token, "The parcel came on Tuesday.")
    const response = await read("/api/account", token)
    const body = await expectDescribed(response, "/api/account", "get")
    expect(body).toEqual({
      id: expect.stringMatching(/^acc_/),
      balance_usd: `5.${String(1_000_000_000_000 - tokens * 2_000_000).padStart(12, "0")}`,
      held_usd: "0.000000000000",
      rate_limits: { requests_per_second: 20, requests_per_second_per_key: 10 },
      month: { from: `${today.slice(0, 7)}-01`, spent_usd: usdOf(tokens), decisions: 1 },
      keys: [
        expect.objectContaining({
          id: key.id,
          name: "=CI",
          ending: key.token.slice(-4),
          kind: "secret",
          status: "active",
          limit_usd: "1.000000000000",
          limit_period: "lifetime",
          used_usd: usdOf(tokens),
          resets_at: null,
        }),
        expect.objectContaining({
          name: "Playground",
          ending: null,
          kind: "playground",
          limit_usd: null,
          used_usd: "0.000000000000",
        }),
      ],
    })
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(JSON.stringify(body)).not.toContain(actor.email)
  })
})

describe("GET /api/usage", () => {
  it("reports what was charged by day, key and model, and nothing of another account", async () => {
    const [mine, theirs] = [await account("usage@example.com"), await account("foreign@example.com")]
    const tokens = (await decide(mine.key.token, "one")) + (await decide(mine.key.token, "two, which is longer"))
    await decide(theirs.key.token, "three")
    const figures = { decisions: 2, input_tokens: tokens, cost_usd: usdOf(tokens) }
    const body = await expectDescribed(await read("/api/usage", mine.token), "/api/usage", "get")
    const from = new Date(Date.parse(today) - 29 * 86_400_000).toISOString().slice(0, 10)
    expect(body).toEqual({
      from,
      to: today,
      as_of: expect.stringMatching(/Z$/),
      total: figures,
      data: [
        {
          date: today,
          key_id: mine.key.id,
          key_name: "=CI",
          key_ending: mine.key.token.slice(-4),
          model: LEXICAL_BASELINE,
          ...figures,
        },
      ],
    })
  })

  it("has the same rows as CSV, in which a name is no formula", async () => {
    const { token, key } = await account("csv@example.com")
    const tokens = await decide(key.token, "one")
    const response = await read(`/api/usage?from=${today}&to=${today}&format=csv`, token)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    expect(await response.text()).toBe(
      `date,key_id,key,model,decisions,input_tokens,cost_usd,key_ending\r\n${today},${key.id},"'=CI","${LEXICAL_BASELINE}",1,${tokens},${usdOf(tokens)},"${key.token.slice(-4)}"\r\n`,
    )
  })

  it("has no rows for days without a charge", async () => {
    const { token, key } = await account("quiet@example.com")
    await decide(key.token, "one")
    const body = await expectDescribed(
      await read("/api/usage?from=2026-01-01&to=2026-01-31", token),
      "/api/usage",
      "get",
    )
    expect(body).toMatchObject({ from: "2026-01-01", to: "2026-01-31", total: { decisions: 0 }, data: [] })
  })

  it.each([
    ["from=2026-02-30", "from"],
    ["from=yesterday", "from"],
    ["to=2026-11-22T00:00:00Z", "to"],
    ["from=2026-03-02&to=2026-03-01", "from"],
    ["from=2024-01-01&to=2026-01-01", "from"],
    ["format=xml", "format"],
    ["secret-name=1", undefined],
    ["from=2026-01-01&from=2026-01-02", undefined],
  ])("refuses %s without repeating it", async (query, param) => {
    const { token } = await account(`${encodeURIComponent(query)}@example.com`.slice(-60).toLowerCase())
    const response = await read(`/api/usage?${query}`, token)
    const body = (await expectDescribed(response, "/api/usage", "get")) as { error: { message: string } }
    expect(response.status).toBe(400)
    expect(body.error).toMatchObject({ code: "invalid_request", ...(param ? { param } : {}) })
    expect(body.error.message).not.toMatch(/yesterday|secret-name|xml/)
  })
})

describe("both", () => {
  it("refuse a key, a foreign text and no token with 401 in the API's shape", async () => {
    const { key } = await account("refused@example.com")
    for (const path of ["/api/account", "/api/usage?from=bad"])
      for (const token of [null, "svct_wrong", key.token]) {
        const response = await read(path, token)
        const body = await expectDescribed(response, path.split("?")[0] ?? "", "get")
        expect([response.status, body]).toMatchObject([401, { error: { code: "invalid_api_key" } }])
      }
  })

  it("a token decides nothing", async () => {
    const { token } = await account("decide@example.com")
    expect((await service.decide(token, { model: LEXICAL_BASELINE, state: "s", questions: {} })).status).toBe(401)
  })

  it("allow five requests a second for each token", async () => {
    const [one, other] = [await account("busy@example.com"), await account("calm@example.com")]
    // All requests are in one second, however long they take.
    const count = vi.spyOn(service.runtime.rates, "countAddress")
    const windows = memoryWindows(() => 0)
    count.mockImplementation((...counted) => windows.countAddress(...counted))
    onTestFinished(() => count.mockRestore())
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => read("/api/account", one.token)))
    const refused = statuses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(7)
    expect(refused[0]?.headers.get("retry-after")).toBe("1")
    expect((await read("/api/account", other.token)).status).toBe(200)
  })
})
