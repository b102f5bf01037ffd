import { expect } from "vitest"
import { placeHold } from "@/lib/server/ledger/hold"
import { postEntry } from "@/lib/server/ledger/post-entry"
import type { UserActor } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { ownerOf } from "./sign-up"

const PRICE = pico(20_000)
const MODEL = "usage-test-1"
const sql = (text: string, values: unknown[] = []) => runtime().pool.query(text, values)

export interface Tenant {
  actor: UserActor
  /** UUIDs, in the order of `keyNames`. */
  keys: string[]
}

export async function createTenant(keyNames: string[]): Promise<Tenant> {
  const accountId = newId()
  await sql("INSERT INTO account (id) VALUES ($1)", [accountId])
  await sql(
    "INSERT INTO model (id, kind, engine, price_pico) VALUES ($1, 'pinned', 'lexical', $2) ON CONFLICT DO NOTHING",
    [MODEL, PRICE],
  )
  const keys = keyNames.map(() => newId())
  for (const [index, id] of keys.entries())
    await sql(
      "INSERT INTO api_key (id, account_id, kind, name, masked, secret_sha256) VALUES ($1, $2, 'secret', $3, 'svcd_…', $4)",
      [id, accountId, keyNames[index], Buffer.from(id)],
    )
  const credit = { accountId, kind: "credit" as const, amountPico: pico(10n ** 12n), source: `test:${accountId}` }
  await postEntry(runtime().pool, credit)
  return { actor: ownerOf(accountId), keys }
}

interface Charge {
  tokens: number
  model?: string
  latencyMs?: number
  counts?: Record<string, number>
  tags?: string[]
}

/** Inserts a paid decision of a key, at 20,000 pico-USD per token. Returns its UUID. */
export async function chargeTenant({ actor }: Tenant, keyId: string | undefined, made: Charge): Promise<string> {
  const id = newId()
  const { tokens, model = MODEL, latencyMs = 7, counts = { noul: 1 }, tags } = made
  const spender = { accountId: actor.accountId, keyId: keyId ?? "" }
  // `isKeyed` places a real hold instead of drawing on a grant. `charge_holds` charges only real holds.
  const request = { id, actor: spender, modelId: model, pricePico: PRICE, maxTokens: tokens, isKeyed: true, tags }
  const held = await placeHold(runtime(), request)
  expect(held).toEqual({ outcome: "held" })
  await sql("SELECT * FROM charge_holds($1, $2, $3, $4)", [[id], [tokens], [latencyMs], [JSON.stringify(counts)]])
  return id
}

interface Refusal {
  at: string
  code?: string
  status?: number
  model?: string | null
}

export async function refuseTenant({ actor }: Tenant, keyId: string | undefined, made: Refusal): Promise<string> {
  const id = newId()
  const { at, code = "rate_limited", status = 429, model = null } = made
  await sql("INSERT INTO request_event VALUES ($1, $2, $3, $4, $5, $6, 3, $7)", [
    id,
    actor.accountId,
    keyId,
    model,
    status,
    code,
    at,
  ])
  return id
}

/** Stops the ledger's clock at this time, or starts it again with null. */
export const setClock = (at: string | null) =>
  sql(`CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT ${at ? `'${at}'::timestamptz` : "clock_timestamp()"} $$`)
