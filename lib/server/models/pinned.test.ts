import { expect, it } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { insertPinnedModel } from "./add-model"
import { setLimits, setPrice } from "./set-model"

const ID = "svc-pinned-1"
await testRuntime()
await insertPinnedModel(runtime().pool, {
  id: ID,
  engine: "system-one",
  engineUrl: "http://127.0.0.1:1",
  engineModel: "kev-4b",
  pricePico: pico(0),
  tokenizer: "engine",
  promptTemplate: "t1",
  maxQuestions: 16,
})

const set = (change: string) => runtime().pool.query(`UPDATE model SET ${change} WHERE id = $1`, [ID])

it("what an id runs may be corrected until a probe succeeded", async () => {
  await set("engine = 'labels', engine_model = 'kev-8b', tokenizer = 'other', prompt_template = 't2'")
  await set("engine = 'system-one', engine_model = 'kev-4b', tokenizer = 'engine', prompt_template = 't1'")
  await expect(set("id = 'svc-pinned-2'")).rejects.toThrow("is pinned")
})

it("what a pinned id runs is set once and never changes", async () => {
  await set("engine_build = 'b1'")
  await set(`pinned_facts = '{"size": 7}'`)
  await set(`pinned_facts = '{"size": 7, "file": "a.gguf"}'`)
  for (const change of [
    "engine_build = 'b2'",
    "engine_build = NULL",
    `pinned_facts = '{"size": 8, "file": "a.gguf"}'`,
    `pinned_facts = '{"size": 7}'`,
    "pinned_facts = NULL",
    "engine_model = 'kev-8b'",
    "tokenizer = 'other'",
    "prompt_template = 't2'",
    "engine = 'lexical', engine_url = NULL",
    "id = 'svc-pinned-2'",
  ])
    await expect(set(change), change).rejects.toThrow("is pinned")
})

it("its price and limits may change", async () => {
  await setPrice(runtime(), OPERATOR, { id: ID, pricePico: pico(7) })
  await setLimits(runtime(), OPERATOR, { id: ID, maxQuestions: 3 })
  const { rows } = await runtime().pool.query("SELECT price_pico, max_questions FROM model WHERE id = $1", [ID])
  expect(rows).toEqual([{ price_pico: "7", max_questions: 3 }])
})

it("no limit may be above the global ceiling", async () => {
  for (const limits of [{ maxQuestions: 129 }, { maxOptions: 256 }, { maxLevels: 11 }, { maxBodyBytes: 29_360_129 }])
    await expect(setLimits(runtime(), OPERATOR, { id: ID, ...limits })).rejects.toThrow("violates check constraint")
})
