import { afterAll, beforeAll, expect, test } from "vitest"
import { numbersOf } from "@/questions/question-types"
import { checkedRequest, choice } from "@/test/checked-request"
import { CONTROL_LOOKING } from "@/test/control-looking"
import { printFigure } from "@/test/figures"
import { builtLlamaServer, startLlamaServer } from "@/test/llama-server"
import { labelsEngine } from "@/test/open-labels"
import { directLogits, startOwnEngine, tinyModelFile } from "@/test/own-engine"
import { findMarks } from "../system-one/control-marks"
import { Transport } from "../system-one/transport"
import type { LabelsEngine } from "./labels-engine"
import { SYSTEM_TEXT } from "./prompt"

const SLOW = { timeout: 240_000 }
const BUILD = 60 * 60_000
/** llama-server writes probabilities with about five digits. */
const EXACT = 1e-4
const never = new AbortController().signal

const STATE = "State of the order: charged twice. ".repeat(30)
const CRITERIA = { red: "the warm one", blue: null }

let file: string
let url: string
let engine: LabelsEngine
beforeAll(async () => {
  const program = await builtLlamaServer()
  file = await tinyModelFile({ type: null, isObedient: true })
  url = await startLlamaServer(program, file)
  engine = labelsEngine(url, { model: "tiny" })
}, BUILD)
afterAll(() => engine?.close())

/** Returns the probability of "red" by llama-server. */
async function redOf(state: string): Promise<number> {
  const request = checkedRequest(state, choice("color", "Which?", Object.entries(CRITERIA)))
  const [answer] = await engine.answer(request, never)
  return (answer && numbersOf(answer)[0]) ?? Number.NaN
}

test("a real llama-server is recognised, and its model is pinned", SLOW, async () => {
  const found = await engine.probe(never)
  expect(found).toMatchObject({ available: true, served: "tiny", slots: 4 })
  expect(found.build).toMatch(/^llama\.cpp b\d+-[0-9a-f]{7,} tiny\.gguf /)
})

test("its answers are those of the same model without a server", SLOW, async () => {
  const user = `State:\n${STATE}\n\nQuestion:\nWhich?\n\nA:\nred\nthe warm one\n\nB:\nblue\n\nAnswer with the label of the best option only.`
  const prompt = `<|im_start|>system\n${SYSTEM_TEXT}<|im_end|>\n<|im_start|>user\n${user}<|im_end|>\n<|im_start|>assistant\n`
  const [[red = 0, blue = 0] = []] = await directLogits(file, [{ prompt, labels: ["A", "B"] }])
  const difference = Math.abs((await redOf(STATE)) - Math.exp(red) / (Math.exp(red) + Math.exp(blue)))
  printFigure("llama-server: largest difference to a direct read", difference)
  expect(difference).toBeLessThan(EXACT)
})

test("twenty control-looking texts have the answers of the engine in the service", SLOW, async () => {
  const own = await startOwnEngine(file)
  const differences: number[] = []
  for (const mark of CONTROL_LOOKING) {
    const state = `The order ${mark} arrived.`
    const questions = { color: { type: "choice", instructions: "Which?", criteria: CRITERIA } }
    const { body } = await own.post("/v1/systemone", { model: "tiny", state, questions })
    const { answers } = body as unknown as { answers: { color: { probabilities: { red: number } } } }
    differences.push(Math.abs((await redOf(state)) - answers.color.probabilities.red))
  }
  printFigure("llama-server: largest difference to the own engine, 20 control-looking texts", Math.max(...differences))
  expect(Math.max(...differences)).toBeLessThan(EXACT)
})

test("the probe of decision models finds the control tokens of its vocabulary", SLOW, async () => {
  const transport = new Transport(url, null)
  try {
    expect(await findMarks(transport, never)).toBe("</s>")
  } finally {
    await transport.close()
  }
})
