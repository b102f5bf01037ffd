import { beforeEach, expect, test } from "vitest"
import { OWN_ENGINE_URL } from "@/lib/server/engines/own-engine-url"
import { OPERATOR } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { ALIAS, LEXICAL_BASELINE } from "@/lib/shared/models/model-ids"
import { testRuntime } from "@/test/database"
import { moveAlias } from "./alias"
import { cautionOf } from "./caution"
import { listAddresses } from "./list-models"
import { loadCatalogue } from "./load-catalogue"
import { ownModelId, ownSources, seedOwnModel } from "./own-model"
import { wayToModel } from "./real-model"
import { recordSeen } from "./record-seen"
import { seedModels } from "./seed-models"

beforeEach(async () => {
  await testRuntime()
})

const FILE = { sha256: "ab12", source: null }
const LEV = { served: "lev-Q4_K_M", kind: "decisions", ...FILE } as const

async function start(own: Parameters<typeof seedModels>[1] = null) {
  await seedModels(runtime(), own)
  await loadCatalogue(runtime())
  const models = runtime().catalogue.list()
  return { target: models.find(({ id }) => id === ALIAS)?.target_model, ids: models.map(({ id }) => id) }
}

test("an id is the file's name in lower case, and says when a chat model is read by its labels", () => {
  expect(ownModelId(LEV)).toBe("lev-q4_k_m")
  expect(ownModelId({ served: "Qwen3 0.6B (chat)", kind: "chat" })).toBe("qwen3-0.6b-chat--labels-1")
  expect(ownModelId({ served: "svc-decider-latest", kind: "decisions" })).toBe("gguf-svc-decider-latest")
  expect(ownModelId({ served: "模型", kind: "decisions" })).toBe("gguf-")
})

test("the first start with a file adds a free model and moves the alias from the keyword rules to it", async () => {
  expect((await start()).target).toBe(LEXICAL_BASELINE)
  const { target, ids } = await start(LEV)
  expect(target).toBe("lev-q4_k_m")
  expect(ids).toEqual([ALIAS, "lev-q4_k_m", LEXICAL_BASELINE])
  expect(runtime().catalogue.find("lev-q4_k_m")).toMatchObject({
    pricePico: 0n,
    tokenizer: "engine",
    addresses: [{ url: OWN_ENGINE_URL, isDraining: false }],
    engineModel: "lev-Q4_K_M",
    limits: { maxQuestions: 16 },
  })
})

test("a start does not move an alias that ever pointed at a model, nor one that an operator moved back", async () => {
  await start(LEV)
  expect((await start({ ...LEV, served: "other" })).target).toBe("lev-q4_k_m")
  await seedModels(runtime())
  await runtime().pool.query(
    "INSERT INTO model (id, kind, engine, price_pico) VALUES ('rules-2', 'pinned', 'lexical', 0)",
  )
  await moveAlias(runtime(), OPERATOR, { toId: "rules-2" })
  expect((await start(LEV)).target).toBe("rules-2")
  expect((await start({ ...LEV, served: "third" })).target).toBe("rules-2")
})

test("a process that does not run a model says so", async () => {
  await start(LEV)
  await runtime().engines.probeNow("lev-q4_k_m")
  expect(listAddresses(runtime(), "lev-q4_k_m")).toEqual([
    {
      url: "this service",
      isDraining: false,
      available: false,
      reason: "The engine does not answer: this process does not run the model.",
    },
  ])
})

test("a file whose id belongs to another engine is refused", async () => {
  await runtime().pool.query(
    "INSERT INTO model (id, kind, engine, engine_url, price_pico) VALUES ('lev-q4_k_m', 'pinned', 'system-one', 'http://127.0.0.1:9', 0)",
  )
  await expect(start(LEV)).rejects.toThrow(
    "The file leads to the id lev-q4_k_m, which another engine serves: rename the file",
  )
})

