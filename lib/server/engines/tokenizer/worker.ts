import { parentPort, workerData } from "node:worker_threads"
import { type Growth, openTokenizer, type TextSource } from "./open-tokenizer"
import type { SpecialTokens } from "./token-counter"
import type { TokenizerFiles } from "./tokenizer-files"

export interface CountJob {
  texts: TextSource[]
  specials: SpecialTokens
}

/**
 * The first message has the tokenizer's growth. Each later one has the counts of a job, or null when a text could not
 * be counted.
 */
export type WorkerReply = { growth: Growth } | { counts: number[] | null }

const tokenizer = openTokenizer(workerData as TokenizerFiles)
const reply = (message: WorkerReply) => parentPort?.postMessage(message)

/** Counts texts. Returns null on failure and drops the error, which could quote a text. */
function countsOf({ texts, specials }: CountJob): number[] | null {
  try {
    return texts.map((text) => tokenizer.count(text, specials))
  } catch {
    return null
  }
}

parentPort?.on("message", (job: CountJob) => reply({ counts: countsOf(job) }))
reply({ growth: tokenizer.growth })
