import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { resolveModel } from "@/lib/server/decisions/admit-model"
import { fingerprintOf } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { OPERATOR } from "@/lib/server/platform/actor"
import type { Env } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, FIRST_DECIDER, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startOllama } from "@/test/doubles/ollama"
import { startOllaya } from "@/test/doubles/ollaya"
import { startSglang } from "@/test/doubles/sglang"
import { startTypesafe } from "@/test/doubles/typesafe"
import { freePort } from "@/test/free-port"
import { tinyFiles, tinyFolder } from "@/test/tiny-tokenizer"
import { moveAlias } from "./alias"
import { loadCatalogue } from "./load-catalogue"
import { retireModel } from "./retire-model"
import { seedModels } from "./seed-models"

let engine: LlamaCppDouble
beforeEach(async () => {
  engine = await startLlamaCpp()
  await testRuntime()
})
afterEach(() => engine.stop())

/** Starts with these settings and waits for the first probe, but for 2 s at most. */
async function start(settings: Partial<Env> = { ENGINE_URL: engine.url }): Promise<void> {
  const blank = { ENGINE_URL: undefined, ENGINE_ID: undefined, ENGINE_MODEL: undefined, ENGINE_TOKENIZER: undefined }
  Object.assign(runtime().env, blank, settings)
  await seedModels(runtime())
  await loadCatalogue(runtime())
  await runtime().engines.ready()
}

async function decider() {
  const { rows } = await runtime().pool.query(
    "SELECT price_pico, tokenizer, engine_model, engine_build FROM model WHERE id = $1",
    [FIRST_DECIDER],
  )
  return rows[0]
}

/** Waits until a probe's findings are stored. From then on a start no longer corrects the decider. */
const pinned = () => expect.poll(decider).toMatchObject({ engine_build: expect.any(String) })

const listed = (id: string) =>
  runtime()
    .catalogue.list()
    .find((model) => model.id === id)
const target = () => listed(ALIAS)?.target_model

async function targetNow() {
  await loadCatalogue(runtime())
  return target()
}

describe("a start with an engine that counts tokens", () => {
  it("adds the first decider with its price behind the alias, and pins what the engine serves", async () => {
    await start()
    const pinned = { tokenizer: "engine", engine_model: "kev-4b", engine_build: "b11400-0a1b2c3d" }
    await expect.poll(decider).toEqual({ price_pico: "20000", ...pinned })
    expect(target()).toBe(FIRST_DECIDER)
    expect(listed(ALIAS)).toMatchObject({ price_per_million_input_tokens_usd: "0.020000", max_questions: 16 })
  })

  it.each([
    ["llama.cpp", startLlamaCpp, "kev-4b"],
    ["Ollama", startOllama, "nimble"],
    ["SGLang", startSglang, "qwen3-8b"],
    ["ollaya", startOllaya, "laya"],
    ["a TypeSafe-compatible service", startTypesafe, "jev-latest"],
  ])("puts one model of %s behind the alias, with its limits", async (_, startEngine, model) => {
    const family = await startEngine()
    await start({ ENGINE_URL: family.url, ENGINE_MODEL: model })
    await expect.poll(() => runtime().engines.availability(FIRST_DECIDER)).toEqual({ available: true, reason: null })
    expect(resolveModel(runtime(), ALIAS).id).toBe(FIRST_DECIDER)
    const limits = { max_questions: 16, max_options: 255, max_levels: 10, max_body_bytes: 29_360_128 }
    expect(listed(ALIAS)).toMatchObject({ kind: "alias", target_model: FIRST_DECIDER, ...limits })
    expect(listed(FIRST_DECIDER)).toMatchObject({ kind: "pinned", status: "active", ...limits })
    await family.stop()
  })

  it("moves the alias when an earlier start was killed before it could", async () => {
    await start()
    await runtime().pool.query("DELETE FROM alias_move")
    await runtime().pool.query("DELETE FROM model_name")
    await runtime().pool.query("DELETE FROM model WHERE kind = 'alias'")
    await start()
    expect(target()).toBe(FIRST_DECIDER)
  })

  it("leaves the alias where the operator moved it, and a retired decider retired", async () => {
    await start({})
    await start()
    await expect.poll(targetNow).toBe(FIRST_DECIDER)
    await moveAlias(runtime(), OPERATOR, { toId: LEXICAL_BASELINE })
    await start()
    expect(target()).toBe(LEXICAL_BASELINE)
    await retireModel(runtime(), OPERATOR, { id: FIRST_DECIDER, replacementId: LEXICAL_BASELINE })
    await start({ ENGINE_URL: engine.url, ENGINE_MODEL: "another" })
    expect(target()).toBe(LEXICAL_BASELINE)
    expect(listed(FIRST_DECIDER)).toMatchObject({ status: "retired", replacement_model: LEXICAL_BASELINE })
  })

  it("keeps the served name: after a restart an engine with another model is not used", async () => {
    await start()
    await expect.poll(async () => (await decider()).engine_model).toBe("kev-4b")
    engine.settings.alias = "kev-8b"
    runtime().engines.sync([])
    await start()
    // On a busy machine a first probe may be cut short. The next one is 5 s later.
    await expect
      .poll(() => runtime().engines.availability(FIRST_DECIDER))
      .toMatchObject({
        available: false,
        reason: "The engine does not serve kev-4b. It serves kev-8b.",
      })
  })
})

