import { afterEach, beforeAll, beforeEach, expect, vi } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { ONE_NOUL } from "./decide-directly"
import { setLedgerClock } from "./ledger-state"
import { type ScriptedEngine, scriptedEngine } from "./scripted-engine"
import { type TestService, testService } from "./service"

/**
 * Creates a service for a test file, with a new scripted engine for each test. After each test, mocks and the ledger's clock are
 * restored, and every invariant of the ledger must hold.
 */
export function scriptedService() {
  let service: TestService
  let engine: ScriptedEngine
  beforeAll(async () => {
    service = await testService()
  })
  beforeEach(async () => {
    engine = await scriptedEngine()
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await setLedgerClock()
    expect((await verifyLedger(runtime())).checks.filter((check) => !check.ok)).toEqual([])
  })
  return {
    get service() {
      return service
    },
    get engine() {
      return engine
    },
    /** Sends a request with an `Idempotency-Key`. */
    withKey: (token: string, key: string, body: unknown = ONE_NOUL): Promise<Response> =>
      service.decide(token, body, { "idempotency-key": key }),
    /** Returns the rows of the account's idempotency keys. */
    rowsOf: async (accountId: string) =>
      (await service.runtime.pool.query("SELECT * FROM idempotency_key WHERE account_id = $1", [accountId])).rows,
  }
}
