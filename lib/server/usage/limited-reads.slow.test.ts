import { expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { signUp } from "@/test/sign-up"
import { getUsage } from "./get-usage"
import { listRequests } from "./list-requests"
import { rollUpNewUsage } from "./roll-up-usage"

await testRuntime()

test("PostgreSQL ends a read of the usage before a server stops waiting for it", async () => {
  const actor = await signUp()
  await rollUpNewUsage(runtime())
  const blocker = await runtime().pool.connect()
  await blocker.query("BEGIN; LOCK ledger_entry IN ACCESS EXCLUSIVE MODE")
  const reads = [
    getUsage(runtime(), actor, { range: { days: 1 } }),
    listRequests(runtime(), actor, { range: { days: 1 } }),
    rollUpNewUsage(runtime()),
  ].map((read) =>
    read.then(
      () => "read",
      (error: { code?: string }) => error.code,
    ),
  )
  const ended = await Promise.all(reads)
  await blocker.query("ROLLBACK")
  blocker.release()
  expect(ended).toEqual(["57014", "57014", "57014"])
})
