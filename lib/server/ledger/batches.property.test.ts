import fc from "fast-check"
import { expect, it } from "vitest"
import { newId } from "@/lib/server/platform/ids"
import { SLACK_PICO } from "@/test/ledger-model"
import { MODEL_ID } from "@/test/ledger-script"
import { checkPlayed, connectToPlay } from "@/test/play-ledger"
import { testScale } from "@/test/scale"

const client = await connectToPlay()

/** Rare, so that most batches fit as a whole. */
const rarely = fc.integer({ min: 0, max: 15 }).map((n) => n === 0)
const account = fc.record({
  balance: fc.constantFrom(0n, 5n, SLACK_PICO, 3n * SLACK_PICO, 100n * SLACK_PICO, 100n * SLACK_PICO),
  daily: fc.constantFrom(0n, 1n, 3n, 5n, 3n * SLACK_PICO),
  budget: fc.constantFrom(0n, 2n, 5n, 4n * SLACK_PICO),
  tagBudget: fc.constantFrom(0n, 3n, 3n * SLACK_PICO),
  memberBudget: fc.constantFrom(0n, 1n, 4n, 2n * SLACK_PICO),
  revoked: rarely,
})
const hold = fc.record({
  account: fc.nat(1),
  key: fc.constantFrom(0, 0, 0, 1, 2),
  price: fc.constantFrom(0n, 1n, 1n, 1n, SLACK_PICO),
  maxTokens: fc.bigInt(0n, 4n),
  again: rarely,
  isBound: fc.boolean(),
  tag: fc.constantFrom(null, "team=a", "env=prod,team=a"),
  used: fc.constantFrom(0n, 0n, 0n, 1n, 2n),
})
const setting = fc.record({
  accounts: fc.tuple(account, account),
  before: fc.array(hold, { maxLength: 3 }),
  holds: fc.array(hold, { minLength: 1, maxLength: 8 }),
})
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never
type Hold = Setting["holds"][number] & { id: string; accountId: string; keyId: string }

const SET_BUDGET = "SELECT set_budget($1, $2, $3, $4, $5)"

/** Creates two accounts, each with a daily key, an unlimited key and a key that may be revoked, and budgets. A member created the first two. */
async function setUp({ accounts }: Setting): Promise<{ accountId: string; keyIds: string[] }[]> {
  await client.query("BEGIN; SELECT set_config('test.now', '2026-11-21T12:00:00Z', true)")
  const made = accounts.map((one) => ({ ...one, accountId: newId(), keyIds: [newId(), newId(), newId()] }))
  for (const { accountId, keyIds, balance, daily, revoked, budget, tagBudget, memberBudget } of made) {
    await client.query("INSERT INTO account (id) VALUES ($1)", [accountId])
    const memberId = newId()
    await client.query("INSERT INTO app_user (id, email) VALUES ($1, $2)", [memberId, `${memberId}@example.com`])
    if (budget > 0n) await client.query(SET_BUDGET, [newId(), accountId, null, "monthly", budget])
    if (tagBudget > 0n)
      await client.query(`SELECT set_budget($1, $2, NULL, 'daily', $3, 'team=a')`, [newId(), accountId, tagBudget])
    if (memberBudget > 0n) await client.query(SET_BUDGET, [newId(), accountId, memberId, "daily", memberBudget])
    if (balance > 0n) await client.query("SELECT post_entry($1, 'credit', $2, $3)", [accountId, balance, newId()])
    for (const [i, keyId] of keyIds.entries())
      await client.query(
        `INSERT INTO api_key (id, account_id, name, masked, secret_sha256, limit_pico, limit_period, revoked_at, created_by)
         VALUES ($1::uuid, $2, 'Key', '…', sha256(uuid_send($1::uuid)), $3, $4, $5, $6)`,
        [
          keyId,
          accountId,
          ...(i === 0 && daily > 0n ? [daily, "daily"] : [null, null]),
          i === 2 && revoked ? new Date(0) : null,
          i === 2 ? null : memberId,
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
  holds.map(({ maxTokens }) => maxTokens),
  holds.map(({ isBound }) => isBound),
  holds.map(({ tag }) => tag),
]
const chargeValues = (holds: Hold[]) => [
  holds.map(({ id }) => id),
  holds.map(({ used }) => used),
  holds.map(() => 7),
  holds.map(() => JSON.stringify({ noul: 1, score: 3 })),
]

const PLACE = "SELECT * FROM place_holds($1, $2, $3, $4, $5, $6, $7, $8)"
const CHARGE = "SELECT * FROM charge_holds($1, $2, $3, $4)"

/** Runs a statement once for each item, as a batch of one. */
async function alone(statement: string, columns: unknown[][]): Promise<unknown[]> {
  const results: unknown[] = []
  for (const i of (columns[0] ?? []).keys()) {
    const values = columns.map((column) => [column[i]])
    results.push(...(await client.query(statement, values)).rows)
  }
  return results
}

const together = async (statement: string, columns: unknown[][]): Promise<unknown[]> =>
  (await client.query(statement, columns)).rows

/** Returns the accounts, keys, budgets, holds and entries, without the ids of the entries. */
async function written(): Promise<unknown> {
  const { rows } = await client.query(`SELECT
    (SELECT json_agg(a ORDER BY id) FROM account a) AS accounts, (SELECT json_agg(k ORDER BY id) FROM api_key k) AS keys,
    (SELECT json_agg(b ORDER BY id) FROM budget b) AS budgets,
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
    await alone(PLACE, placeValues(before))
    // Some ids are repeated, also within the batch, and some charges refer to holds that were refused.
    const fresh = setting.holds.map(owned)
    const holds = fresh.map((hold, i) => (hold.again ? { ...hold, ...(before[i] ?? fresh[0]) } : hold))
    await client.query("SAVEPOINT fresh")
    const placed = await alone(PLACE, placeValues(holds))
    const captured = await alone(CHARGE, chargeValues(holds))
    const expected = { placed, captured, state: await written() }
    await client.query("ROLLBACK TO fresh")
    const actual = {
      placed: await together(PLACE, placeValues(holds)),
      captured: await together(CHARGE, chargeValues(holds)),
      state: await written(),
    }
    return { expected, actual, broken: (await checkPlayed(client)).filter(({ ok }) => !ok) }
  } finally {
    await client.query("ROLLBACK")
  }
}

it(
  "a batch of holds or charges returns and writes what batches of one would, sent one after another",
  async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (one) => {
        const { expected, actual, broken } = await play(one)
        expect(actual).toEqual(expected)
        expect(broken).toEqual([])
      }),
      { numRuns: 150 * testScale },
    )
  },
  240_000 * testScale,
)