describe("a start while the engine is unreachable", () => {
  it("lists the decider without a price and with the global ceilings, and does not sell it", async () => {
    await start({ ENGINE_URL: `http://127.0.0.1:${await freePort()}` })
    expect(await decider()).toMatchObject({ price_pico: null, tokenizer: null })
    expect(listed(FIRST_DECIDER)).toMatchObject({
      status: "active",
      price_per_million_input_tokens_usd: null,
      max_questions: 128,
    })
    expect(() => resolveModel(runtime(), ALIAS)).toThrow(expect.objectContaining({ code: "model_unavailable" }))
  })

  it.each([
    ["priced once its engine is reachable and counts tokens", {}, "20000", "engine"],
    ["free and counted by bytes once its engine is reachable and counts none", { isPlainWire: true }, "0", "bytes-4"],
  ])("leaves a decider that is %s", async (_, settings, price, tokenizer) => {
    const port = await freePort()
    const ENGINE_URL = `http://127.0.0.1:${port}`
    await start({ ENGINE_URL })
    const late = await startLlamaCpp({ port, ...settings })
    await runtime().engines.probeNow(FIRST_DECIDER)
    await expect.poll(decider).toMatchObject({ price_pico: price, tokenizer, engine_model: "kev-4b" })
    await loadCatalogue(runtime())
    await expect.poll(() => runtime().engines.availability(FIRST_DECIDER).available).toBe(true)
    expect(resolveModel(runtime(), ALIAS).id).toBe(FIRST_DECIDER)
    expect(listed(FIRST_DECIDER)?.max_questions).toBe(16)
    await late.stop()
  })
})

describe("ENGINE_TOKENIZER", () => {
  const withFolder = async (options?: Parameters<typeof tinyFolder>[0]): Promise<Partial<Env>> => ({
    ENGINE_URL: engine.url,
    ENGINE_TOKENIZER: await tinyFolder(options),
  })
  beforeEach(() => {
    engine.settings.isPlainWire = true
  })

  it("is what the decider is pinned to, kept for starts without the folder", async () => {
    await start(await withFolder())
    expect(await decider()).toMatchObject({ price_pico: "20000", tokenizer: fingerprintOf(tinyFiles()) })
    await start(await withFolder())
    await start()
    await expect.poll(() => runtime().engines.availability(FIRST_DECIDER).available).toBe(true)
  })

  it("stops the start when it differs from the decider's pinned tokenizer", async () => {
    await start(await withFolder())
    await pinned()
    const refused = new RegExp(`ENGINE_TOKENIZER differs from what ${FIRST_DECIDER} is pinned to`)
    await expect(start(await withFolder({ normalizer: { type: "NFC" } }))).rejects.toThrow(refused)
    await expect(start(await withFolder({ config: {} }))).rejects.toThrow(refused)
  })

  it("stops the start when the decider's tokens are already counted in another way", async () => {
    await start()
    await pinned()
    await expect(start(await withFolder())).rejects.toThrow("ENGINE_TOKENIZER differs from what")
    expect(await decider()).toMatchObject({ price_pico: "0", tokenizer: "bytes-4" })
  })

  it("fills in the tokenizer that an unreachable engine could not report", async () => {
    await start({ ENGINE_URL: `http://127.0.0.1:${await freePort()}` })
    await start(await withFolder())
    expect(await decider()).toMatchObject({ price_pico: "20000", tokenizer: fingerprintOf(tinyFiles()) })
  })

  it("stops the start when it has no tokenizer, or another model's", async () => {
    const empty = { ENGINE_URL: engine.url, ENGINE_TOKENIZER: import.meta.dirname }
    await expect(start(empty)).rejects.toThrow("ENGINE_TOKENIZER is a folder, but there is no tokenizer.json in it")
    await expect(start(await withFolder({ model: { type: "None", vocab: null } }))).rejects.toThrow(
      "its tokenizer.json cannot be read",
    )
    engine.settings.isPlainWire = false
    await expect(start(await withFolder())).rejects.toThrow("this is the tokenizer of another model")
    expect(await decider()).toBeUndefined()
  })
})

describe("a first start without an engine", () => {
  const priceAfter = async (creditPico: bigint) => {
    await start({ WELCOME_CREDIT_USD: pico(creditPico) })
    return listed(LEXICAL_BASELINE)?.price_per_million_input_tokens_usd
  }

  it("gives the keyword rules a demonstration price where accounts get welcome credit", async () => {
    expect(await priceAfter(1n)).toBe("0.020000")
  })

  it("leaves them free without welcome credit, also when a later start has some", async () => {
    expect(await priceAfter(0n)).toBe("0.000000")
    expect(await priceAfter(1n)).toBe("0.000000")
  })
})

describe("a start with a model that is pinned to texts of before version 1.0.0", () => {
  it.each(["system-one-1", "system-one-2"])("ends with one line, until the model is retired (%s)", async (template) => {
    await start({})
    await runtime().pool.query(
      "INSERT INTO model (id, kind, engine, engine_url, prompt_template) VALUES ('svc-old-1', 'pinned', 'system-one', $1, $2)",
      [engine.url, template],
    )
    await expect(start({})).rejects.toMatchObject({
      code: "schema",
      message: `Model svc-old-1 is pinned to ${template}, which this version cannot send. Add its engine under a new id with 'operator model add', and retire svc-old-1 with 'operator model retire'`,
    })
    await retireModel(runtime(), OPERATOR, { id: "svc-old-1", replacementId: null })
    await start({})
    expect(target()).toBe(LEXICAL_BASELINE)
  })
})
