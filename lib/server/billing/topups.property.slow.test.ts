import fc from "fast-check"
import { expect, test } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { playTopups } from "@/test/play-topups"
import { testScale } from "@/test/scale"
import { testTopups } from "@/test/topup-fixture"
import { history } from "@/test/topup-histories"

const MOST_STEPS = 14
const HISTORIES = 50 * testScale

await testTopups({ STRIPE_AUTOMATIC_TAX: "on" })

test(
  "after any history the balance is payments minus refunds and disputes, to the cent",
  async () => {
    const seen = { events: 0, crashes: 0, credited: 0 }
    await fc.assert(
      fc.asyncProperty(history(MOST_STEPS), async (steps) => {
        const { balanceUsd, expectedUsd, addresses, events, crashes } = await playTopups(steps)
        expect(balanceUsd).toBe(expectedUsd)
        for (const count of addresses) expect(count).toBeLessThanOrEqual(1)
        seen.events += events
        seen.crashes += crashes
        seen.credited += expectedUsd.startsWith("0.00") ? 0 : 1
      }),
      { numRuns: HISTORIES },
    )
    expect((await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)).toEqual([])
    // A history without events would prove nothing. On average one has 5.6 events and 2.4 crashes, and a third of them end with credit.
    expect(seen.credited).toBeGreaterThan(HISTORIES / 20)
    expect(seen.crashes).toBeGreaterThan(HISTORIES / 4)
    expect(seen.events).toBeGreaterThan(HISTORIES / 2)
  },
  480_000 * testScale,
)
