import { beforeAll, describe, expect, it } from "vitest"
import { fingerprintOf } from "@/lib/server/engines/tokenizer/tokenizer-files"
import { runtime } from "@/lib/server/platform/runtime"
import { testRuntime } from "@/test/database"
import { startLlamaCpp } from "@/test/doubles/llama-cpp"
import { startVllm } from "@/test/doubles/vllm"
import { freePort } from "@/test/free-port"
import { audited, operatorJson as json, operator } from "@/test/operator"
import { tinyFiles, tinyFolder } from "@/test/tiny-tokenizer"

beforeAll(() => testRuntime({ WELCOME_CREDIT_USD: "1" }))

const pinnedTokenizer = async (id: string): Promise<string | undefined> => {
  const { rows } = await runtime().pool.query("SELECT tokenizer FROM model WHERE id = $1", [id])
  return rows[0]?.tokenizer
}

describe("model", () => {
  const entry = {
    id: "svc-lexical-baseline-1",
    kind: "pinned",
    target_model: null,
    status: "active",
    replacement_model: null,
    price_per_million_input_tokens_usd: "0.020000",
    max_questions: 16,
    max_options: 255,
    max_levels: 10,
    max_body_bytes: 29_360_128,
  }
  const caution = "Keyword rules for trying the API. This is not a model: do not rely on its answers."
  const refused = ["--engine-url", "http://127.0.0.1:9", "--engine-model", "kev"]

  it("list shows what a first start would seed, each with a probe of its engine", async () => {
    expect(await json("model", "list")).toEqual({
      models: [
        {
          ...entry,
          id: "svc-decider-latest",
          kind: "alias",
          target_model: entry.id,
          available: true,
          reason: null,
          caution,
          cascade: null,
          findings: [],
        },
        { ...entry, available: true, reason: null, caution, cascade: null, findings: [] },
      ],
    })
  })

  it("price and limits apply at once", async () => {
    expect(await json("model", "price", entry.id, "0.5")).toEqual({
      ...entry,
      price_per_million_input_tokens_usd: "0.500000",
    })
    const limits = ["--questions", "3", "--options", "4", "--levels", "5", "--body-bytes", "1000"]
    const limited = await json("model", "limits", entry.id, ...limits)
    expect(limited).toMatchObject({ max_questions: 3, max_options: 4, max_levels: 5, max_body_bytes: 1000 })
    expect(await audited("model.price", entry.id)).toEqual([{ actor: "operator" }])
  })

  it("limits of one are written in the singular", async () => {
    const ones = ["--questions", "1", "--options", "1", "--levels", "1", "--body-bytes", "1000"]
    const { out } = await operator("model", "limits", entry.id, ...ones)
    expect(out).toContain("1 question, 1 option, 1 level, 1000 bytes")
  })

  it("a change whose audit row cannot be written does not happen", async () => {
    const { pool } = runtime()
    const priceOf = async () => (await pool.query("SELECT price_pico FROM model WHERE id = $1", [entry.id])).rows
    const before = await priceOf()
    await pool.query("ALTER TABLE audit_event ADD CONSTRAINT no_price CHECK (action <> 'model.price') NOT VALID")
    expect((await operator("model", "price", entry.id, "0.7")).code).toBe(1)
    await pool.query("ALTER TABLE audit_event DROP CONSTRAINT no_price")
    expect(await priceOf()).toEqual(before)
  })

  it("add adds a pinned model once; its probe reports why it cannot be used", async () => {
    const added = await json("model", "add", "svc-test-2", ...refused, "--price", "0.02")
    expect(added).toMatchObject({ id: "svc-test-2", status: "active", price_per_million_input_tokens_usd: "0.020000" })
    expect((await operator("model", "add", "svc-test-2", ...refused)).code).toBe(1)
    expect((await operator("model", "add", "Svc Test", ...refused)).code).toBe(2)
    const probe = await operator("model", "probe", "svc-test-2", "--json")
    expect(probe.code).toBe(1)
    expect(JSON.parse(probe.out)).toEqual({
      id: "svc-test-2",
      available: false,
      reason: expect.any(String),
      caution: null,
      findings: [],
    })
    expect(probe.err).toMatch(/^svc-test-2: .+\n$/)
    expect(await json("model", "probe", "svc-decider-latest")).toMatchObject({ available: true, reason: null })
  })

  it("add --labels adds an ordinary model, and every command about it says what it is", async () => {
    const note = "An ordinary model read by its labels. Measure it before you trust it."
    const vllm = await startVllm()
    const engine = ["--engine-url", vllm.url, "--engine-model", "qwen-toy"]
    expect((await operator("model", "add", "svc-labels-1", ...engine, "--labels", "--both-orders")).out).toContain(note)
    const { rows } = await runtime().pool.query("SELECT engine, prompt_template FROM model WHERE id = 'svc-labels-1'")
    expect(rows).toEqual([{ engine: "labels", prompt_template: "labels-1-both-orders" }])
    await expect
      .poll(async () => (await operator("model", "probe", "svc-labels-1")).out, { timeout: 30_000 })
      .toMatch(new RegExp(`^svc-labels-1 is available. ${note}\nFound +Value +Meaning\nengine +vLLM `, "i"))
    expect((await operator("model", "list")).out).toContain(note)
    expect((await operator("model", "add", "svc-labels-2", ...engine, "--labels", "--tokenizer", ".")).code).toBe(1)
    expect((await operator("model", "add", "svc-labels-3", ...engine, "--both-orders")).code).toBe(1)
    await vllm.stop()
  })

  it("record stores a model's answers to the examples, and charges nobody", async () => {
    expect(await json("model", "record", "svc-lexical-baseline-1")).toEqual({
      id: "svc-lexical-baseline-1",
      examples: 5,
      tokens: 1070,
    })
    const { rows } = await runtime().pool.query(
      "SELECT (SELECT count(*) FROM example_recording)::int AS recorded, (SELECT count(*) FROM ledger_entry)::int AS entries",
    )
    expect(rows).toEqual([{ recorded: 5, entries: 0 }])
  })

  it("alias moves, and retiring its target is refused", async () => {
    await json("model", "add", "svc-test-3", ...refused)
    expect(await json("model", "alias", "svc-test-3")).toMatchObject({ kind: "alias", target_model: "svc-test-3" })
    expect((await operator("model", "retire", "svc-test-3")).code).toBe(1)
    expect(await json("model", "alias", entry.id)).toMatchObject({ target_model: entry.id })
    const retired = await json("model", "retire", "svc-test-3", "--replacement", entry.id)
    expect(retired).toMatchObject({ status: "retired", replacement_model: entry.id })
    expect((await operator("model", "alias", "svc-test-3")).code).toBe(1)
    const { target_model, moves } = await json("model", "alias")
    expect(target_model).toBe(entry.id)
    const at = expect.stringMatching(/^\d{4}-.+Z$/)
    expect(moves).toEqual([
      { from: "svc-test-3", to: entry.id, at },
      { from: entry.id, to: "svc-test-3", at },
      { from: null, to: entry.id, at },
    ])
    expect((await operator("model", "alias")).out).toMatch(/Moved at +To +From/)
  })

  it("add pins a folder's tokenizer and counts with it", async () => {
    const engine = await startLlamaCpp({ isPlainWire: true })
    const on = (id: string, folder: string) =>
      operator("model", "add", id, "--engine-url", engine.url, "--engine-model", "kev-4b", "--tokenizer", folder)
    expect((await on("svc-own-1", await tinyFolder())).code).toBe(0)
    expect(await pinnedTokenizer("svc-own-1")).toBe(fingerprintOf(tinyFiles()))
    expect(await json("model", "probe", "svc-own-1")).toMatchObject({ available: true })

    expect(await on("svc-own-2", import.meta.dirname)).toEqual({
      code: 1,
      out: "",
      err: "The folder cannot be used: there is no tokenizer.json in it.\n",
    })
    engine.settings.isPlainWire = false
    expect((await on("svc-own-2", await tinyFolder())).err).toBe(
      "The folder cannot be used: the engine counts differently, so this is the tokenizer of another model.\n",
    )
    expect(await pinnedTokenizer("svc-own-2")).toBeUndefined()
    await engine.stop()
  })

  it("add on an unreachable engine lists the ceilings and the reason until a probe succeeds", async () => {
    const port = await freePort()
    const at = ["--engine-url", `http://127.0.0.1:${port}`, "--engine-model", "kev-4b", "--price", "0.5"]
    expect(await json("model", "add", "svc-late-1", ...at)).toMatchObject({ max_questions: 128 })
    const report = async () => {
      const { models } = await json("model", "list")
      return models.find(({ id }: { id: string }) => id === "svc-late-1")
    }
    expect(await report()).toMatchObject({
      available: false,
      reason: "The engine does not answer: connection refused.",
    })
    const engine = await startLlamaCpp({ port })
    expect(await report()).toMatchObject({ available: false, reason: expect.stringContaining("in 2 seconds") })
    await expect.poll(() => pinnedTokenizer("svc-late-1")).toBe("engine")
    expect(await report()).toMatchObject({
      available: true,
      reason: null,
      max_questions: 16,
      price_per_million_input_tokens_usd: "0.500000",
    })
    await engine.stop()
  })

  it.each([
    ["price", ["model", "price", "svc-none", "1"]],
    ["limits", ["model", "limits", "svc-none", "--levels", "2"]],
    ["retire", ["model", "retire", "svc-none"]],
    ["alias", ["model", "alias", "svc-none"]],
    ["probe", ["model", "probe", "svc-none"]],
    ["record", ["model", "record", "svc-none"]],
  ])("%s of an unknown id is refused", async (_name, args) => {
    expect(await operator(...args)).toEqual({ code: 1, out: "", err: "There is no model with this id.\n" })
  })
})
