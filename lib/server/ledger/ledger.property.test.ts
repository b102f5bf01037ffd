import fc from "fast-check"
import { expect, it } from "vitest"
import { sequence } from "@/test/ledger-sequences"
import { connectToPlay, playLedger } from "@/test/play-ledger"
import { testScale } from "@/test/scale"

const MOST_STEPS = 60

const client = await connectToPlay()

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
