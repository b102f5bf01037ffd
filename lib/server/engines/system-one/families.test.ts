import { expect, test } from "vitest"
import { startOllama } from "@/test/doubles/ollama"
import type { AnyDouble } from "@/test/doubles/system-one-double"
import { ENGINE_SAMPLES } from "@/test/engine-samples"
import { engineOpener } from "@/test/open-engine"
import { FAMILIES } from "./families"

const open = engineOpener()

test.each(ENGINE_SAMPLES)("$name is recognised as $family", async ({ start, model, family }) => {
  const { found } = await open<AnyDouble>(start(), { model })
  expect(found.reason).toBeUndefined()
  expect(found.findings?.find(({ name }) => name === "engine")?.value).toBe(family)
})

test("every family has a double", () => {
  const families = new Set(ENGINE_SAMPLES.map(({ family }) => family))
  expect(FAMILIES.map(({ name }) => name).filter((name) => !families.has(name))).toEqual([])
})

test.each(["/", "/api/version", "/api/tags", "/api/ps"])(
  "a 502 on Ollama's %s does not make it another engine",
  async (path) => {
    const { double, engine } = await open(startOllama())
    double.fault = { kind: "route", path, status: 502 }
    const reason = `The engine cannot be identified now: GET ${path} failed (HTTP 502).`
    expect(await engine.probe(new AbortController().signal)).toMatchObject({ available: false, reason })
  },
)
