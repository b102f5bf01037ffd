import { beforeAll, describe, expect, test } from "vitest"
import { testRuntime } from "../../test/database"
import type { UserActor } from "../auth/user-actor"
import { newId, publicId } from "../ids"
import { placeHold } from "../ledger/place-hold"
import { postEntry } from "../ledger/post-entry"
import { pico } from "../money"
import { runtime } from "../runtime"
import { listDailySpend } from "./list-daily-spend"
import { listRecentRequests } from "./list-recent-requests"

const PRICE = pico(20_000)
const sql = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

interface Tenant {
  actor: UserActor
  keys: string[]
}

async function tenant(keyNames: string[]): Promise<Tenant> {
  const accountId = newId()
  await sql("INSERT INTO account (id) VALUES ($1)", [accountId])
  const keys = keyNames.map(() => newId())
  for (const [index, id] of keys.entries())
    await sql(
      "INSERT INTO api_key (id, account_id, kind, name, masked, secret_sha256) VALUES ($1, $2, 'secret', $3, 'svcd_…', $4)",
      [id, accountId, keyNames[index], Buffer.from(id)],
    )
  await postEntry(runtime().pool, {
    accountId,
    kind: "credit",
    amountPico: pico(10n ** 12n),
    source: `test:${accountId}`,
  })
  const actor: UserActor = {
    accountId,
    userId: newId(),
    sessionId: newId(),
    email: "a@b.example",
    role: "owner",
    clientAddress: null,
  }
  return { actor, keys }
}

async function charge(
  { actor }: Tenant,
  keyId: string | undefined,
  tokens: number,
  counts = [1, 0, 0],
): Promise<string> {
  const id = newId()
  const hold = {
    id,
    actor: { accountId: actor.accountId, keyId: keyId ?? "" },
    modelId: "usage-test-1",
    pricePico: PRICE,
    maxTokens: tokens,
  }
  expect(await placeHold(hold)).toEqual({ outcome: "held" })
  await sql("SELECT capture($1, $2, 7, $3, $4, $5)", [id, tokens, ...counts])
  return id
}

const refuse = async ({ actor }: Tenant, keyId: string | undefined, at: string) => {
  const id = newId()
  await sql("INSERT INTO request_event VALUES ($1, $2, $3, null, 429, 'rate_limited', 3, $4)", [
    id,
    actor.accountId,
    keyId,
    at,
  ])
  return id
}

const useClock = (at: string | null) =>
  sql(`CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT ${at ? `'${at}'::timestamptz` : "clock_timestamp()"} $$`)

beforeAll(async () => {
  await testRuntime()
  await sql("INSERT INTO model (id, kind, engine, price_pico) VALUES ('usage-test-1', 'pinned', 'lexical', $1)", [
    PRICE,
  ])
})

