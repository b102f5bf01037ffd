import { writeFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { tinyGguf } from "@/test/doubles/tiny-gguf"
import { tinyModelFile } from "@/test/own-engine"
import { tempFolder } from "@/test/temp-folder"
import { modelKindOf } from "./decision-type"
import { readGgufHeader } from "./gguf-header"

test("a header is read without its lists", async () => {
  const header = await readGgufHeader(await tinyModelFile({ type: "lev", temperatures: { "choice.small": 2 } }))
  expect(header.metadata.get("general.architecture")).toBe("llama")
  expect(header.metadata.get("llama.attention.layer_norm_rms_epsilon")).toBeCloseTo(1e-5)
  expect(header.metadata.get("tokenizer.ggml.add_bos_token")).toBe(false)
  expect(header.metadata.has("tokenizer.ggml.tokens")).toBe(false)
  expect(header.vocabulary).toBe(329)
  expect(header.parameters).toBe(112_064)
})

test("a file that is cut within its header, or is no GGUF file, is refused with the reason", async () => {
  const folder = tempFolder()
  const [cut, text] = [path.join(folder, "cut.gguf"), path.join(folder, "text.gguf")]
  await writeFile(cut, tinyGguf({ type: "lev" }).subarray(0, 900))
  await writeFile(text, "Not a model at all.")
  await expect(readGgufHeader(cut)).rejects.toThrow("it ends within its header")
  await expect(readGgufHeader(text)).rejects.toThrow("it does not begin with GGUF")
})

const kindOf = async (model: Parameters<typeof tinyModelFile>[0]) =>
  modelKindOf(await readGgufHeader(await tinyModelFile(model)))

test("a type that is not read by labels is refused and leads to llama-server", async () => {
  await expect(kindOf({ type: "kev" })).rejects.toThrow(
    "The service cannot run decision models of type kev itself. It supports lev, openjev, nimble. Run it with llama-server and set ENGINE_URL instead of ENGINE_GGUF.",
  )
})

test("a file without a decision type is a chat model if it has a chat template", async () => {
  expect(await kindOf({ type: null })).toMatchObject({ kind: "chat" })
})

test("the temperature of a question is that of its number of options, else that of its type, else 1", async () => {
  const temperatures = { choice: 3, "choice.small": 2, "choice.large": 5, noul: 7 }
  const lev = await kindOf({ type: "lev", temperatures })
  const nimble = await kindOf({ type: "nimble", temperatures: { choice: 3, "choice.3_5": 2 } })
  if (lev.kind !== "decisions" || nimble.kind !== "decisions") throw new Error("they are decision models")
  const { temperature } = lev.settings
  expect([8, 9, 27].map((n) => temperature("choice", n))).toEqual([2, 3, 5])
  expect([temperature("noul", 2), temperature("score", 4)]).toEqual([7, 1])
  expect([2, 3, 5, 6].map((n) => nimble.settings.temperature("choice", n))).toEqual([3, 2, 2, 3])
})
