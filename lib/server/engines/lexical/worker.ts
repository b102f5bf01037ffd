import { constants } from "node:os"
import { setImmediate } from "node:timers/promises"
import { parentPort } from "node:worker_threads"
import { lowerThreadPriority } from "@/lib/server/platform/lower-priority"
import type { CheckedRequest } from "@/lib/shared/decisions/check-request"
import type { RawAnswer } from "@/questions/question-types"
import { answerAll } from "./answer-all"
import { unpack } from "./pack"

/** A request to answer, or the id of one that nobody waits for any more. */
export type LexicalJob = { id: number; packed: unknown } | { aborted: number }
/** The answers of a job; null when it failed or was aborted. The error is dropped, because it could quote a text. */
export interface LexicalReply {
  id: number
  answers: RawAnswer[] | null
}

/** The jobs that somebody waits for. */
const wanted = new Set<number>()

async function work(id: number, packed: unknown): Promise<void> {
  wanted.add(id)
  const beforeEach = async () => {
    await setImmediate()
    if (!wanted.has(id)) throw new Error("aborted")
  }
  const answers = await answerAll(unpack<CheckedRequest>(packed), beforeEach).catch(() => null)
  wanted.delete(id)
  parentPort?.postMessage({ id, answers } satisfies LexicalReply)
}

// Keeps small requests on the main thread fast.
lowerThreadPriority(constants.priority.PRIORITY_BELOW_NORMAL)

parentPort?.on("message", (job: LexicalJob) => {
  if ("aborted" in job) wanted.delete(job.aborted)
  else void work(job.id, job.packed)
})
