import { expect, test } from "vitest"
import { loadCatalogue } from "@/lib/server/models/load-catalogue"
import { runtime } from "@/lib/server/platform/runtime"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { enginesAvailable } from "@/test/engines-available"
import { insertEngineModel, insertPayer, insertSession } from "@/test/insert-rows"
import { gate } from "@/test/scripted-engine"
import { testService } from "@/test/service"

const MODEL = "svc-engine-1"
const BODY = JSON.stringify({ model: MODEL, state: "s", questions: { q: { type: "noul", instructions: "Is it?" } } })

const service = await testService({}, { serve: "all" })
// One slot, so four places.
const engine = await startLlamaCpp({ slots: 1 })
await insertEngineModel(MODEL, engine.url)
await loadCatalogue(runtime())
await enginesAvailable()

const loadOf = () =>
  runtime()
    .engines.queues()
    .find(({ model }) => model === MODEL)

test("rows of Evaluate leave places at the engine to other requests, which do not wait for them", async () => {
  const { accountId, token } = await insertPayer()
  const cookie = await insertSession(accountId)
  const origin = runtime().env.CONSOLE_URL
  const sendRow = () =>
    fetch(`${service.url}/evaluate/decisions`, {
      method: "POST",
      headers: { "content-type": "application/json", origin, cookie },
      body: BODY,
    })
  const { wait, open } = gate()
  engine.fault = { kind: "held", until: wait() }
  const rows = [sendRow(), sendRow(), sendRow(), sendRow()]
  // Half of the places, although no other request came yet.
  await expect.poll(loadOf).toMatchObject({ running: 2, waiting: 2 })
  const paid = service.decide(token, BODY)
  await expect.poll(() => engine.working).toBe(3)
  expect(loadOf()).toMatchObject({ running: 3, waiting: 2 })
  open()
  const statuses = await Promise.all([...rows, paid].map(async (response) => (await response).status))
  expect(statuses).toEqual([200, 200, 200, 200, 200])
})
