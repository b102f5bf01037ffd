import fc from "fast-check"
import { expect, test } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { autoHistory } from "@/test/auto-topup-histories"
import { printFigure } from "@/test/figures"
import { playAutoTopups } from "@/test/play-auto-topups"
import { testScale } from "@/test/scale"
import { testTopups } from "@/test/topup-fixture"

const MOST_STEPS = 14
const HISTORIES = 40 * testScale

await testTopups()

test(
  "after any history no charge is lost or doubled, none is early, and no month exceeds its maximum",
  async () => {
    const seen = { histories: 0, charges: 0, crashes: 0 }
    await fc.assert(
      fc.asyncProperty(autoHistory(MOST_STEPS), async (history) => {
        seen.histories++
        const played = await playAutoTopups(history)
        expect(played.balanceUsd).toBe(played.expectedUsd)
        expect(played.doubled).toBe(0)
        expect(played.closestMinutes).toBeGreaterThanOrEqual(10)
        expect(played.mostInMonthCents).toBeLessThanOrEqual(Number(history.capUsd) * 100)
        expect(played.doneMails).toBe(played.charges)
        expect(played.isAlive).toBe(true)
        seen.charges += played.charges
        seen.crashes += played.crashes
      }),
      { numRuns: HISTORIES },
    )
    expect((await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)).toEqual([])
    // A history without charges would prove nothing. 100 histories have about 35 charges, give or take 5, and 200 crashes.
    printFigure("automatic top-ups", seen)
    expect(seen.charges, JSON.stringify(seen)).toBeGreaterThan(HISTORIES / 20)
    expect(seen.crashes, JSON.stringify(seen)).toBeGreaterThan(HISTORIES)
  },
  480_000 * testScale,
)
