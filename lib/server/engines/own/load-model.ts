import { availableParallelism } from "node:os"
import { FIXED_PROMPT_TOKENS } from "../token-count"
import { UnusableModel } from "./decision-type"
import type { GgufHeader } from "./gguf-header"
import type { Jinja, Llama, NativeApi, NativeContext, NativeModel } from "./native"
import { gigabytes } from "./progress"

export interface LoadedModel {
  native: NativeModel
  context: NativeContext
  sequences: number
  jinja: Jinja
  /** The release of llama.cpp. */
  release: string
}

interface LoadOptions {
  file: string
  header: GgufHeader
  gpu: string | null
  /** How many threads compute. Null: as many as `defaultThreads` returns. */
  threads: number | null
}

/** The published limit of the first decider, four tokens for each of 255 options, and what the service adds. */
const CONTEXT_TOKENS = 16_384 + FIXED_PROMPT_TOKENS + 255 * 4 + 512
/** How many states stay in memory, most first. Fewer when memory is short. */
const SEQUENCES = [4, 2, 1]
/** Without flash attention, the memory of a batch grows with the context. */
const BATCH_TOKENS = 256
/** Left to the service and the operating system. */
const RESERVE_BYTES = 268_435_456
const UNKNOWN_ARCH = /unknown model architecture: '([^']*)'/

/** Flash attention on a processor rounds differently with every split of a prompt, by up to 0.01 in a logit. */
const flashAttention = (gpu: string | null) => (gpu === null ? false : "auto")

/** Returns the number of processors, less one for the service where there are more than two. */
export const defaultThreads = (processors: number): number => (processors > 2 ? processors - 1 : processors)

/** Returns the bytes that this process may still use, also under a container's limit. */
const availableBytes = (): number => process.availableMemory()

const archValue = ({ metadata }: GgufHeader, name: string) =>
  metadata.get(`${metadata.get("general.architecture")}.${name}`)

/** Returns how many sequences fit into memory. Throws `UnusableModel` when not even one does. */
async function fittingSequences(native: NativeApi, llama: Llama, options: LoadOptions, contextSize: number) {
  const { file, gpu, header } = options
  const insights = await native.GgufInsights.from(await native.readGgufFileInfo(file), llama)
  const modelGpuLayers = gpu === null ? 0 : Number(archValue(header, "block_count") ?? 0) + 1
  const weights = await insights.estimateModelResourceRequirementsV2({ gpuLayers: modelGpuLayers, useMmap: false })
  const available = availableBytes() - RESERVE_BYTES
  let needed = 0
  for (const sequences of SEQUENCES) {
    const states = await insights.estimateContextResourceRequirementsV2({
      contextSize,
      modelGpuLayers,
      sequences,
      batchSize: BATCH_TOKENS,
      flashAttention: flashAttention(gpu),
    })
    needed = weights.cpuRam + states.cpuRam
    if (needed <= available) return sequences
  }
  throw new UnusableModel(
    `The model needs about ${gigabytes(needed)} of memory, and ${gigabytes(Math.max(0, available))} are available. Use a smaller file, or run it on another machine with llama-server and set ENGINE_URL.`,
  )
}

/**
 * Loads a model with a context of as many sequences as fit into memory, by an estimate. Throws `UnusableModel` when not even one
 * fits or when llama.cpp cannot read the file.
 */
export async function loadModel(native: NativeApi, jinja: Jinja, options: LoadOptions): Promise<LoadedModel> {
  const { file, header, gpu } = options
  const threads = options.threads ?? defaultThreads(availableParallelism())
  const complaints: string[] = []
  const logger = (_level: string, message: string) => void complaints.push(message)
  const llama = await native.getLlama({
    build: "never",
    gpu: gpu ?? false,
    skipDownload: true,
    progressLogs: false,
    logLevel: "error",
    logger,
    maxThreads: threads,
  })
  const contextSize = Math.min(CONTEXT_TOKENS, Number(archValue(header, "context_length") ?? CONTEXT_TOKENS))
  try {
    const sequences = await fittingSequences(native, llama, options, contextSize)
    const model = await llama.loadModel({ modelPath: file, ignoreMemorySafetyChecks: true })
    const context = await model.createContext({
      contextSize,
      sequences,
      batchSize: BATCH_TOKENS,
      threads,
      flashAttention: flashAttention(gpu),
      ignoreMemorySafetyChecks: true,
    })
    return { native: model, context, sequences, jinja, release: llama.llamaCppRelease.release }
  } catch (error) {
    if (error instanceof UnusableModel) throw error
    throw new UnusableModel(refusalOf(complaints, error, llama.llamaCppRelease.release))
  }
}

function refusalOf(complaints: string[], error: unknown, release: string): string {
  const unknown = UNKNOWN_ARCH.exec(complaints.join("\n"))?.[1]
  if (unknown !== undefined)
    return `llama.cpp ${release} does not know the model's architecture "${unknown}". Run a newer llama-server and set ENGINE_URL instead of ENGINE_GGUF.`
  const reason = complaints.findLast((line) => line.includes("error")) ?? (error as Error).message
  return `llama.cpp ${release} cannot load the model: ${reason.trim().split("\n")[0]}`
}
