import fc from "fast-check"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { testRuntime } from "@/test/database"
import { sequence } from "@/test/ledger-sequences"
import { playLedger, prepareToPlay } from "@/test/play-ledger"
import { testScale } from "@/test/scale"

const MOST_STEPS = 60

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client((await testRuntime()).databaseUrl)
  await client.connect()
  await prepareToPlay(client)
})
afterAll(() => client.end())

it(
  "returns and moves money exactly like a model that only adds up, through random histories",
  async () => {
    await fc.assert(
      fc.asyncProperty(sequence(MOST_STEPS), async (history) => {
        const { actual, expected, broken } = await playLedger(client, history)
        expect(actual).toEqual(expected)
        expect(broken).toEqual([])
      }),
      { numRuns: 300 * testScale },
    )
  },
  480_000 * testScale,
)
