/**
 * Measures the queries of the page of requests in a table of 10 million charged requests, times TEST_SCALE. One account has nine tenths of
 * them with one key, another has a tenth with twenty keys. The filters include ones that match nothing, which are the slowest.
 * Prints the median and the slowest of ROUNDS reads. Fails when a median is over its limit.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId, publicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { findRequest } from "@/lib/server/usage/find-request"
import { listRequests } from "@/lib/server/usage/list-requests"
import { rollUpUsage } from "@/lib/server/usage/roll-up-usage"
import type { RequestsInput } from "@/lib/server/usage/schema"
import { signedInAt } from "@/test/sign-up"
import { withRuntime } from "./support/accounts"
import { seedLedger } from "./support/seed-ledger"

const REQUESTS = 10_000_000 * Number(process.env.TEST_SCALE || 1)
const ROUNDS = Number(process.env.ROUNDS || 20)
const MAX_MS = { page: 50, filter: 150 }

const ownerOf = (accountId: string): UserActor => ({
  ...{ type: "user", accountId, role: "owner", operatorRole: null, userId: newId(), sessionId: newId() },
  ...{ confirmedAtMs: signedInAt(Date.now()), email: "a@b.example", clientAddress: null },
})

const minute = (daysAgo: number, time: string): string =>
  `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T${time}`

const RANGE = { days: 90 }

/** Each filter by name. Latencies are 60 to 259 ms, costs $0.0000016 to $0.0000076, and every request has a noul and two choices. */
const filtersFor = (key: string): Record<string, RequestsInput> => ({
  "an hour to the minute": { range: { from: minute(20, "09:30"), to: minute(20, "10:29") } },
  "a key": { range: RANGE, keyId: key },
  "a model": { range: RANGE, model: "scale-test-1" },
  answered: { range: RANGE, result: "answered" },
  "a code": { range: RANGE, result: "rate_limited" },
  "a code of a model": { range: RANGE, result: "rate_limited", model: "scale-test-1" },
  "latency, one in ten": { range: RANGE, minMs: 240 },
  "latency, none": { range: RANGE, minMs: 5_000 },
  "latency, none in its bucket": { range: RANGE, minMs: 260, maxMs: 270 },
  "cost, one in ten": { range: RANGE, minUsd: "0.000007" },
  "cost, none": { range: RANGE, minUsd: "0.00001", maxUsd: "0.00002" },
  "question type, all": { range: RANGE, type: "choice" },
  "question type, none": { range: RANGE, type: "score" },
  "all filters, none": {
    ...{ range: RANGE, keyId: key, model: "scale-test-1", result: "answered", type: "noul" },
    ...{ minMs: 100, maxMs: 200, minUsd: "0.00001", maxUsd: "0.00002" },
  },
})

async function timesOf(work: () => Promise<unknown>): Promise<{ median: number; slowest: number }> {
  const times: number[] = []
  for (let i = 0; i <= ROUNDS; i++) {
    const startedAt = performance.now()
    await work()
    // The first read fills caches.
    if (i > 0) times.push(performance.now() - startedAt)
  }
  times.sort((one, other) => one - other)
  return { median: times[Math.floor(times.length / 2)] ?? 0, slowest: times.at(-1) ?? 0 }
}

async function report(name: string, maxMs: number, work: () => Promise<unknown>): Promise<void> {
  const { median, slowest } = await timesOf(work)
  const isMet = median <= maxMs
  if (!isMet) process.exitCode = 1
  const figures = `${median.toFixed(1).padStart(7)} ms, slowest ${slowest.toFixed(1).padStart(6)} ms`
  console.log(`${isMet ? "met   " : "MISSED"} ${name.padEnd(42)}${figures} (at most ${maxMs} ms)`)
}

async function measure(of: string, actor: UserActor, key: string): Promise<void> {
  const list = (input: RequestsInput) => listRequests(runtime(), actor, input)
  const first = await list({ range: RANGE })
  const [{ id } = { id: "" }] = first.requests
  const read = (name: string, maxMs: number, work: () => Promise<unknown>) => report(`${of}: ${name}`, maxMs, work)
  await read("first page", MAX_MS.page, () => list({ range: RANGE }))
  await read("second page", MAX_MS.page, () => list({ range: RANGE, before: first.next ?? undefined }))
  await read("one request", MAX_MS.page, () => findRequest(runtime(), actor, { id }))
  for (const [name, input] of Object.entries(filtersFor(key))) await read(name, MAX_MS.filter, () => list(input))
}

const dataDir = await mkdtemp(path.join(tmpdir(), "svcd-bench-"))
try {
  await withRuntime(dataDir, async ({ pool }) => {
    const { big, others } = await seedLedger(pool, REQUESTS, 1)
    await rollUpUsage(runtime())
    await pool.query("VACUUM ANALYZE")
    console.log(`${REQUESTS.toLocaleString("en")} requests`)
    const [one] = others
    if (!one) throw new Error("an account is missing")
    await measure("one key", ownerOf(one.accountId), publicId("key", one.keyId))
    await measure("twenty keys", ownerOf(big.accountId), publicId("key", big.keys[3] ?? ""))
  })
} finally {
  await rm(dataDir, { recursive: true, force: true })
}
