import { createRequire } from "node:module"
import path from "node:path"
import { pathToFileURL } from "node:url"

/** The parts of `node-llama-cpp` that the engine uses. The package is installed on demand, so its own types are missing. */
export interface NativeApi {
  getLlama(options: {
    build: "never"
    gpu: string | false
    skipDownload: true
    progressLogs: false
    logLevel: string
    logger(level: string, message: string): void
    maxThreads: number
  }): Promise<Llama>
  readGgufFileInfo(file: string): Promise<unknown>
  GgufInsights: { from(info: unknown, llama: Llama): Promise<Insights> }
}

export interface Llama {
  llamaCppRelease: { repo: string; release: string }
  loadModel(options: { modelPath: string; gpuLayers?: number; ignoreMemorySafetyChecks: true }): Promise<NativeModel>
}

interface Memory {
  cpuRam: number
  gpuVram: number
}

/** Estimates memory in bytes before anything is loaded. */
interface Insights {
  estimateModelResourceRequirementsV2(options: { gpuLayers: number; useMmap: boolean }): Promise<Memory>
  estimateContextResourceRequirementsV2(options: {
    contextSize: number
    modelGpuLayers: number
    sequences: number
    batchSize: number
    flashAttention: "auto" | false
  }): Promise<Memory>
}

export interface NativeModel {
  readonly size: number
  readonly trainContextSize: number
  readonly tokens: { bosString: string | null; eosString: string | null; shouldPrependBosToken: boolean }
  tokenize(text: string, specialTokens: boolean): number[]
  detokenize(tokens: number[], specialTokens: boolean): string
  isSpecialToken(token: number): boolean
  iterateAllTokens(): Iterable<number>
  createContext(options: {
    contextSize: number
    sequences: number
    batchSize: number
    threads: number
    flashAttention: "auto" | false
    ignoreMemorySafetyChecks: true
  }): Promise<NativeContext>
}

export interface NativeContext {
  readonly contextSize: number
  getSequence(options: { checkpoints: { max: number; interval: false } }): NativeSequence
}

interface Wanted {
  generateNext: {
    logits: { filter: { tokens: readonly number[]; includeMax?: boolean } }
    totalLogitWeight?: boolean
    options: { temperature: number; topK: number; topP: number; minP: number }
  }
}

export interface NextToken {
  logits?: Map<number, number>
  totalLogitWeight?: number
}

/** One prompt whose state stays in memory. */
export interface NativeSequence {
  readonly nextTokenIndex: number
  readonly tokenMeter: { usedInputTokens: number }
  compareContextTokens(tokens: readonly number[]): { firstDifferentIndex: number }
  adaptStateToTokens(tokens: readonly number[], allowShift: boolean): Promise<void>
  clearHistory(): Promise<void>
  evaluateWithoutGeneratingNewTokens(tokens: readonly number[]): Promise<void>
  controlledEvaluate(tokens: (number | [number, Wanted])[]): Promise<({ next: NextToken } | undefined)[]>
  takeCheckpoint(): Promise<void>
}

export interface Jinja {
  Template: new (source: string) => { render(values: Record<string, unknown>): string }
}

/** Loads the packages that were installed into a folder. */
export async function loadNative(folder: string): Promise<{ native: NativeApi; jinja: Jinja }> {
  const require = createRequire(path.join(folder, "package.json"))
  const jinja = require("@huggingface/jinja") as Jinja
  const entry = path.join(folder, "node_modules/node-llama-cpp/dist/index.js")
  return { native: (await import(pathToFileURL(entry).href)) as NativeApi, jinja }
}
