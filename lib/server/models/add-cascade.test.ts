import { beforeAll, describe, expect, it } from "vitest"
import { inTransaction } from "@/lib/server/platform/db/transaction"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { audited, operator, operatorJson } from "@/test/operator"
import { pointAliasFirst } from "./alias"

const LEXICAL = "svc-lexical-baseline-1"
const ENGINE = ["--engine-url", "http://127.0.0.1:9", "--engine-model", "kev"]

const add = (id: string, cascade: string, ...others: string[]) =>
  operator("model", "add", id, "--cascade", cascade, ...others)

beforeAll(async () => {
  await testRuntime()
  await operatorJson("model", "add", "svc-big-1", ...ENGINE)
  await operatorJson(
    "model",
    "add",
    "svc-cascade-1",
    "--cascade",
    `${LEXICAL}:svc-big-1`,
    "--below",
    "0.9",
    "--price",
    "2",
  )
})

describe("model add --cascade", () => {
  it("adds a pinned id at a price of its own, which every list explains", async () => {
    expect(await audited("model.add", "svc-cascade-1")).toEqual([{ actor: "operator" }])
    const { models } = await operatorJson("model", "list")
    expect(models.find(({ id }: { id: string }) => id === "svc-cascade-1")).toMatchObject({
      kind: "pinned",
      price_per_million_input_tokens_usd: "2.000000",
      available: false,
      reason: "svc-big-1: The engine does not answer: connection refused.",
      caution: `${LEXICAL}: Keyword rules for trying the API. This is not a model: do not rely on its answers.`,
      cascade: { small: LEXICAL, big: "svc-big-1", below: 0.9 },
    })
    expect((await operator("model", "list")).out).toContain(`${LEXICAL}, then svc-big-1 below 0.9`)
    expect((await operator("model", "price", "svc-cascade-1", "3")).out).toContain(
      `Asks ${LEXICAL} first, and svc-big-1 again about each answer with a probability below 0.9.`,
    )
  })

  it.each([
    ["an existing id", "svc-big-1", `${LEXICAL}:svc-big-1`, "A model with this id exists"],
    [
      "the existing id of a cascade with another bound",
      "svc-cascade-1",
      `${LEXICAL}:svc-big-1`,
      "A model with this id",
    ],
    [
      "a cascade as its part",
      "svc-cascade-2",
      "svc-cascade-1:svc-big-1",
      "The model svc-cascade-1 is a cascade itself.",
    ],
    ["an unknown part", "svc-cascade-2", `${LEXICAL}:svc-none`, "There is no pinned model svc-none."],
    [
      "an alias as its part",
      "svc-cascade-2",
      "svc-decider-latest:svc-big-1",
      "There is no pinned model svc-decider-latest.",
    ],
    ["one model twice", "svc-cascade-2", "svc-big-1:svc-big-1", "A cascade asks two different models."],
  ])("refuses %s", async (_name, id, cascade, message) => {
    const { code, err } = await add(id, cascade, "--below", "0.8")
    expect([code, err]).toEqual([1, expect.stringContaining(message)])
  })

  it.each([
    ["no bound", []],
    ["a bound of zero", ["--below", "0"]],
    ["a bound above one", ["--below", "1.1"]],
    ["an engine", ["--below", "0.9", ...ENGINE]],
  ])("refuses %s as an error of usage", async (_name, others) => {
    expect((await add("svc-cascade-2", `${LEXICAL}:svc-big-1`, ...others)).code).toBe(2)
  })

  it("refuses a retired part", async () => {
    await operatorJson("model", "add", "svc-old-1", ...ENGINE)
    await operatorJson("model", "retire", "svc-old-1")
    const { code, err } = await add("svc-cascade-2", `${LEXICAL}:svc-old-1`, "--below", "0.9")
    expect([code, err]).toEqual([1, "The model svc-old-1 is retired.\n"])
  })
})

describe("a cascade", () => {
  it("never changes its parts or its bound", async () => {
    const change = (set: string) => runtime().pool.query(`UPDATE model SET ${set} WHERE id = 'svc-cascade-1'`)
    for (const set of ["below = 0.8", `big_id = 'svc-decider-latest'`, "small_id = NULL, big_id = NULL, below = NULL"])
      await expect(change(set)).rejects.toThrow("is pinned")
  })

  it("stays the target of the alias when a start adds another model", async () => {
    await operatorJson("model", "alias", "svc-cascade-1")
    await inTransaction(runtime().pool, (client) => pointAliasFirst(runtime(), client, "svc-big-1"))
    expect(await operatorJson("model", "alias")).toMatchObject({ target_model: "svc-cascade-1" })
    await operatorJson("model", "alias", LEXICAL)
  })

  it("has no address of its own", async () => {
    const { code, err } = await operator("model", "engine", "svc-cascade-1", "--url", "http://127.0.0.1:10")
    expect([code, err]).toEqual([1, expect.stringContaining("A cascade has no address of its own.")])
  })

  it("keeps its parts from being retired until it is retired itself", async () => {
    const refused = { code: 1, out: "", err: "The cascade svc-cascade-1 asks this model. Retire the cascade first.\n" }
    expect(await operator("model", "retire", "svc-big-1")).toEqual(refused)
    await operatorJson("model", "retire", "svc-cascade-1", "--replacement", "svc-big-1")
    expect(await operatorJson("model", "retire", "svc-big-1")).toMatchObject({ status: "retired" })
  })
})
