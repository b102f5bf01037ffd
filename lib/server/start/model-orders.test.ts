import { writeFile } from "node:fs/promises"
import path from "node:path"
import { beforeEach, expect, onTestFinished, test, vi } from "vitest"
import { runModel } from "@/lib/server/models/order-model"
import type { OwnModel } from "@/lib/server/models/own-model"
import { seedModels } from "@/lib/server/models/seed-models"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { tempFolder } from "@/test/temp-folder"
import { ModelOrders } from "./model-orders"
import { OwnEngine } from "./own-engine"

const MODEL: OwnModel = { served: "tiny", kind: "decisions", sha256: "ab12", source: null }
const LOST = "Connection terminated unexpectedly"

beforeEach(async () => {
  await testRuntime({ DATA_DIR: tempFolder() })
  await seedModels(runtime())
  await runtime().processes.report(runtime())
  await runModel(runtime(), OPERATOR, { model: "/models/tiny.gguf", acceptsLicense: false })
})

/** Returns a double of an engine that has loaded `MODEL`. */
function loadedEngine() {
  const close = vi.fn(async () => {})
  const address = { socketPath: "/nowhere/engine.sock", source: null }
  return { engine: { model: MODEL, address, close } as unknown as OwnEngine, close }
}

/** Prepares every model as one whose load returns `engine`. */
function prepareAs(engine: OwnEngine) {
  const load = vi.fn(async () => engine)
  const prepare = vi.spyOn(OwnEngine, "prepare").mockResolvedValue({ model: MODEL, load })
  onTestFinished(() => prepare.mockRestore())
  return { prepare, load }
}

const running = () => runtime().ownEngines.entries.map(([id]) => id)

async function reasons(orders: ModelOrders): Promise<(string | null)[]> {
  await orders.follow(runtime())
  const { rows } = await runtime().pool.query("SELECT reason FROM model_order_run")
  return rows.map(({ reason }) => reason)
}

test("an order continues after the database was lost", async () => {
  const { engine, close } = loadedEngine()
  const { prepare } = prepareAs(engine)
  prepare.mockRejectedValueOnce(new Error(LOST))
  const orders = new ModelOrders(null)
  await expect.poll(() => reasons(orders)).toEqual([LOST])
  const later = performance.now() + 60_000
  const clock = vi.spyOn(performance, "now").mockReturnValue(later)
  await orders.follow(runtime())
  clock.mockRestore()
  await expect.poll(running).toEqual(["tiny"])
  await orders.close()
  expect(close).toHaveBeenCalledTimes(1)
})

test("an order for the file of ENGINE_GGUF fails before the file is loaded again", async () => {
  const { engine } = loadedEngine()
  const { load } = prepareAs(engine)
  const orders = new ModelOrders({ id: "tiny", engine })
  await expect.poll(() => reasons(orders)).toEqual(["Model tiny runs already, from another file or order."])
  expect(load).not.toHaveBeenCalled()
  await orders.close()
})

test("a start waits until an ordered model was probed", async () => {
  prepareAs(loadedEngine().engine)
  const probe = vi.spyOn(runtime().engines, "probeOwn").mockResolvedValue()
  const orders = new ModelOrders(null)
  await orders.ready(runtime())
  expect(running()).toEqual(["tiny"])
  expect(probe).toHaveBeenCalled()
  await orders.close()
})

test("a model runs although the file for commands cannot be written", async () => {
  await writeFile(path.join(runtime().env.DATA_DIR, "engine"), "not a folder")
  const { engine } = loadedEngine()
  await new ModelOrders({ id: "tiny", engine }).publish()
  expect(running()).toEqual(["tiny"])
})
