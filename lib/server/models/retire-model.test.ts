import { expect, it } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS } from "@/lib/shared/models/model-ids"
import { testRuntime } from "@/test/database"
import { insertModel } from "@/test/insert-rows"
import { moveAlias } from "./alias"
import { retireModel } from "./retire-model"

await testRuntime()
await moveAlias(runtime(), OPERATOR, { toId: await insertModel("old-model-1") })
await insertModel("new-model-1")

async function waiting(): Promise<number> {
  const { rows } = await runtime().pool.query<{ waiting: number }>(
    "SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  )
  return rows[0]?.waiting ?? 0
}

it("refuses the model that the alias is moving to", async () => {
  const mover = await runtime().pool.connect()
  await mover.query("BEGIN")
  await mover.query("SELECT 1 FROM model WHERE id = 'new-model-1' FOR UPDATE")
  await mover.query("UPDATE model SET target_id = 'new-model-1' WHERE id = $1", [ALIAS])
  const retired = retireModel(runtime(), OPERATOR, { id: "new-model-1", replacementId: null })
  const refused = expect(retired).rejects.toMatchObject({ code: "invalid_request", param: "id" })
  await expect.poll(waiting).toBe(1)
  await mover.query("COMMIT")
  mover.release()
  await refused
  const { rows } = await runtime().pool.query("SELECT status FROM model WHERE id = 'new-model-1'")
  expect(rows).toEqual([{ status: "active" }])
})
