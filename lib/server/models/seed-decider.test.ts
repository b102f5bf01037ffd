import { afterEach, beforeEach, describe, expect, it, type Mock, onTestFinished, vi } from "vitest"
import { resolveModel } from "@/lib/server/decisions/admit-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import type { Env } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, FIRST_DECIDER, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startTypesafe } from "@/test/doubles/typesafe"
import { startVllm } from "@/test/doubles/vllm"
import { freePort } from "@/test/free-port"
import { loadCatalogue } from "./load-catalogue"
import { followProbe } from "./seed-decider"
import { seedModels } from "./seed-models"
import { setPrice } from "./set-model"

/** Called in place of the delay in which other servers probe the engine. */
const delayed = vi.hoisted(() => vi.fn())
vi.mock("node:timers/promises", async (original) => {
  const timers = await original<typeof import("node:timers/promises")>()
  const setTimeout = async (...args: Parameters<typeof timers.setTimeout>) =>
    args[0] === 7_000 ? delayed() : timers.setTimeout(...args)
  return { ...timers, setTimeout }
})

let engine: LlamaCppDouble
let warned: Mock<(fields: unknown) => void>
beforeEach(async () => {
  engine = await startLlamaCpp()
  await testRuntime()
  warned = vi.fn()
  runtime().log.warn = (_, fields) => void (fields?.event === "engine.settings_ignored" && warned(fields))
})
afterEach(() => engine.stop())

/** Starts with these settings, without waiting for a probe. */
async function start(settings: Partial<Env>): Promise<void> {
  const blank = {
    ENGINE_ID: undefined,
    ENGINE_MODEL: undefined,
    ENGINE_TOKENIZER: undefined,
    ENGINE_KIND: "system-one",
  }
  Object.assign(runtime().env, blank, settings)
  await seedModels(runtime())
  await loadCatalogue(runtime())
}

/** Starts, and waits until the first probe has pinned the model. */
async function startAndPin(settings: Partial<Env>, id = FIRST_DECIDER): Promise<void> {
  await start(settings)
  await runtime().engines.probeNow(id)
  await expect.poll(async () => (await stored(id))?.engine_build).toBeTypeOf("string")
  await loadCatalogue(runtime())
}

async function stored(id = FIRST_DECIDER) {
  const { rows } = await runtime().pool.query(
    `SELECT engine, engine_url, engine_model, engine_build, tokenizer, price_pico,
       ARRAY(SELECT url FROM model_address WHERE model_id = id) AS urls FROM model WHERE id = $1`,
    [id],
  )
  return rows[0]
}

const target = () => runtime().catalogue.find(ALIAS)?.targetId
const nowhere = async () => `http://127.0.0.1:${await freePort()}`

describe("until a probe of its model succeeded, a start corrects what an earlier one stored", () => {
  it("the name of a model that the engine serves beside others", async () => {
    const { url: ENGINE_URL, stop } = await startTypesafe()
    onTestFinished(stop)
    await start({ ENGINE_URL })
    const { reason } = await runtime().engines.probeNow(FIRST_DECIDER)
    expect(reason).toContain("The engine serves several models: name one of")
    await start({ ENGINE_URL, ENGINE_MODEL: "a-typo" })
    expect((await runtime().engines.probeNow(FIRST_DECIDER)).reason).toContain("does not serve a-typo")
    await startAndPin({ ENGINE_URL, ENGINE_MODEL: "jev-latest" })
    expect(await stored()).toMatchObject({ engine_model: "jev-latest" })
  })

  it("the address, how tokens are counted, and the price that follows from it", async () => {
    const url = await nowhere()
    await start({ ENGINE_URL: url })
    expect(await stored()).toMatchObject({ urls: [url], engine_url: url, tokenizer: null, price_pico: null })
    await startAndPin({ ENGINE_URL: engine.url })
    expect(await stored()).toMatchObject({
      urls: [engine.url],
      engine_url: engine.url,
      engine_model: "kev-4b",
      tokenizer: "engine",
      price_pico: "20000",
    })
    expect(target()).toBe(FIRST_DECIDER)
    expect(warned).not.toHaveBeenCalled()
  })

  it("the kind of the engine", async () => {
    const vllm = await startVllm()
    onTestFinished(() => vllm.stop())
    await start({ ENGINE_URL: vllm.url })
    expect((await runtime().engines.probeNow(FIRST_DECIDER)).available).toBe(false)
    await startAndPin({ ENGINE_URL: vllm.url, ENGINE_KIND: "labels" })
    expect(await stored()).toMatchObject({ engine: "labels", tokenizer: "engine-labels", price_pico: "20000" })
  })

  it("but not a price that the operator set", async () => {
    await start({ ENGINE_URL: await nowhere() })
    await setPrice(runtime(), OPERATOR, { id: FIRST_DECIDER, pricePico: pico(7n) })
    await startAndPin({ ENGINE_URL: engine.url })
    expect(await stored()).toMatchObject({ price_pico: "7" })
  })
})

