import { beforeEach, expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { testRuntime } from "@/test/database"
import { loadCatalogue } from "./load-catalogue"
import { addModelName, listModelNames, removeModelName } from "./model-names"
import { seedModels } from "./seed-models"

await testRuntime()

beforeEach(async () => {
  for (const table of ["model_name", "alias_move", "model"]) await runtime().pool.query(`DELETE FROM ${table} CASCADE`)
})

const names = async () => (await listModelNames(runtime(), OPERATOR)).map(({ dialect, name }) => `${dialect} ${name}`)
const start = async (COMPATIBLE_NAMES: "0" | "1") => {
  await seedModels({ ...runtime(), env: { ...runtime().env, COMPATIBLE_NAMES } })
  await loadCatalogue(runtime())
}
const named = (name: string) => runtime().catalogue.namedId("systemone", name)

test("a first start gives every dialect its clients' names, a later one none", async () => {
  await start("1")
  expect(await names()).toEqual([
    "openai gpt-6-luna",
    "openrouter typesafe/jev-latest",
    "openrouter ~typesafe/jev-latest",
    "openrouter typesafe/jev-1.13",
    "openrouter typesafe/jev-1.14",
    "openrouter openai/gpt-6-luna-decisions",
    "systemone jev-latest",
    "systemone jev-preview",
    "systemone jev-1.13.0",
    "systemone jev-1.14.0",
  ])
  await removeModelName(runtime(), OPERATOR, { dialect: "openai", name: "gpt-6-luna" })
  await start("1")
  expect(await names()).not.toContain("openai gpt-6-luna")
})

test("a first start with COMPATIBLE_NAMES=0 gives none", async () => {
  await start("0")
  expect(await names()).toEqual([])
})

test("an operator adds, changes and removes a name, which counts in its dialect only", async () => {
  await start("0")
  const name = { dialect: "systemone", name: "~lab/jev.2" } as const
  await addModelName(runtime(), OPERATOR, { ...name, targetId: ALIAS })
  await loadCatalogue(runtime())
  expect([named("~lab/jev.2"), runtime().catalogue.namedId("openai", "~lab/jev.2")]).toEqual([ALIAS, null])
  await addModelName(runtime(), OPERATOR, { ...name, targetId: LEXICAL_BASELINE })
  await loadCatalogue(runtime())
  expect(named("~lab/jev.2")).toBe(LEXICAL_BASELINE)
  await removeModelName(runtime(), OPERATOR, name)
  await loadCatalogue(runtime())
  expect(named("~lab/jev.2")).toBeNull()
  await expect(removeModelName(runtime(), OPERATOR, name)).rejects.toMatchObject({ code: "not_found" })
})

test("a name of no model and a name that is an id are refused", async () => {
  await start("0")
  const add = (name: string, targetId: string) =>
    addModelName(runtime(), OPERATOR, { dialect: "systemone", name, targetId })
  await expect(add("jev-latest", "none")).rejects.toMatchObject({ code: "invalid_model" })
  await expect(add(ALIAS, LEXICAL_BASELINE)).rejects.toMatchObject({ code: "invalid_request", param: "name" })
})
