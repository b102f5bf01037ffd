import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { freePort } from "@/test/free-port"
import { insertEngineModel } from "@/test/insert-rows"
import { type ChangeEngineInput, changeEngine } from "./change-engine"
import { loadCatalogue } from "./load-catalogue"
import { retireModel } from "./retire-model"
import { openCatalogue } from "./seed-models"

const ID = "svc-moved-1"
let engine: LlamaCppDouble
let other: LlamaCppDouble
beforeEach(async () => {
  ;[engine, other] = await Promise.all([startLlamaCpp(), startLlamaCpp()])
  await testRuntime()
  await openCatalogue(runtime())
  await insertEngineModel(ID, engine.url)
})
afterEach(async () => {
  await runtime().engines.close()
  await Promise.all([engine.stop(), other.stop()])
})

async function pin(): Promise<void> {
  await loadCatalogue(runtime())
  await runtime().engines.probeNow(ID)
  const build = async () => (await query("SELECT engine_build FROM model WHERE id = $1"))[0].engine_build
  await expect.poll(build).toBe("b11400-0a1b2c3d")
}

const change = (how: ChangeEngineInput["how"], url: string, id = ID) =>
  changeEngine(runtime(), OPERATOR, { id, url, how })
const query = async (sql: string) => (await runtime().pool.query(sql, [ID])).rows
const addresses = async () => {
  const rows = await query("SELECT url, is_draining FROM model_address WHERE model_id = $1 ORDER BY created_at")
  return rows.map(({ url, is_draining }) => (is_draining ? `${url} drained` : url))
}
/** What processes of the previous version read. */
const firstAddress = async () => (await query("SELECT engine_url FROM model WHERE id = $1"))[0].engine_url

test("addresses are replaced, added, drained and removed, each with an entry in the audit log", async () => {
  await pin()
  await change("add", other.url)
  expect(await addresses()).toEqual([engine.url, other.url])
  await change("drain", engine.url)
  expect(await addresses()).toEqual([`${engine.url} drained`, other.url])
  expect(await firstAddress()).toBe(other.url)
  await change("add", engine.url)
  expect(await addresses()).toEqual([engine.url, other.url])
  await change("remove", engine.url)
  expect(await addresses()).toEqual([other.url])
  await change("replace", engine.url)
  expect(await addresses()).toEqual([engine.url])
  expect(await firstAddress()).toBe(engine.url)
  const entries = await query(
    "SELECT detail FROM audit_event WHERE action = 'model.engine' AND subject = $1 ORDER BY id",
  )
  expect(entries.map(({ detail }) => detail)).toEqual([
    `add ${other.url}`,
    `drain ${engine.url}`,
    `add ${engine.url}`,
    `remove ${engine.url}`,
    `replace ${engine.url}`,
  ])
})

describe("an address is refused, and nothing changes,", () => {
  test.each(["add", "replace"] as const)("when nothing listens there (%s)", async (how) => {
    await pin()
    await expect(change(how, `http://127.0.0.1:${await freePort()}`)).rejects.toThrow(
      "The address was not changed. The engine does not answer: connection refused.",
    )
    expect(await addresses()).toEqual([engine.url])
  })

  test.each([
    ["build", "The engine runs build b2, but this model is pinned to build b11400-0a1b2c3d."],
    ["alias", "The engine does not serve kev-4b. It serves b2."],
  ] as const)("when it serves another %s", async (name, reason) => {
    await pin()
    other.settings[name] = "b2"
    await expect(change("add", other.url)).rejects.toThrow(`The address was not changed. ${reason}`)
    await expect(change("replace", other.url)).rejects.toThrow(reason)
    expect(await addresses()).toEqual([engine.url])
  })

  test("when it is one more address of a model that no probe reached", async () => {
    await expect(change("add", other.url)).rejects.toThrow("No probe of the model has succeeded yet")
    expect(await addresses()).toEqual([engine.url])
  })

  test("when it is the last one, or unknown", async () => {
    await pin()
    await expect(change("remove", engine.url)).rejects.toThrow("No other address of the model gets new requests.")
    await expect(change("drain", engine.url)).rejects.toThrow("No other address of the model gets new requests.")
    await expect(change("drain", other.url)).rejects.toThrow("The model has no such address.")
    await change("add", other.url)
    await change("drain", other.url)
    await expect(change("remove", engine.url)).rejects.toThrow("No other address of the model gets new requests.")
    expect(await addresses()).toEqual([engine.url, `${other.url} drained`])
  })

  test("when the model is the service's own, retired or unknown", async () => {
    await expect(change("replace", other.url, "svc-lexical-baseline-1")).rejects.toThrow("so it has no address")
    await expect(change("replace", other.url, "svc-decider-latest")).rejects.toMatchObject({ code: "invalid_model" })
    await retireModel(runtime(), OPERATOR, { id: ID, replacementId: null })
    await expect(change("replace", other.url)).rejects.toMatchObject({ code: "model_retired" })
  })
})

test("the first address that answers pins a model that no probe reached", async () => {
  const id = "svc-unreached-1"
  await insertEngineModel(id, `http://127.0.0.1:${await freePort()}`)
  await change("replace", other.url, id)
  const { rows } = await runtime().pool.query("SELECT engine_build, engine_model FROM model WHERE id = $1", [id])
  expect(rows).toEqual([{ engine_build: "b11400-0a1b2c3d", engine_model: "kev-4b" }])
})
