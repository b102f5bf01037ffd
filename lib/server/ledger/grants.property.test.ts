import fc from "fast-check"
import { expect, it } from "vitest"
import { grantHistory } from "@/test/grant-histories"
import { SLACK_PICO } from "@/test/ledger-model"
import { GrantPlayer } from "@/test/play-grants"
import { checkPlayed, connectToPlay, OVER_BUDGET, OVER_LIMIT } from "@/test/play-ledger"
import { testScale } from "@/test/scale"

const client = await connectToPlay()

it(
  "no sequence of calls exceeds a limit or charges a request twice, even if a process is wrong about its grants",
  async () => {
    await fc.assert(
      fc.asyncProperty(grantHistory, async ({ steps, ...setup }) => {
        const { balance } = setup
        const played = new GrantPlayer(client)
        try {
          await played.setUp(setup)
          for (const one of steps) await played.take(one)
          const broken = (await checkPlayed(client)).filter(
            ({ ok, name }) => !ok && name !== "no hold is open after its expiry",
          )
          expect(broken).toEqual([])
          expect((await client.query(OVER_LIMIT)).rows).toEqual([])
          expect((await client.query(OVER_BUDGET)).rows).toEqual([])
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
