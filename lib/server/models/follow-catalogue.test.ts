import { spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { afterAll, expect, inject, it, vi } from "vitest"
import { OPERATOR } from "@/lib/server/platform/actor"
import { programEnv } from "@/lib/server/platform/env"
import { runtime } from "@/lib/server/platform/runtime"
import { startJobs } from "@/lib/server/start/jobs"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { afterFile } from "@/test/after-file"
import { insertFastKey } from "@/test/insert-rows"
import { testService } from "@/test/service"
import { setLimits } from "./set-model"

const service = await testService()
const { token } = await insertFastKey()
// The test moves the clock of the jobs, because a busy machine may take more than 2 s for a request.
vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] })
afterFile(startJobs(null))
afterAll(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Runs a command in another process on the same database. Resolves when it has exited. */
async function operator(...args: string[]): Promise<void> {
  const env = { ...programEnv(), DATABASE_URL: service.databaseUrl }
  const child = spawn(process.execPath, [path.join(inject("programs"), "operator.js"), ...args], {
    env,
    stdio: "ignore",
  })
  const [code] = await once(child, "exit")
  expect(code).toBe(0)
}

/** Lets the jobs run for 2 s of their clock. Resolves when one has read the catalogue. */
function passTwoSeconds(): Promise<void> {
  const { catalogue } = service.runtime
  const replace = catalogue.replace.bind(catalogue)
  const read = new Promise<void>((resolve) => {
    vi.spyOn(catalogue, "replace").mockImplementationOnce((models) => {
      replace(models)
      resolve()
    })
  })
  // Not with `expect.poll`, which moves this clock.
  vi.advanceTimersByTime(2_000)
  return read
}

const listed = async () => {
  const { data } = await (await fetch(`${service.url}/v1/models`)).json()
  const { id: _id, price_per_million_input_tokens_usd: price, max_questions: questions } = data[0]
  return [price, questions]
}

it("an operator's change applies within 2 s to the list and to requests of a running process", async () => {
  expect(await listed()).toEqual(["0.000000", 16])
  await operator("model", "price", LEXICAL_BASELINE, "0.5")
  await passTwoSeconds()
  expect(await listed()).toEqual(["0.500000", 16])
  await setLimits(runtime(), OPERATOR, { id: LEXICAL_BASELINE, maxQuestions: 1 })
  const questions = Object.fromEntries(["a", "b"].map((name) => [name, { type: "noul", instructions: "Is it?" }]))
  const status = async () => (await service.decide(token, { model: ALIAS, state: "x", questions })).status
  await passTwoSeconds()
  expect(await status()).toBe(400)
  expect(await listed()).toEqual(["0.500000", 1])
}, 60_000)
