import fc from "fast-check"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { grantHistory } from "@/test/grant-histories"
import { SLACK_PICO } from "@/test/ledger-model"
import { GrantPlayer } from "@/test/play-grants"
import { checkPlayed, prepareToPlay } from "@/test/play-ledger"
import { testScale } from "@/test/scale"

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client((await testRuntime()).databaseUrl)
  await client.connect()
  await prepareToPlay(client)
})
afterAll(() => client.end())

const OVER_LIMIT = `
  SELECT k.name FROM ledger_entry e JOIN api_key k ON k.id = e.key_id WHERE k.limit_pico IS NOT NULL
  GROUP BY k.id, CASE k.limit_period WHEN 'daily' THEN date_trunc('day', e.created_at, 'UTC') END
  HAVING -sum(e.amount_pico) > k.limit_pico`

it(
  "no sequence of calls exceeds a limit or charges a request twice, even if a process is wrong about its grants",
  async () => {
    await fc.assert(
      fc.asyncProperty(grantHistory, async ({ balance, limit, steps }) => {
        const played = new GrantPlayer(client)
        try {
          await played.setUp(balance, limit)
          for (const one of steps) await played.take(one)
          const broken = (await checkPlayed(client)).filter(
            ({ ok, name }) => !ok && name !== "no hold is open after its expiry",
          )
          expect(broken).toEqual([])
          expect((await client.query(OVER_LIMIT)).rows).toEqual([])
          const { spent, balance: left } = await played.money()
          expect(spent).toBe([...played.charged.values()].reduce((sum, one) => sum + one, 0n))
          expect(left).toBe(balance - played.debits - spent)
          expect(left + played.debits).toBeGreaterThanOrEqual(-SLACK_PICO)
          await played.endEverything()
          expect((await played.money()).held).toBe(0n)
          expect((await checkPlayed(client)).filter(({ ok }) => !ok)).toEqual([])
        } finally {
          await client.query("ROLLBACK")
        }
      }),
      { numRuns: 40 * testScale },
    )
  },
  240_000 * testScale,
)