test("a chat model that the service runs has the caution of a model that is read by its labels", async () => {
  await start({ served: "chat", kind: "chat", ...FILE })
  await runtime().pool.query("UPDATE model SET pinned_facts = '{\"prompt\":\"labels-1\"}' WHERE id = 'chat-labels-1'")
  await loadCatalogue(runtime())
  expect(cautionOf(runtime().catalogue.find("chat-labels-1"))).toBe(
    "An ordinary model read by its labels. Measure it before you trust it.",
  )
})

test("only the person who runs the service reads the command for a model, and only while keyword rules answer", async () => {
  const from = (local: string, isOperator = false) =>
    wayToModel(runtime(), new Headers({ "x-svc-local": local }), isOperator)
  await start()
  const command = "ENGINE_GGUF=hf:ggml-org/lev-GGUF npm start"
  expect([from("1"), from("0"), from("0", true)]).toEqual([
    { command, isOperator: false },
    { command: null, isOperator: false },
    { command: null, isOperator: true },
  ])
  await start(LEV)
  expect([from("1"), from("0", true)]).toEqual([null, null])
})

const at = (commit: string) => `hf:ggml-org/lev-GGUF@${commit.repeat(40)}:lev-Q4_K_M.gguf`
const pin = (id: string, sha256: string) =>
  runtime().pool.query("UPDATE model SET pinned_facts = $2 WHERE id = $1", [id, { sha256 }])

test("a pinned id keeps its commit, and another file of the same name gets an id with its own commit", async () => {
  await start({ ...LEV, source: at("1") })
  await pin("lev-q4_k_m", "ab12")
  await start({ ...LEV, source: at("2") })
  expect(await ownSources(runtime().pool)).toEqual([at("1")])
  const { target, ids } = await start({ ...LEV, sha256: "cd34", source: at("3") })
  expect(target).toBe("lev-q4_k_m")
  expect(ids).toContain("lev-q4_k_m-3333333")
  expect(await ownSources(runtime().pool)).toEqual([at("1"), at("3")])
  await expect(runtime().pool.query("UPDATE model SET source = $1 WHERE id = 'lev-q4_k_m'", [at("3")])).rejects.toThrow(
    "is pinned",
  )
})

test("the source of an id that nothing has answered for is that of the last start", async () => {
  await start({ ...LEV, source: at("1") })
  await start({ ...LEV, sha256: "cd34", source: at("2") })
  expect(await ownSources(runtime().pool)).toEqual([at("2")])
})

test("an id that two first starts add at once keeps the source of the file that is pinned", async () => {
  await start({ ...LEV, source: at("1") })
  await runtime().pool.query("UPDATE model SET source = $1 WHERE id = 'lev-q4_k_m'", [at("2")])
  const ofThis = { socketPath: "/engine.sock", source: at("1") }
  runtime().ownEngines.replace([["lev-q4_k_m", ofThis]])
  const found = { build: "llama.cpp 1", facts: { sha256: "ab12" }, served: null, tokenizer: null }
  await recordSeen(runtime(), "lev-q4_k_m", found, OWN_ENGINE_URL)
  expect(await ownSources(runtime().pool)).toEqual([at("1")])
  runtime().ownEngines.replace([["lev-q4_k_m", { ...ofThis, source: at("3") }]])
  await recordSeen(runtime(), "lev-q4_k_m", { ...found, facts: { size: 7 } }, OWN_ENGINE_URL)
  expect(await ownSources(runtime().pool)).toEqual([at("1")])
})

test("a model that was ordered gets an id, and the alias stays at the keyword rules", async () => {
  await start()
  expect(await seedOwnModel(runtime(), LEV, { mayMoveAlias: false })).toBe("lev-q4_k_m")
  const { target, ids } = await start()
  expect([target, ids]).toEqual([LEXICAL_BASELINE, [ALIAS, "lev-q4_k_m", LEXICAL_BASELINE]])
})

test("an id of an earlier version gets its source from a start with the same file only", async () => {
  await start(LEV)
  await pin("lev-q4_k_m", "ab12")
  await start({ ...LEV, sha256: "cd34", source: at("2") })
  await start({ ...LEV, source: at("1") })
  expect(await ownSources(runtime().pool)).toEqual([at("1"), at("2")])
})
