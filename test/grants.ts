import { afterEach, beforeAll, expect, vi } from "vitest"
import { Grants } from "@/lib/server/ledger/grants"
import { capture, placeHold, release } from "@/lib/server/ledger/hold"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "./database"
import { insertModel, insertPayer } from "./insert-rows"
import { brokenChecks, setLedgerClock } from "./ledger-state"

export const PRICE = 1_000_000n
const MOST = 1_000
/** The maximum cost of a request. */
export const COST = PRICE * BigInt(MOST)
export const FIVE_USD = 5_000_000_000_000n
export const MODEL_ID = "test-model-1"
const FACTS = { latencyMs: 1, questionCounts: { noul: 1 } }
/** Longer than any test, so that a slow machine ends no grant. */
const IDLE_MS = 600_000

/** Prepares a file whose tests hold grants. After each test, every invariant of the ledger must hold. */
export function grantTests(): void {
  beforeAll(async () => {
    await testRuntime()
    await insertModel(MODEL_ID)
    runtime().grants = new Grants(IDLE_MS)
  })
  afterEach(async () => {
    expect(await brokenChecks()).toEqual([])
    await setLedgerClock()
    await runtime().grants.close()
    runtime().grants = new Grants(IDLE_MS)
    expect(await brokenChecks()).toEqual([])
  })
}

export interface Payer {
  accountId: string
  keyId: string
}

export const newPayer = (balancePico = FIVE_USD, options: Parameters<typeof insertPayer>[0] = {}): Promise<Payer> =>
  insertPayer({ balancePico, ...options })

export const place = (actor: Payer, id = newId(), maxTokens = MOST, tags: readonly string[] = []) =>
  placeHold(runtime(), { id, actor, modelId: MODEL_ID, pricePico: pico(PRICE), maxTokens, tags })

export const charge = ({ accountId }: Payer, id: string, tokens = 400) =>
  capture(runtime(), { id, accountId }, { ...FACTS, tokens })

/** Asks the database for a grant, as another process would. Returns the credit that was added, in pico-USD. */
export async function extend(
  { accountId, keyId }: Payer,
  id: string,
  wanted: bigint,
  isNew = true,
): Promise<string | null> {
  const values = [id, isNew, accountId, keyId, MODEL_ID, wanted]
  const { rows } = await runtime().pool.query("SELECT extend_grant($1, $2, $3, $4, $5, $6, 1) AS added", values)
  return rows[0].added
}

export async function grantsOf({ accountId }: Payer): Promise<string[]> {
  const { rows } = await runtime().pool.query("SELECT hold_id FROM credit_grant WHERE account_id = $1", [accountId])
  return rows.map(({ hold_id: id }) => id)
}

export async function stateOf(holdId: string): Promise<string> {
  return (await runtime().pool.query("SELECT state FROM hold WHERE id = $1", [holdId])).rows[0]?.state
}

/** Sends requests with these tags until this process pays for them from a grant. Returns the grant's id. */
export const warmUp = (payer: Payer, tags: readonly string[] = []): Promise<string> =>
  vi.waitFor(
    async () => {
      for (let i = 0; i < 20; i++) {
        const id = newId()
        expect(await place(payer, id, MOST, tags)).toEqual({ outcome: "held" })
        expect(await charge(payer, id)).toBe("captured")
      }
      const probe = newId()
      await place(payer, probe, MOST, tags)
      const draw = runtime().grants.drawOf(probe)
      await release(runtime(), { id: probe, accountId: payer.accountId })
      if (!draw) throw new Error("nothing was drawn yet")
      // An extension that is under way would change what is held.
      if (draw.grant.isExtending) throw new Error("the grant is being extended")
      return draw.grant.id
    },
    { timeout: 20_000, interval: 10 },
  )
