import { beforeEach, expect, test } from "vitest"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { OPERATOR } from "@/lib/server/platform/actor"
import { newId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { pico } from "@/lib/shared/money"
import { testRuntime } from "@/test/database"
import { addCascade } from "./add-cascade"
import { insertPinnedModel } from "./add-model"
import { moveAlias } from "./alias"
import { countModelServers, listModelOrders, runModel, stopModel } from "./order-model"
import { planMove } from "./plan-move"
import { seedModels } from "./seed-models"

const HUB = "hf:ggml-org/lev-GGUF"

beforeEach(async () => {
  await testRuntime()
})

const run = (model: string, acceptsLicense = false) => runModel(runtime(), OPERATOR, { model, acceptsLicense })
const stop = (model: string) => stopModel(runtime(), OPERATOR, { model })
const orders = () => listModelOrders(runtime(), OPERATOR)
const query = (sql: string, values: unknown[] = []) => runtime().pool.query(sql, values)

/** Adds a server, and what it does for the only order. */
async function addServer(runsModels: boolean, state: string): Promise<void> {
  const id = newId()
  await query(
    `INSERT INTO server_process (id, host, secret_mark, seen_at, runs_models) VALUES ($1, 'alpha', 'x', clock_timestamp(), $2)`,
    [id, runsModels],
  )
  await query(
    `INSERT INTO model_order_run (order_id, process_id, state, done_bytes, total_bytes)
     SELECT id, $1, $2, 5, 10 FROM model_order WHERE ended_at IS NULL`,
    [id, state],
  )
}

async function addOwnModel(id: string): Promise<void> {
  await seedModels(runtime())
  await insertPinnedModel(runtime().pool, {
    ...{ id, engine: "system-one", engineUrl: OWN_ENGINE_URL, engineModel: id, pricePico: null },
    ...{ tokenizer: null, promptTemplate: null, maxQuestions: 16 },
  })
}

test("an order names an offered model, a hub's or a file, and nothing else", async () => {
  await expect(run("lev")).rejects.toThrow("The license of lev is Apache-2.0. Read it, then accept it.")
  expect(await run("lev", true)).toEqual({ source: HUB })
  expect(await run("/models/a.gguf")).toEqual({ source: "/models/a.gguf" })
  for (const model of ["other", "hf:../etc", "a.gguf", "/etc/passwd", ""])
    await expect(run(model), model).rejects.toThrow("Use the name of an offered model")
  expect((await orders()).map(({ source, runs }) => [source, runs])).toEqual([
    [HUB, []],
    ["/models/a.gguf", []],
  ])
})

test("the same order again is no second one", async () => {
  await run(HUB)
  const [first] = await orders()
  await run(HUB)
  const [again, ...others] = await orders()
  expect([again?.source, others]).toEqual([HUB, []])
  expect(again?.orderedAt).not.toBe(first?.orderedAt)
})

test("an order shows what each server that runs does for it, and one that stopped no more", async () => {
  await run(HUB)
  await addServer(true, "downloading")
  await addServer(false, "preparing")
  expect(await countModelServers(runtime())).toBe(1)
  const [order] = await orders()
  expect(order?.runs[0]).toEqual({
    ...{ host: "alpha", address: null, state: "downloading" },
    ...{ doneBytes: 5, totalBytes: 10, reason: null },
  })
  await query("UPDATE server_process SET stopped_at = now()")
  expect(await countModelServers(runtime())).toBe(0)
  expect((await orders())[0]?.runs).toEqual([])
})

test("a model is stopped by its id or by what was ordered, once, and never the one of the alias", async () => {
  await addOwnModel("lev-q4_k_m")
  await run("lev", true)
  await query("UPDATE model_order SET model_id = 'lev-q4_k_m'")
  await moveAlias(runtime(), OPERATOR, { toId: "lev-q4_k_m" })
  await expect(stop("lev-q4_k_m")).rejects.toThrow("The alias points at this model. Move the alias first.")
  await expect(stop("lev")).rejects.toThrow("The alias points at this model. Move the alias first.")
  await moveAlias(runtime(), OPERATOR, { toId: "svc-lexical-baseline-1" })
  await stop("lev-q4_k_m")
  expect(await orders()).toEqual([])
  await expect(stop("lev")).rejects.toThrow("No order runs this model.")
})

test("a model that a cascade of the alias asks, or to which the alias will move, is not stopped", async () => {
  await addOwnModel("lev-q4_k_m")
  await addOwnModel("big-1")
  await run("lev", true)
  await query("UPDATE model_order SET model_id = 'lev-q4_k_m'")
  const parts = { smallId: "lev-q4_k_m", bigId: "big-1", below: 0.9, pricePico: pico(0) }
  await addCascade(runtime(), OPERATOR, { id: "cascade-1", ...parts })
  await moveAlias(runtime(), OPERATOR, { toId: "cascade-1" })
  await expect(stop("lev")).rejects.toThrow(
    "The alias points at cascade-1, which asks this model. Move the alias first.",
  )
  await moveAlias(runtime(), OPERATOR, { toId: "svc-lexical-baseline-1" })
  await planMove(runtime(), OPERATOR, { toId: "lev-q4_k_m", on: "2999-01-01", noticeDays: 1 })
  await expect(stop("lev")).rejects.toThrow("A move of the alias to this model is planned. Cancel it first.")
})
