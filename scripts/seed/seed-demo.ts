import type { PoolClient } from "pg"
import { postEntry } from "@/lib/server/ledger/post-entry"
import { openCatalogue } from "@/lib/server/models/seed-models"
import { newId } from "@/lib/server/platform/ids"
import type { Runtime } from "@/lib/server/platform/runtime"
import { rollUpUsage } from "@/lib/server/usage/roll-up-usage"
import { errorTable } from "@/lib/shared/errors"
import { LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { fromCents, type Pico, parseUsd } from "@/lib/shared/money"
import { DAY_MS, HOUR_MS } from "@/lib/shared/time"
import { createDemoAccounts, type DemoAccount, endKeys, KEYS } from "./demo-account"
import { type DemoRequest, demoRequests } from "./demo-requests"
import { at, withLedgerClock } from "./ledger-clock"

/** The models that requests went to, with their prices in pico-USD per token. */
const MODELS = [LEXICAL_BASELINE, "svc-demo-1"]
const PRICES = [500_000n, 2_000_000n]
const BATCH = 250

export interface DemoSize {
  requests: number
  days: number
}

/** What happens to an account's balance between its requests: the day, counted from the first one, and the work. */
type BalanceEvent = [day: number, run: (client: PoolClient, account: DemoAccount, time: Date) => Promise<void>]

/** Buys credit. The row is as Stripe's payment leaves it, without Stripe's ids. */
async function topUp(client: PoolClient, account: DemoAccount, time: Date, cents: number): Promise<string> {
  const id = newId()
  await client.query(
    `INSERT INTO topup (id, account_id, user_id, amount_cents, status, paid_cents, created_at, checked_at)
     VALUES ($1, $2, $3, $4, 'paid', $4, $5, $5)`,
    [id, account.accountId, account.userId, cents, time],
  )
  await postEntry(client, {
    ...{ accountId: account.accountId, kind: "topup", amountPico: fromCents(cents), source: `topup:${id}` },
  })
  return id
}

/** Refunds a part of the account's latest purchase. */
async function refund(client: PoolClient, { accountId }: DemoAccount, cents: number): Promise<void> {
  const { rows } = await client.query<{ id: string }>(
    `UPDATE topup SET refund_debit_cents = $2, version = version + 1
     WHERE id = (SELECT id FROM topup WHERE account_id = $1 ORDER BY created_at DESC LIMIT 1) RETURNING id`,
    [accountId, cents],
  )
  const source = `topup:${rows[0]?.id}:refund:1`
  await postEntry(client, { accountId, kind: "refund", amountPico: fromCents(-cents), source })
}

const buy =
  (cents: number): BalanceEvent[1] =>
  async (client, account, time) =>
    void (await topUp(client, account, time, cents))

const MAIN_EVENTS: BalanceEvent[] = [
  [
    0,
    (client, { accountId }) =>
      postEntry(client, {
        ...{ accountId, kind: "welcome", amountPico: parseUsd("1") as Pico, source: `welcome:${accountId}` },
      }).then(() => {}),
  ],
  [0, buy(2_000)],
  [0.35, buy(1_000)],
  [0.6, buy(2_500)],
  [0.65, (client, account) => refund(client, account, 1_000)],
  [0.9, buy(2_000)],
]

const OVERDRAWN_EVENTS: BalanceEvent[] = [
  [0, buy(500)],
  [1, (client, account) => refund(client, account, 500)],
]

async function spend(
  client: PoolClient,
  { accountId, keyIds }: DemoAccount,
  requests: DemoRequest[],
): Promise<string[]> {
  const { rows } = await client.query<{ outcomes: string[] }>(
    `SELECT seed_clock.spend($1, $2, ARRAY(SELECT uuidv7(t - clock_timestamp()) FROM unnest($2::timestamptz[]) WITH ORDINALITY AS u(t, n) ORDER BY n),
       $3, $4, $5, $6, $7, $8) AS outcomes`,
    [
      accountId,
      requests.map((request) => request.at),
      requests.map(({ key }) => keyIds[key]),
      requests.map(({ model }) => MODELS[model]),
      requests.map(({ model }) => PRICES[model]),
      requests.map(({ tokens }) => tokens),
      requests.map(({ latencyMs }) => latencyMs),
      requests.map(({ counts }) => JSON.stringify(counts)),
    ],
  )
  return rows[0]?.outcomes ?? []
}

const CODES: Record<string, DemoRefusal> = {
  key_limit: "key_limit_reached",
  insufficient: "insufficient_balance",
  expired_key: "invalid_api_key",
}
type DemoRefusal = keyof typeof errorTable

/** Records requests that got no answer, as servers do. */
async function recordRefusals(
  client: PoolClient,
  { accountId, keyIds }: DemoAccount,
  refused: { request: DemoRequest; code: DemoRefusal }[],
): Promise<void> {
  await client.query(
    `INSERT INTO request_event (id, account_id, key_id, model_id, status, code, latency_ms, created_at)
     SELECT uuidv7(at - clock_timestamp()), $1, key, model, status, code, ms, at
     FROM unnest($2::uuid[], $3::text[], $4::int[], $5::text[], $6::int[], $7::timestamptz[]) AS e(key, model, status, code, ms, at)`,
    [
      accountId,
      refused.map(({ request }) => keyIds[request.key]),
      refused.map(({ request }) => MODELS[request.model]),
      refused.map(({ code }) => errorTable[code].status),
      refused.map(({ code }) => code),
      refused.map(({ request }) => Math.min(request.latencyMs, 20)),
      refused.map(({ request }) => request.at),
    ],
  )
}

/** Replays requests and purchases of an account in the order of their times. Money moves in the ledger's SQL functions only. */
async function replay(client: PoolClient, account: DemoAccount, requests: DemoRequest[], events: BalanceEvent[]) {
  const first = requests[0]?.at ?? new Date()
  const last = requests.at(-1)?.at ?? first
  const timeOf = (share: number) => new Date(first.getTime() - 1 + share * (last.getTime() + 2 - first.getTime()))
  const waiting = events.map(([share, run]) => ({ time: timeOf(share), run }))
  for (let from = 0; from < requests.length || waiting.length > 0; ) {
    const [event] = waiting
    const next = requests[from]
    if (event && (!next || event.time <= next.at)) {
      waiting.shift()
      await at(client, event.time, () => event.run(client, account, event.time))
      continue
    }
    const until = requests.findIndex(
      (request, i) => i >= from && (i - from >= BATCH || (event && request.at >= event.time)),
    )
    const batch = requests.slice(from, until === -1 ? undefined : until)
    from += batch.length
    await replayBatch(client, account, batch)
  }
}

async function replayBatch(client: PoolClient, account: DemoAccount, batch: DemoRequest[]): Promise<void> {
  const accepted = batch.filter(({ refusal }) => refusal === null)
  const outcomes = await spend(client, account, accepted)
  const refused = batch.flatMap((request) => {
    const code = request.refusal ?? CODES[outcomes[accepted.indexOf(request)] ?? ""]
    return code === undefined ? [] : [{ request, code }]
  })
  await recordRefusals(client, account, refused)
}

/** With `ENGINE_URL`, the catalogue has neither of the two models. */
async function addModels(runtime: Runtime): Promise<void> {
  await openCatalogue(runtime)
  await runtime.pool.query(
    `INSERT INTO model (id, kind, engine, price_pico, max_questions)
     SELECT id, 'pinned', 'lexical', price, 16 FROM unnest($1::text[], $2::bigint[]) AS m(id, price)
     ON CONFLICT (id) DO NOTHING`,
    [MODELS, PRICES],
  )
}

/**
 * Fills the database with a demo: an account with members, 30 keys, past requests, purchases and a refund, and a second account with a
 * negative balance. Throws when the demo's owner exists.
 */
export async function seedDemo(runtime: Runtime, { requests, days }: DemoSize): Promise<void> {
  const { pool } = runtime
  await addModels(runtime)
  const until = Date.now() - HOUR_MS / 60
  const { main, overdrawn } = await createDemoAccounts(pool, new Date(until - (days + 1) * DAY_MS))
  const few = Math.ceil(requests / 28)
  await withLedgerClock(pool, async (client) => {
    await replay(client, main, demoRequests(requests - few, days, KEYS.length, until), MAIN_EVENTS)
    await replay(client, overdrawn, demoRequests(few, days, 2, until, 48), OVERDRAWN_EVENTS)
  })
  await endKeys(pool, main)
  await pool.query(
    `UPDATE api_key k SET last_used_at = e.at FROM (SELECT key_id, max(created_at) AS at FROM ledger_entry
     WHERE account_id = ANY ($1) AND kind = 'charge' GROUP BY 1) e WHERE e.key_id = k.id`,
    [[main.accountId, overdrawn.accountId]],
  )
  await rollUpUsage(runtime)
}
