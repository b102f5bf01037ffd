import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { type LlamaCppDouble, startLlamaCpp } from "@/test/doubles/llama-cpp"
import { insertEngineModel } from "@/test/insert-rows"
import { audited, operatorJson as json, operator } from "@/test/operator"

const ID = "svc-engine-1"
let engine: LlamaCppDouble
let other: LlamaCppDouble
beforeAll(async () => {
  ;[engine, other] = await Promise.all([startLlamaCpp(), startLlamaCpp()])
  await testRuntime()
  await json("model", "list")
  await insertEngineModel(ID, engine.url)
  await json("model", "engine", ID)
  const pinned = () => runtime().pool.query("SELECT FROM model WHERE id = $1 AND engine_build IS NOT NULL", [ID])
  await vi.waitFor(async () => expect((await pinned()).rows).toHaveLength(1))
})
afterAll(() => Promise.all([engine.stop(), other.stop()]))

const model = (...options: string[]) => operator("model", "engine", ID, ...options)
const up = { available: true, reason: null, draining: false }

describe("model engine", () => {
  it("shows the addresses of a model, and changes them", async () => {
    expect(await json("model", "engine", ID)).toEqual({ id: ID, addresses: [{ url: engine.url, ...up }] })
    expect(await json("model", "engine", ID, "--url", other.url, "--add")).toEqual({
      id: ID,
      addresses: [
        { url: engine.url, ...up },
        { url: other.url, ...up },
      ],
    })
    const drained = await model("--drain", engine.url)
    expect(drained.out.split("\n").map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "Address Answers",
      `${engine.url} draining`,
      `${other.url} yes`,
      "New requests go elsewhere within a second. Running ones end there, within 90 seconds. To end the drain, add it again.",
      "",
    ])
    expect((await model("--url", engine.url, "--remove")).out).toContain(`${other.url}  yes`)
    expect((await model("--url", engine.url)).out).toContain("Every process uses it within a second.")
    expect(await audited("model.engine", ID)).toHaveLength(4)
  })

  it("refuses what cannot be done, with the reason", async () => {
    expect(await model("--drain", engine.url)).toEqual({
      code: 1,
      out: "",
      err: "No other address of the model gets new requests. Add one first.\n",
    })
    expect((await model("--url", "http://127.0.0.1:1", "--add")).err).toBe(
      "The address was not changed. The engine does not answer: connection refused.\n",
    )
  })

  it.each([
    [["--add"]],
    [["--remove"]],
    [["--url", "http://127.0.0.1:1", "--add", "--remove"]],
    [["--url", "http://127.0.0.1:1", "--drain", "http://127.0.0.1:1"]],
    [["--url", "engine"]],
  ])("refuses %j as wrong usage", async (options) => {
    expect((await model(...options)).code).toBe(2)
  })
})
