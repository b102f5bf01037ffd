import { beforeEach, expect, test, vi } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { seedModels } from "@/lib/server/models/seed-models"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { printReady } from "./startup-summary"

beforeEach(async () => {
  await testRuntime()
})

/** Starts with a model file, and returns what the start prints about models. */
async function linesOf(served: string | null): Promise<string[]> {
  const id = await seedModels(
    runtime(),
    served === null ? null : { served, kind: "decisions", sha256: "ab12", source: null },
  )
  runtime().ownEngines.replace(id === null ? [] : [[id, { socketPath: "/engine.sock", source: null }]])
  await loadCatalogue(runtime())
  const write = vi.spyOn(process.stdout, "write").mockReturnValue(true)
  printReady(1_000, 1, id)
  const text = String(write.mock.calls[0]?.[0])
  write.mockRestore()
  return text
    .slice(text.indexOf("  Model"))
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/, unavailable: .*/, "").trim())
}

test("a start names the model behind the alias, and how to get a real one", async () => {
  expect(await linesOf(null)).toEqual([
    "Model     svc-decider-latest → svc-lexical-baseline-1 (built-in keyword rules, not a model)",
    "For a real model: ENGINE_GGUF=hf:ggml-org/lev-GGUF npm start",
  ])
})

test("a start with another file prints the command that moves the alias to it", async () => {
  expect(await linesOf("lev")).toEqual(["Model     svc-decider-latest → lev (runs here: lev)"])
  expect(await linesOf("nimble")).toEqual([
    "Model     svc-decider-latest → lev (does not run here: lev)",
    "nimble (runs here: nimble). To move the alias to it: npm run operator -- model alias nimble",
  ])
})

test("a start without the file of the alias's model names the file that does not run", async () => {
  await linesOf("lev")
  expect(await linesOf(null)).toEqual(["Model     svc-decider-latest → lev (does not run here: lev)"])
})
