import { mkdir, readFile, symlink } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { listModelOrders, runModel, stopModel } from "@/lib/server/models/order-model"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { startHub } from "@/test/doubles/hub"
import { insertFastKey } from "@/test/insert-rows"
import { enginePackages, tinyModelFile } from "@/test/own-engine"
import { sendDecision } from "@/test/send-decision"
import { type ServerProcess, startServer } from "@/test/server-process"
import { tempFolder } from "@/test/temp-folder"

const { databaseUrl } = await testRuntime()
const SLOW = { timeout: 400_000 }
const READY_WITHIN_MS = 200_000
/** An engine has a lower priority, so other tests delay its start. */
const LOADED = { timeout: 150_000, interval: 500 }

async function dataFolder(): Promise<string> {
  const folder = tempFolder()
  const packages = await enginePackages()
  await mkdir(path.join(folder, "engine"))
  await symlink(packages, path.join(folder, "engine", path.basename(packages)))
  return folder
}

async function statesOf(): Promise<(string | null)[][]> {
  const orders = await listModelOrders(runtime(), OPERATOR)
  return orders.map(({ modelId, runs }) => runs.map(({ state, reason }) => reason ?? `${modelId} ${state}`))
}

const run = (model: string) => runModel(runtime(), OPERATOR, { model, acceptsLicense: false })

async function end(server: ServerProcess): Promise<void> {
  server.signal("SIGTERM")
  await server.ended
}

async function statusOf({ url }: ServerProcess, token: string, model: string): Promise<number> {
  const questions = { late: { type: "noul", instructions: "Was it late?" } }
  const response = await sendDecision(url, token, JSON.stringify({ model, state: "It arrived late.", questions }))
  await response.arrayBuffer()
  return response.status
}

test(
  "a running server carries out orders, two at once, without the alias, and a start does so again",
  SLOW,
  async () => {
    const { token } = await insertFastKey()
    const hub = await startHub()
    hub.files.set("first.gguf", await readFile(await tinyModelFile({ type: "lev" })))
    const second = await tinyModelFile({ type: "nimble" }, "second.gguf")
    const settings = { DATA_DIR: await dataFolder(), HF_ENDPOINT: hub.url, API_WORKERS: "2" }
    const server = await startServer(databaseUrl, settings, READY_WITHIN_MS)
    await run("hf:owner/model")
    await run(second)
    await run("/nowhere/third.gguf")
    const all = [["first running"], ["second running"], ["There is no file /nowhere/third.gguf."]]
    await expect.poll(statesOf, LOADED).toEqual(all)
    const both = async (of: ServerProcess) => [await statusOf(of, token, "first"), await statusOf(of, token, "second")]
    await expect.poll(() => both(server), LOADED).toEqual([200, 200])
    const { rows } = await runtime().pool.query("SELECT target_id FROM model WHERE kind = 'alias'")
    expect(rows).toEqual([{ target_id: "svc-lexical-baseline-1" }])

    await stopModel(runtime(), OPERATOR, { model: "first" })
    await expect.poll(() => both(server), LOADED).toEqual([503, 200])
    await end(server)

    const next = await startServer(databaseUrl, settings, READY_WITHIN_MS)
    await expect.poll(() => both(next), LOADED).toEqual([503, 200])
    await end(next)
    await hub.stop()
  },
)