describe("daily spend", () => {
  test("sums each key's charges by UTC day, to the pico-dollar, and its total is the ledger's", async () => {
    const one = await tenant(["Production", "Staging"])
    await useClock("2026-11-18T23:59:59.999999Z")
    await charge(one, one.keys[0], 100)
    await useClock("2026-11-19T00:00:00Z")
    await charge(one, one.keys[0], 3)
    await charge(one, one.keys[1], 41)
    await charge(one, one.keys[1], 9)
    await useClock("2026-11-20T12:00:00Z")
    const spend = await listDailySpend(one.actor, { days: 7 })
    await useClock(null)
    expect(spend).toEqual({
      asOf: "2026-11-20T12:00:00.000Z",
      firstDay: "2026-11-14",
      rows: [
        {
          day: "2026-11-19",
          keyId: publicId("key", one.keys[1] ?? ""),
          keyName: "Staging",
          decisions: 2,
          tokens: 50,
          costUsd: "0.000001000000",
        },
        {
          day: "2026-11-19",
          keyId: publicId("key", one.keys[0] ?? ""),
          keyName: "Production",
          decisions: 1,
          tokens: 3,
          costUsd: "0.000000060000",
        },
        {
          day: "2026-11-18",
          keyId: publicId("key", one.keys[0] ?? ""),
          keyName: "Production",
          decisions: 1,
          tokens: 100,
          costUsd: "0.000002000000",
        },
      ],
      total: { decisions: 4, tokens: 153, costUsd: "0.000003060000" },
    })
    const { rows } = await sql(
      "SELECT (sum(-amount_pico))::text AS pico FROM ledger_entry WHERE account_id = $1 AND kind = 'charge'",
      [one.actor.accountId],
    )
    expect(rows).toEqual([{ pico: "3060000" }])
  })

  test("leaves out what is older than the days asked for and what another account spent", async () => {
    const [one, other] = [await tenant(["Mine"]), await tenant(["Theirs"])]
    await useClock("2026-11-19T23:00:00Z")
    await charge(one, one.keys[0], 5)
    await charge(other, other.keys[0], 7)
    await useClock("2026-11-20T01:00:00Z")
    const today = await listDailySpend(one.actor, { days: 1 })
    const both = await listDailySpend(one.actor, { days: 2 })
    await useClock(null)
    expect(today.rows).toEqual([])
    expect(today.total).toEqual({ decisions: 0, tokens: 0, costUsd: "0.000000000000" })
    expect(both.rows.map((row) => [row.keyName, row.tokens])).toEqual([["Mine", 5]])
  })
})

describe("recent requests", () => {
  test("charged and refused requests stand together, newest first, with the id of their response", async () => {
    const one = await tenant(["Production"])
    const refused = await refuse(one, one.keys[0], "2026-11-20T10:00:00.000001Z")
    await useClock("2026-11-20T10:00:00.000002Z")
    const charged = await charge(one, one.keys[0], 12, [1, 2, 3])
    await useClock(null)
    const { requests, next } = await listRecentRequests(one.actor)
    expect(next).toBeNull()
    expect(requests).toEqual([
      {
        id: publicId("req", charged),
        at: "2026-11-20T10:00:00.000Z",
        keyName: "Production",
        model: "usage-test-1",
        status: 200,
        code: null,
        latencyMs: 7,
        charge: { noul: 1, choice: 2, score: 3, tokens: 12, costUsd: "0.000000240000" },
      },
      {
        id: publicId("req", refused),
        at: "2026-11-20T10:00:00.000Z",
        keyName: "Production",
        model: null,
        status: 429,
        code: "rate_limited",
        latencyMs: 3,
        charge: null,
      },
    ])
  })

  test("pages meet without a gap or a repeat, also where many requests share one microsecond", async () => {
    const one = await tenant(["Production"])
    const expected = new Set<string>()
    await useClock("2026-11-20T10:00:00.123457Z")
    for (let i = 0; i < 58; i++) {
      expected.add(await refuse(one, one.keys[0], "2026-11-20T10:00:00.123457Z"))
      expected.add(await charge(one, one.keys[0], 1))
    }
    await useClock(null)
    const seen: string[] = []
    const sizes: number[] = []
    let before: string | undefined
    do {
      const page = await listRecentRequests(one.actor, { before })
      sizes.push(page.requests.length)
      seen.push(...page.requests.map((request) => request.id))
      before = page.next ?? undefined
    } while (before)
    expect(sizes).toEqual([50, 50, 16])
    expect(new Set(seen)).toEqual(new Set([...expected].map((id) => publicId("req", id))))
    expect(seen).toHaveLength(116)
  })

  test("another account's requests are never among them, not even with that account's cursor", async () => {
    const [one, other] = [await tenant(["Mine"]), await tenant(["Theirs"])]
    for (let i = 0; i < 51; i++) await refuse(other, other.keys[0], "2026-11-20T11:00:00Z")
    const mine = await refuse(one, one.keys[0], "2026-11-20T10:00:00Z")
    const { next } = await listRecentRequests(other.actor)
    expect(next).not.toBeNull()
    const page = await listRecentRequests(one.actor, { before: next ?? undefined })
    expect(page.requests.map((request) => request.id)).toEqual([publicId("req", mine)])
  })
})
