import fc from "fast-check"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { testRuntime } from "@/test/database"
import { SLACK_PICO } from "@/test/ledger-model"
import { MODEL_ID } from "@/test/ledger-script"
import { prepareToPlay } from "@/test/play-ledger"
import { testScale } from "@/test/scale"
import { checkLedger } from "./verify-ledger"

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client((await testRuntime()).databaseUrl)
  await client.connect()
  await prepareToPlay(client)
})
afterAll(() => client.end())

/** Mostly what lets all fit: then they are placed by one statement. */
const rarely = fc.integer({ min: 0, max: 15 }).map((n) => n === 0)
const account = fc.record({
  balance: fc.constantFrom(0n, 5n, SLACK_PICO, 3n * SLACK_PICO, 100n * SLACK_PICO, 100n * SLACK_PICO),
  daily: fc.constantFrom(0n, 1n, 3n, 5n, 3n * SLACK_PICO),
  revoked: rarely,
})
const hold = fc.record({
  account: fc.nat(1),
  key: fc.constantFrom(0, 0, 0, 1, 2),
  price: fc.constantFrom(0n, 1n, 1n, 1n, SLACK_PICO),
  most: fc.bigInt(0n, 4n),
  again: rarely,
  used: fc.constantFrom(0n, 0n, 0n, 1n, 2n),
})
const setting = fc.record({
  accounts: fc.tuple(account, account),
  before: fc.array(hold, { maxLength: 3 }),
  holds: fc.array(hold, { minLength: 1, maxLength: 8 }),
})
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never
type Hold = Setting["holds"][number] & { id: string; accountId: string; keyId: string }

/** Two accounts with a daily, an unlimited and, in the second, maybe a revoked key; answers their ids. */
async function setUp({ accounts }: Setting): Promise<{ accountId: string; keyIds: string[] }[]> {
  await client.query("BEGIN; SELECT set_config('test.now', '2026-11-21T12:00:00Z', true)")
  const made = accounts.map((one) => ({ ...one, accountId: newId(), keyIds: [newId(), newId(), newId()] }))
  for (const { accountId, keyIds, balance, daily, revoked } of made) {
    await client.query("INSERT INTO account (id) VALUES ($1)", [accountId])
    if (balance > 0n) await client.query("SELECT post_entry($1, 'credit', $2, $3)", [accountId, balance, newId()])
    for (const [i, keyId] of keyIds.entries())
      await client.query(
        `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, limit_pico, limit_period, revoked_at)
         VALUES ($1::uuid, $2, 'Key', '…', sha256(uuid_send($1::uuid)), $3, $4, $5)`,
        [
          keyId,
          accountId,
          ...(i === 0 && daily > 0n ? [daily, "daily"] : [null, null]),
          i === 2 && revoked ? new Date(0) : null,
        ],
      )
  }
  return made
}

const placeValues = (holds: Hold[]) => [
  holds.map(({ id }) => id),
  holds.map(({ accountId }) => accountId),
  holds.map(({ keyId }) => keyId),
  holds.map(() => MODEL_ID),
  holds.map(({ price }) => price),
  holds.map(({ most }) => most),
]
const captureValues = (holds: Hold[]) => [
  holds.map(({ id }) => id),
  holds.map(({ used }) => used),
  ...[7, 1, 2, 3].map((number) => holds.map(() => number)),
]

async function alone(name: "place_hold" | "capture", columns: unknown[][]): Promise<unknown[]> {
  const told: unknown[] = []
  for (const i of (columns[0] ?? []).keys()) {
    const { rows } = await client.query(
      `SELECT * FROM ${name}($1, $2, $3, $4, $5, $6) AS told`,
      columns.map((column) => column[i]),
    )
    told.push(name === "capture" ? rows[0].told : rows[0])
  }
  return told
}

async function together(name: "place_holds" | "capture_holds", columns: unknown[][]): Promise<unknown[]> {
  const { rows } = await client.query(`SELECT * FROM ${name}($1, $2, $3, $4, $5, $6)`, columns)
  return name === "capture_holds" ? rows.map(({ state }) => state) : rows
}

/** Everything the functions write, but the numbers of the entries. */
async function written(): Promise<unknown> {
  const { rows } = await client.query(`SELECT
    (SELECT json_agg(a ORDER BY id) FROM account a) AS accounts, (SELECT json_agg(k ORDER BY id) FROM api_key k) AS keys,
    (SELECT json_agg(h ORDER BY id) FROM hold h) AS holds,
    (SELECT json_agg(to_jsonb(e) - 'id' ORDER BY account_id, id) FROM ledger_entry e) AS entries`)
  return rows[0]
}

async function play(setting: Setting) {
  try {
    const accounts = await setUp(setting)
    const owned = (hold: Setting["holds"][number]): Hold => {
      const { accountId = "", keyIds = [] } = accounts[hold.account] ?? {}
      return { ...hold, id: newId(), accountId, keyId: keyIds[hold.key] ?? "" }
    }
    const before = setting.before.map(owned)
    await alone("place_hold", placeValues(before))
    // Some are asked a second time, and some captures are of holds that were refused.
    const holds = setting.holds.map(owned).map((hold, i) => (hold.again ? { ...hold, ...before[i] } : hold))
    await client.query("SAVEPOINT fresh")
    const placed = await alone("place_hold", placeValues(holds))
    const captured = await alone("capture", captureValues(holds))
    const expected = { placed, captured, state: await written() }
    await client.query("ROLLBACK TO fresh")
    const told = {
      placed: await together("place_holds", placeValues(holds)),
      captured: await together("capture_holds", captureValues(holds)),
      state: await written(),
    }
    return { expected, told, broken: (await checkLedger(client)).filter(({ ok }) => !ok) }
  } finally {
    await client.query("ROLLBACK")
  }
}

it(
  "many holds and captures at once answer and write what they would have one after another",
  async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (one) => {
        const { expected, told, broken } = await play(one)
        expect(told).toEqual(expected)
        expect(broken).toEqual([])
      }),
      { numRuns: 300 * testScale },
    )
  },
  60_000 * testScale,
)
