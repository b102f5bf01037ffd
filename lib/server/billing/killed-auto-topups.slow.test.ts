import { expect, test } from "vitest"
import { verifyLedger } from "@/lib/server/ledger/verify-ledger"
import { runtime } from "@/lib/server/platform/runtime"
import { automatic, chargesOf, mailKinds, passTime, watchedTopups } from "@/test/auto-topup-fixture"
import { Fuse, FusedHttp, fusedPool } from "@/test/fuse"
import { connectStripe, dollars } from "@/test/topup-fixture"
import { pollTopups } from "./poll-topups"
import { watchAutoTopups } from "./watch-auto-topups"

const { double } = await watchedTopups()

test("a process that is killed at any step charges once, and the next one completes it", async () => {
  const { pool } = runtime()
  let steps = 0
  for (let crashed = true; crashed; steps++) {
    const actor = await automatic(double)
    const fuse = new Fuse()
    const http = new FusedHttp(fuse)
    const app = runtime()
    app.pool = fusedPool(pool, fuse)
    connectStripe(double, { httpClient: http.client() })
    double.setDelivery("held")
    fuse.arm(steps)
    await watchAutoTopups(runtime()).catch(() => null)
    await http.settled()
    crashed = fuse.blown
    app.pool = pool
    connectStripe(double)
    await passTime(actor, "1 minute")
    await double.flush()
    await watchAutoTopups(runtime())
    await pollTopups(runtime())
    await double.flush()
    expect([steps, await chargesOf(double, actor), await dollars(actor), await mailKinds(actor)]).toEqual([
      steps,
      [2500],
      "29.00",
      ["auto_topup_done"],
    ])
  }
  // Each query and each request is two steps.
  expect(steps).toBeGreaterThan(40)
  expect((await verifyLedger(runtime())).checks.filter(({ ok }) => !ok)).toEqual([])
}, 120_000)