describe("while the keyword scorer answers, the alias moves", () => {
  const targetNow = async () => {
    await loadCatalogue(runtime())
    return target()
  }
  beforeEach(() => start({ ENGINE_URL: undefined }))

  it("only when a probe of the engine succeeded", async () => {
    await start({ ENGINE_URL: await nowhere() })
    expect((await runtime().engines.probeNow(FIRST_DECIDER)).available).toBe(false)
    expect(await targetNow()).toBe(LEXICAL_BASELINE)
    expect(resolveModel(runtime(), ALIAS).id).toBe(LEXICAL_BASELINE)
    await startAndPin({ ENGINE_URL: engine.url })
    await expect.poll(targetNow).toBe(FIRST_DECIDER)
  })

  it.each([
    ["at once where every other server has stopped", "clock_timestamp()", false],
    ["after a delay where another server runs", "NULL", true],
  ])("%s", async (_when, stoppedAt, isDelayed) => {
    await runtime().pool.query(
      `INSERT INTO server_process (id, host, secret_mark, seen_at, stopped_at)
       VALUES ('other', 'db-1', 'm', clock_timestamp(), ${stoppedAt})`,
    )
    delayed.mockClear()
    await startAndPin({ ENGINE_URL: engine.url })
    await expect.poll(targetNow).toBe(FIRST_DECIDER)
    expect(delayed.mock.calls.length > 0).toBe(isDelayed)
  })

  it("once, so that a later process with the same settings, such as a command, waits for no server", async () => {
    await startAndPin({ ENGINE_URL: engine.url })
    await expect.poll(targetNow).toBe(FIRST_DECIDER)
    const statements = vi.spyOn(runtime().pool, "query")
    onTestFinished(() => statements.mockRestore())
    await followProbe(runtime(), FIRST_DECIDER)
    expect(statements.mock.calls.map(([statement]) => JSON.stringify(statement)).join()).not.toContain("server_process")
  })

  it("by the process whose settings name the engine, though another pinned its model", async () => {
    const port = await freePort()
    const ENGINE_URL = `http://127.0.0.1:${port}`
    await start({ ENGINE_URL })
    const late = await startLlamaCpp({ port })
    onTestFinished(() => late.stop())
    await startAndPin({ ENGINE_URL: undefined })
    await runtime().engines.close()
    expect(await targetNow()).toBe(LEXICAL_BASELINE)
    await start({ ENGINE_URL })
    await expect.poll(targetNow).toBe(FIRST_DECIDER)
  })
})

describe("once a probe succeeded, the stored values win", () => {
  it("over another ENGINE_URL, with one warning", async () => {
    await startAndPin({ ENGINE_URL: engine.url })
    const other = await nowhere()
    await start({ ENGINE_URL: other })
    expect(await stored()).toMatchObject({ urls: [engine.url], engine_url: engine.url })
    expect(warned.mock.calls).toEqual([
      [
        {
          event: "engine.settings_ignored",
          model: FIRST_DECIDER,
          reason: `ENGINE_URL is ${other}, but ${FIRST_DECIDER} is at ${engine.url}. To move it, run operator model engine ${FIRST_DECIDER} --url with the new address`,
        },
      ],
    ])
  })

  it("over another ENGINE_MODEL, with one warning", async () => {
    await startAndPin({ ENGINE_URL: engine.url })
    await start({ ENGINE_URL: engine.url, ENGINE_MODEL: "kev-8b" })
    expect(await stored()).toMatchObject({ engine_model: "kev-4b" })
    expect(warned.mock.calls).toEqual([
      [
        {
          event: "engine.settings_ignored",
          model: FIRST_DECIDER,
          reason: `ENGINE_MODEL is kev-8b, but ${FIRST_DECIDER} is pinned to kev-4b. For another model, start with another ENGINE_ID`,
        },
      ],
    ])
  })

  it("and the same settings warn of nothing", async () => {
    await startAndPin({ ENGINE_URL: engine.url })
    await start({ ENGINE_URL: engine.url, ENGINE_MODEL: "kev-4b" })
    expect(warned).not.toHaveBeenCalled()
  })
})

describe("ENGINE_ID", () => {
  it("names the model, with the price and the alias of a first one", async () => {
    await startAndPin({ ENGINE_URL: engine.url, ENGINE_ID: "kev-4b" }, "kev-4b")
    expect(await stored("kev-4b")).toMatchObject({ urls: [engine.url], price_pico: "20000" })
    expect(await stored()).toBeUndefined()
    expect(target()).toBe("kev-4b")
  })

  it("takes the alias from an id that no probe reached", async () => {
    await start({ ENGINE_URL: await nowhere() })
    expect(target()).toBe(FIRST_DECIDER)
    await start({ ENGINE_URL: engine.url, ENGINE_ID: "kev-4b" })
    expect(target()).toBe("kev-4b")
  })

  it("does not take it from a model that answers", async () => {
    await startAndPin({ ENGINE_URL: engine.url })
    await start({ ENGINE_URL: engine.url, ENGINE_ID: "kev-4b" })
    expect(target()).toBe(FIRST_DECIDER)
  })
})
