import { expect, it } from "vitest"
import type { PinnedFacts } from "@/lib/server/engines/pinned-facts"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertPinnedModel } from "./add-model"
import { recordSeen } from "./record-seen"

const ID = "svc-seen-1"
const URL = "http://127.0.0.1:1"
const seen = (build: string | null, served: string | null) =>
  recordSeen(runtime(), ID, { build, served, facts: null, tokenizer: null }, URL)

async function row(): Promise<unknown> {
  const { rows } = await runtime().pool.query("SELECT engine_build, engine_model FROM model WHERE id = $1", [ID])
  return rows[0]
}

await testRuntime()
const engine = { engine: "system-one", engineUrl: URL, engineModel: null } as const
await insertPinnedModel(runtime().pool, {
  id: ID,
  ...engine,
  pricePico: pico(0),
  tokenizer: null,
  promptTemplate: "t1",
  maxQuestions: 16,
})

it("what the first probe found is kept, each value once", async () => {
  await seen(null, "kev-4b")
  expect(await row()).toEqual({ engine_build: null, engine_model: "kev-4b" })
  await seen("b1", "laya")
  expect(await row()).toEqual({ engine_build: "b1", engine_model: "kev-4b" })
  await seen("b2", "laya")
  expect(await row()).toEqual({ engine_build: "b1", engine_model: "kev-4b" })
})

it("facts about the weights are kept, each once, and missing ones are added", async () => {
  const found = (facts: PinnedFacts | null) =>
    recordSeen(runtime(), ID, { build: "b1", served: "kev-4b", facts, tokenizer: null }, URL)
  const facts = async () => {
    const { rows } = await runtime().pool.query("SELECT pinned_facts FROM model WHERE id = $1", [ID])
    return rows[0].pinned_facts
  }
  await found(null)
  expect(await facts()).toBeNull()
  await found({ n_params: 4_022_468_096, file: "Kev-4B-Q8_0.gguf" })
  await found({ n_params: 7, ftype: "Q8_0" })
  expect(await facts()).toEqual({ n_params: 4_022_468_096, file: "Kev-4B-Q8_0.gguf", ftype: "Q8_0" })
})

it("what a probe found at an address that the model left is not kept", async () => {
  const left = { build: "b9", served: "kev-4b", facts: { ftype: "Q4_0", late: 1 }, tokenizer: null }
  await recordSeen(runtime(), ID, left, "http://127.0.0.1:2")
  const { rows } = await runtime().pool.query("SELECT pinned_facts FROM model WHERE id = $1", [ID])
  expect(rows[0].pinned_facts).not.toHaveProperty("late")
})
