import { expect, test } from "vitest"
import { publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { TYPE_NAMES } from "@/questions/question-types"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { chargeTenant, createTenant, refuseTenant, setClock, type Tenant } from "@/test/tenant"
import { findRequest, hasRequests } from "./find-request"
import { listRequests } from "./list-requests"
import { rollUpUsage } from "./roll-up-usage"
import { streamRequests } from "./stream-requests"

const range = { from: "2026-11-20", to: "2026-11-20" }
const key = (id: string | undefined) => publicId("key", id ?? "")

await testRuntime()
await insertModel("other-model-1")

test("charged and refused requests are in one list, newest first, and each is found by the id of its response", async () => {
  const [one, other] = [await createTenant(["Production"]), await createTenant(["Theirs"])]
  const refused = await refuseTenant(one, one.keys[0], { at: "2026-11-20T10:00:00.000001Z" })
  await setClock("2026-11-20T10:00:00.000002Z")
  const charged = await chargeTenant(one, one.keys[0], { tokens: 12, counts: { noul: 1, choice: 2, score: 3 } })
  await setClock(null)
  const { requests, next } = await listRequests(runtime(), one.actor, { range })
  const both = { at: "2026-11-20T10:00:00.000Z", keyId: key(one.keys[0]), keyName: "Production" }
  const answer = {
    ...both,
    id: publicId("req", charged),
    model: "usage-test-1",
    status: 200,
    code: null,
    latencyMs: 7,
    charge: {
      questionCounts: { noul: 1, choice: 2, score: 3 },
      tokens: 12,
      costUsd: "0.000000240000",
      pricePerMillionUsd: "0.020000",
      tags: [],
    },
  }
  const refusal = {
    ...both,
    id: publicId("req", refused),
    model: null,
    status: 429,
    code: "rate_limited",
    latencyMs: 3,
    charge: null,
  }
  expect(next).toBeNull()
  expect(requests).toEqual([answer, refusal])
  expect(await findRequest(runtime(), one.actor, { id: answer.id })).toEqual(answer)
  expect(await findRequest(runtime(), one.actor, { id: refusal.id })).toEqual(refusal)
  for (const id of [answer.id, refusal.id]) expect(await findRequest(runtime(), other.actor, { id })).toBeNull()
  for (const id of ["", "req_1", charged, `${answer.id}0`, answer.id.replace("req", "key")])
    expect(await findRequest(runtime(), one.actor, { id })).toBeNull()
})

test("pages meet without a gap or a repeat, also where many requests share one microsecond", async () => {
  const one = await createTenant(["Production"])
  const expected = new Set<string>()
  await setClock("2026-11-20T10:00:00.123457Z")
  for (let i = 0; i < 58; i++) {
    expected.add(await refuseTenant(one, one.keys[0], { at: "2026-11-20T10:00:00.123457Z" }))
    expected.add(await chargeTenant(one, one.keys[0], { tokens: 1 }))
  }
  await setClock(null)
  for (const filter of [{}, { keyId: key(one.keys[0]) }]) {
    const seen: string[] = []
    const sizes: number[] = []
    let before: string | undefined
    do {
      const page = await listRequests(runtime(), one.actor, { range, ...filter, before })
      sizes.push(page.requests.length)
      seen.push(...page.requests.map((request) => request.id))
      before = page.next ?? undefined
    } while (before)
    expect(sizes).toEqual([50, 50, 16])
    expect(new Set(seen)).toEqual(new Set([...expected].map((id) => publicId("req", id))))
    expect(seen).toHaveLength(116)
  }
})

test.each([
  ["hour", 2],
  ["day after the hourly sums were dropped", 100],
])("pages whose start is found in sums by %s list every request in order", async (_unit, daysAgo) => {
  const day = new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const range = { from: day, to: day }
  const one = await createTenant(["Production", "Other"])
  const [main, other] = one.keys
  const made: { id: string; keyId: string; model: string; result: string }[] = []
  for (let i = 0; i < 135; i++) {
    // Each tenth request is made in the first moment of an hour.
    const at = new Date(Date.parse(day) + i * 360_000).toISOString()
    const keyId = (i % 3 === 0 ? other : main) ?? ""
    const model = i % 4 === 0 ? "other-model-1" : "usage-test-1"
    await setClock(at)
    const id =
      i % 5 === 2 ? await refuseTenant(one, keyId, { at, model }) : await chargeTenant(one, keyId, { tokens: 1, model })
    made.unshift({ id: publicId("req", id), keyId: key(keyId), model, result: i % 5 === 2 ? "refused" : "answered" })
    if (i === 125) await rollUpUsage(runtime())
  }
  await setClock(null)
  for (const filter of [
    {},
    { keyId: key(main) },
    { model: "other-model-1" },
    { result: "answered" },
    { keyId: key(other), model: "usage-test-1" },
  ]) {
    const seen: string[] = []
    for (let before: string | undefined, isLast = false; !isLast; ) {
      const page = await listRequests(runtime(), one.actor, { range, ...filter, before })
      seen.push(...page.requests.map(({ id }) => id))
      before = page.next ?? undefined
      isLast = page.next === null
    }
    const wanted = made.filter((request) =>
      Object.entries(filter).every(([name, value]) => request[name as "model"] === value),
    )
    expect(seen).toEqual(wanted.map(({ id }) => id))
  }
})

test("filters by key, model, result and range return exactly the matching requests", async () => {
  const one = await createTenant(["A", "B"])
  const [a, b] = one.keys
  const names = new Map<string, string>()
  const note = async (name: string, id: Promise<string>) => names.set(publicId("req", await id), name)
  await setClock("2026-11-19T23:59:59.999999Z")
  await note("yesterday", chargeTenant(one, a, { tokens: 1 }))
  await setClock("2026-11-20T00:00:00Z")
  await note("a", chargeTenant(one, a, { tokens: 1 }))
  await note("a other", chargeTenant(one, a, { tokens: 1, model: "other-model-1" }))
  await setClock("2026-11-20T01:00:00Z")
  await note("b other", chargeTenant(one, b, { tokens: 1, model: "other-model-1" }))
  await setClock("2026-11-21T00:00:00Z")
  await note("tomorrow", chargeTenant(one, a, { tokens: 1 }))
  await setClock(null)
  await note("a 429", refuseTenant(one, a, { at: "2026-11-20T23:00:00Z", model: "usage-test-1" }))
  const poor = { status: 402, code: "insufficient_balance", model: "other-model-1" }
  await note("b 402", refuseTenant(one, b, { at: "2026-11-20T22:00:00Z", ...poor }))
  const found = async (filter: object) =>
    (await listRequests(runtime(), one.actor, { range, ...filter })).requests.map(({ id }) => names.get(id))
  expect(await found({})).toEqual(["a 429", "b 402", "b other", "a other", "a"])
  expect(await found({ keyId: key(a) })).toEqual(["a 429", "a other", "a"])
  expect(await found({ model: "other-model-1" })).toEqual(["b 402", "b other", "a other"])
  expect(await found({ keyId: key(b), model: "other-model-1", result: "answered" })).toEqual(["b other"])
  expect(await found({ result: "answered" })).toEqual(["b other", "a other", "a"])
  expect(await found({ result: "refused" })).toEqual(["a 429", "b 402"])
  expect(await found({ result: "rate_limited" })).toEqual(["a 429"])
  expect(await found({ keyId: key(a), result: "insufficient_balance" })).toEqual([])
  expect(await found({ keyId: "key_nonsense" })).toEqual([])
})

test("filters by minute, latency, cost, tag and type of question return exactly the matching requests, also over many pages", async () => {
  const one = await createTenant(["A", "B"])
  const made: { id: string; at: string; ms: number; usd: number; type: string; tags: string[] }[] = []
  for (let i = 0; i < 90; i++) {
    const at = new Date(Date.parse("2026-11-20T08:00:00Z") + i * 60_000).toISOString()
    const [tokens, latencyMs, type] = [1 + (i % 7), 10 * (i % 11), ["noul", "choice", "score"][i % 3] ?? ""]
    await setClock(at)
    const tags = i % 4 === 0 ? ["env=prod", `team=t${i % 5}`] : i % 4 === 1 ? ["env=prod-2"] : []
    const id = await chargeTenant(one, one.keys[i % 2], { tokens, latencyMs, counts: { [type]: 2 }, tags })
    made.unshift({ id: publicId("req", id), at, ms: latencyMs, usd: tokens * 2e-8, type, tags })
    if (i === 60) await rollUpUsage(runtime())
  }
  await setClock(null)
  const refused = publicId("req", await refuseTenant(one, one.keys[0], { at: "2026-11-20T08:30:30Z" }))
  const read = async (filter: object, options: object) => {
    const seen: string[] = []
    for (let before: string | undefined, isLast = false; !isLast; ) {
      const page = await listRequests(runtime(), one.actor, { range, ...filter, before }, options)
      seen.push(...page.requests.map(({ id }) => id))
      before = page.next ?? undefined
      isLast = page.next === null
    }
    return seen
  }
  const minutes = { from: "2026-11-20T08:30", to: "2026-11-20T08:45" }
  const cases: [object, (request: (typeof made)[number]) => boolean, boolean][] = [
    [{ range: minutes }, ({ at }) => at >= "2026-11-20T08:30" && at < "2026-11-20T08:46", true],
    [{ minMs: 100 }, ({ ms }) => ms >= 100, false],
    [{ minMs: 20, maxMs: 30 }, ({ ms }) => ms >= 20 && ms <= 30, false],
    [{ maxMs: 5 }, ({ ms }) => ms <= 5, true],
    [{ minUsd: "0.00000014" }, ({ usd }) => usd > 1.39e-7, false],
    [{ maxUsd: "0.00000002", type: "noul" }, ({ usd, type }) => usd < 2.1e-8 && type === "noul", false],
    [
      { type: "score", range: minutes, minMs: 50 },
      ({ type, ms, at }) => type === "score" && ms >= 50 && at >= "2026-11-20T08:30" && at < "2026-11-20T08:46",
      false,
    ],
    [{ type: "choice", result: "refused" }, () => false, false],
    [{ tag: "env=prod" }, ({ tags }) => tags.includes("env=prod"), false],
    [
      { tag: "team=t3", type: "noul", keyId: key(one.keys[0]) },
      ({ tags, type }) => tags.includes("team=t3") && type === "noul",
      false,
    ],
    [{ tag: "team=t3", keyId: key(one.keys[1]) }, () => false, false],
    [{ tag: "env=prod", result: "refused" }, () => false, false],
    [{ tag: "team=none" }, () => false, false],
  ]
  for (const [filter, matches, hasRefused] of cases) {
    const ids = made.filter(matches).map(({ id }) => id)
    for (const options of [{}, { size: 3, searchMs: 0 }]) {
      const seen = await read(filter, options)
      expect([filter, seen.filter((id) => id !== refused)]).toEqual([filter, ids])
      expect([filter, seen.includes(refused)]).toEqual([filter, hasRefused])
    }
  }
})

test("a search that runs out of time says how far it went, and goes on from there", async () => {
  const one = await createTenant(["A"])
  for (const at of ["2026-11-20T01:00:00Z", "2026-11-20T09:00:00Z", "2026-11-20T21:00:00Z"]) {
    await setClock(at)
    await chargeTenant(one, one.keys[0], { tokens: 1, latencyMs: at.includes("T01") ? 900 : 7 })
  }
  await rollUpUsage(runtime())
  await setClock("2026-11-20T22:00:00Z")
  await chargeTenant(one, one.keys[0], { tokens: 1 })
  await setClock(null)
  const filter = { range, minMs: 800 }
  const first = await listRequests(runtime(), one.actor, filter, { searchMs: 0 })
  expect(first).toMatchObject({ requests: [], searchedTo: "2026-11-20T22:00:00.000Z" })
  const next = await listRequests(runtime(), one.actor, { ...filter, before: first.next ?? undefined }, { searchMs: 0 })
  expect(next).toMatchObject({ requests: [{ latencyMs: 900 }], searchedTo: null, next: null })
})

test("another account's requests are never listed, not even with that account's cursor or key", async () => {
  const [one, other] = [await createTenant(["Mine"]), await createTenant(["Theirs"])]
  for (let i = 0; i < 51; i++) await refuseTenant(other, other.keys[0], { at: "2026-11-20T11:00:00Z" })
  const mine = await refuseTenant(one, one.keys[0], { at: "2026-11-20T10:00:00Z" })
  const { next } = await listRequests(runtime(), other.actor, { range })
  expect(next).not.toBeNull()
  const page = await listRequests(runtime(), one.actor, { range, before: next ?? undefined })
  expect(page.requests.map((request) => request.id)).toEqual([publicId("req", mine)])
  expect((await listRequests(runtime(), one.actor, { range, keyId: key(other.keys[0]) })).requests).toEqual([])
})

test("the file has a line for every request of the range, and no name in it is a formula", async () => {
  const one = await createTenant(['=HYPERLINK("x")'])
  await setClock("2026-11-20T10:00:00Z")
  const counts = Object.fromEntries(TYPE_NAMES.map((name, at) => [name, at + 1]))
  const charged = await chargeTenant(one, one.keys[0], { tokens: 12, counts, tags: ["env=prod", "team=search"] })
  await setClock(null)
  await runtime().pool.query(
    `INSERT INTO request_event SELECT gen_random_uuid(), $1, $2, NULL, 429, 'rate_limited', 3, '2026-11-20T09:00:00Z'
     FROM generate_series(1, 1000)`,
    [one.actor.accountId, one.keys[0]],
  )
  const lines = (await new Response(streamRequests(runtime(), one.actor, { range })).text()).split("\r\n")
  expect(lines).toHaveLength(1_003)
  expect(lines[0]).toBe(
    `time_utc,request_id,key_id,key,model,status,code,${TYPE_NAMES.map((name) => `${name}_questions`)},tokens,cost_usd,latency_ms,tags`,
  )
  const name = `"'=HYPERLINK(""x"")"`
  expect(lines[1]).toBe(
    `2026-11-20T10:00:00.000Z,${publicId("req", charged)},${key(one.keys[0])},${name},"usage-test-1",200,,${Object.values(counts)},12,0.000000240000,7,"env=prod team=search"`,
  )
  expect(lines[2]).toMatch(/^2026-11-20T09:00:00.000Z,req_\w{26},key_\w{26},.*,,429,rate_limited,/)
  expect(lines[2]?.endsWith(`,429,rate_limited${",".repeat(TYPE_NAMES.length + 3)}3,`)).toBe(true)
  expect(new Set(lines.slice(1, 1_002)).size).toBe(1_001)
})

test("the file of JSON lines has an object for every request of the filters", async () => {
  const one = await createTenant(["Production"])
  await setClock("2026-11-20T10:00:00Z")
  const charged = await chargeTenant(one, one.keys[0], {
    tokens: 12,
    counts: { choice: 2 },
    tags: ["team=search"],
  })
  await setClock(null)
  const refused = await refuseTenant(one, one.keys[0], { at: "2026-11-20T09:00:00Z" })
  const read = async (filter: object) =>
    (await new Response(streamRequests(runtime(), one.actor, { range, ...filter }, "jsonl")).text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
  const both = { key_id: key(one.keys[0]), key: "Production" }
  const answer = {
    ...{ time_utc: "2026-11-20T10:00:00.000Z", request_id: publicId("req", charged), ...both, model: "usage-test-1" },
    ...{ status: 200, code: null, latency_ms: 7, questions: { choice: 2 }, tokens: 12 },
    ...{ price_usd_per_million: "0.020000", cost_usd: "0.000000240000", tags: ["team=search"] },
  }
  const refusal = {
    ...{ time_utc: "2026-11-20T09:00:00.000Z", request_id: publicId("req", refused), ...both, model: null },
    ...{ status: 429, code: "rate_limited", latency_ms: 3 },
  }
  expect(await read({})).toEqual([answer, refusal])
  expect(await read({ type: "choice" })).toEqual([answer])
})

test("an account has sent requests from the first charge, refusal or saved use of a key on", async () => {
  const used = async ({ keys: [id] }: Tenant) => {
    await runtime().pool.query("UPDATE api_key SET last_used_at = now() WHERE id = $1", [id])
  }
  const first: Record<string, (tenant: Tenant) => Promise<unknown>> = {
    charge: (tenant) => chargeTenant(tenant, tenant.keys[0], { tokens: 1 }),
    refusal: (tenant) => refuseTenant(tenant, tenant.keys[0], { at: "2026-11-20T10:00:00Z" }),
    use: used,
  }
  for (const [kind, send] of Object.entries(first)) {
    const [one, other] = [await createTenant(["Production"]), await createTenant(["Theirs"])]
    expect([kind, await hasRequests(runtime(), one.actor)]).toEqual([kind, false])
    await send(one)
    expect([kind, await hasRequests(runtime(), one.actor)]).toEqual([kind, true])
    expect([kind, await hasRequests(runtime(), other.actor)]).toEqual([kind, false])
  }
})
