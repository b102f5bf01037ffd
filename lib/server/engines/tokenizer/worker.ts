import { parentPort, workerData } from "node:worker_threads"
import { openTokenizer, type TextSource } from "./open-tokenizer"
import type { TokenizerFiles } from "./tokenizer-files"

export interface CountJob {
  id: number
  texts: TextSource[]
}

/**
 * The first message has the tokenizer's growth. Each later one has the counts of a job, or null when a text could not
 * be counted.
 */
export type WorkerReply = { growth: string } | { id: number; counts: number[] | null }

const tokenizer = openTokenizer(workerData as TokenizerFiles)
const reply = (message: WorkerReply) => parentPort?.postMessage(message)

/** Counts texts. Returns null on failure and drops the error, which could quote a text. */
function countsOf(texts: TextSource[]): number[] | null {
  try {
    return texts.map((text) => tokenizer.count(text))
  } catch {
    return null
  }
}

parentPort?.on("message", ({ id, texts }: CountJob) => reply({ id, counts: countsOf(texts) }))
reply({ growth: tokenizer.growth })
