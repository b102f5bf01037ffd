// Prints the logits that a model has for given tokens after given prompts, as JSON.
import { readFileSync } from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"

const { file, reads, packages } = JSON.parse(readFileSync(process.argv[2], "utf8"))
const entry = path.join(packages, "node_modules/node-llama-cpp/dist/index.js")
const { getLlama } = await import(pathToFileURL(entry).href)
const llama = await getLlama({ build: "never", gpu: false, skipDownload: true, progressLogs: false, logLevel: "error" })
const model = await llama.loadModel({ modelPath: file })
const results = []
for (const { prompt, labels } of reads) {
  const context = await model.createContext({ contextSize: 4096, batchSize: 4096, flashAttention: false })
  const tokens = model.tokenize(prompt, true)
  const last = tokens.pop()
  const options = { temperature: 0, topK: 0, topP: 1, minP: 0 }
  const output = await context
    .getSequence()
    .controlledEvaluate([...tokens, [last, { generateNext: { logits: true, options } }]])
  const { logits } = output.at(-1).next
  results.push(labels.map((label) => logits.get(model.tokenize(label, false)[0])))
  await context.dispose()
}
process.stdout.write(JSON.stringify(results))
process.exitCode = 0
process.stdout.write("", () => process.exit())
