// Runs the engines of a test file in one process, and reads logits with node-llama-cpp alone. `test/own-engine.ts` starts it.
import { once } from "node:events"
import path from "node:path"
import { pathToFileURL } from "node:url"
import { createEngineServer, type EngineSettings, startFailureOf } from "@/lib/server/engines/own/engine-program"
import type { NextToken } from "@/lib/server/engines/own/native"

/** A prompt, and the texts of the tokens whose logits are wanted. */
export interface DirectRead {
  prompt: string
  labels: string[]
}

export type HostJob = { id: number; packages: string } & (
  | { do: "serve"; settings: EngineSettings; socketPath: string }
  | { do: "read"; file: string; reads: DirectRead[] }
)

export interface HostResult {
  id: number
  /** Why an engine did not start, or why logits were not read. */
  failure?: string
  logits?: number[][]
}

/** The parts of node-llama-cpp that a direct read uses. */
interface DirectApi {
  getLlama(options: object): Promise<DirectLlama>
}

interface DirectLlama {
  loadModel(options: { modelPath: string }): Promise<DirectModel>
}

interface DirectModel {
  tokenize(text: string, specialTokens: boolean): number[]
  createContext(options: object): Promise<{
    getSequence(): { controlledEvaluate(tokens: unknown[]): Promise<({ next: NextToken } | undefined)[]> }
    dispose(): Promise<void>
  }>
}

// Several threads wait for each other in loops. On a loaded machine, that takes most of the processor time.
const OPTIONS = {
  maxThreads: 1,
  build: "never",
  gpu: false,
  skipDownload: true,
  progressLogs: false,
  logLevel: "error",
}

const models = new Map<string, Promise<DirectModel>>()
let llama: Promise<DirectLlama> | null = null

async function modelOf(packages: string, file: string): Promise<DirectModel> {
  const entry = path.join(packages, "node_modules/node-llama-cpp/dist/index.js")
  const { getLlama } = (await import(pathToFileURL(entry).href)) as DirectApi
  llama ??= getLlama(OPTIONS)
  const model = models.get(file) ?? (await llama).loadModel({ modelPath: file })
  models.set(file, model)
  return model
}

/** Computes each prompt in one piece, in a context of its own. */
async function readDirectly(packages: string, file: string, reads: DirectRead[]): Promise<number[][]> {
  const model = await modelOf(packages, file)
  const results: number[][] = []
  for (const { prompt, labels } of reads) {
    const context = await model.createContext({ contextSize: 4096, batchSize: 4096, flashAttention: false })
    const tokens = model.tokenize(prompt, true)
    const wanted = { generateNext: { logits: true, options: { temperature: 0, topK: 0, topP: 1, minP: 0 } } }
    const output = await context.getSequence().controlledEvaluate([...tokens.slice(0, -1), [tokens.at(-1), wanted]])
    const logits = output.at(-1)?.next.logits
    results.push(labels.map((label) => logits?.get(model.tokenize(label, false)[0] ?? -1) ?? Number.NaN))
    await context.dispose()
  }
  return results
}

async function resultOf(job: HostJob): Promise<HostResult> {
  const { id, packages } = job
  if (job.do === "read") return { id, logits: await readDirectly(packages, job.file, job.reads) }
  const server = await createEngineServer(job.settings)
  await once(server.listen(job.socketPath), "listening")
  return { id }
}

process.on("message", (job: HostJob) => {
  void resultOf(job)
    .catch((error: unknown) => ({ id: job.id, failure: startFailureOf(error) }))
    .then((result) => process.send?.(result))
})
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))
