import { expect, it } from "vitest"
import { testRuntime } from "../../test/database"
import { startLlamaCpp } from "../../test/doubles/llama-cpp"
import { FIRST_DECIDER } from "./ids"
import { seedModels } from "./seed-models"

it("gives the alias its target at the next start when the first was killed before", async () => {
  const engine = await startLlamaCpp()
  const { pool } = await testRuntime({ ENGINE_URL: engine.url })
  await seedModels()
  await pool.query("DELETE FROM alias_move")
  await pool.query("DELETE FROM model WHERE kind = 'alias'")
  await seedModels()
  const { rows } = await pool.query("SELECT target_id FROM model WHERE kind = 'alias'")
  expect(rows).toEqual([{ target_id: FIRST_DECIDER }])
  await engine.stop()
})
