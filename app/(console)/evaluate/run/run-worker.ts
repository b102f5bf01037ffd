import { parsePricePerMillion, pico } from "@/lib/shared/money"
import type { EvaluationRun, RunProgress } from "../model/evaluation-run"
import { findRun, findSet, planOf, resultsOf, rowsOf, saveRun } from "../model/evaluation-store"
import { type AskedRow, askRow } from "./ask-row"
import { holding } from "./hold-set"
import { holdOf, markInterrupted, mostCost, queueOf, type Sending } from "./prepare-run"
import { type RowRequest, rowRequests } from "./row-requests"
import { Runner } from "./runner"

/**
 * Runs a set in a worker: the page keeps its frame rate, and browsers do not slow down the timers of a worker when the tab is
 * in the background.
 */
export type ToRunWorker =
  | { type: "start"; run: EvaluationRun; sending: Sending; terms: RunTerms }
  | { type: "pause" }
  | { type: "cancel" }

export interface RunTerms {
  /** USD per million tokens. */
  pricePerMillionUsd: string | null
  requestsPerSecond: number
  /** Requests at the same time. */
  inFlight: number
}

export type FromRunWorker =
  /** It listens. A message that is sent before may be lost, because the worker's code loads in pieces. */
  | { type: "ready" }
  | { type: "progress"; progress: RunProgress }
  | { type: "ended"; run: EvaluationRun }
  /** Another tab runs the set. */
  | { type: "busy" }
  | { type: "not_stored" }
  | { type: "not_runnable" }

const REPORT_MS = 250

const send = (message: FromRunWorker) => postMessage(message)

let runner: Runner | null = null
let latest: RunProgress | null = null

function report(): void {
  if (latest) send({ type: "progress", progress: latest })
  latest = null
}

async function createRunner(run: EvaluationRun, sending: Sending, terms: RunTerms): Promise<Runner | null> {
  const set = await findSet(run.accountId, run.setId)
  if (!set) return null
  const [rows, plan, results] = await Promise.all([rowsOf(set.id), planOf(run.id), resultsOf(run.id)])
  const requests = rowRequests(set, rows, run, terms.pricePerMillionUsd)
  if (!requests || plan.some((row) => requests(row) === null)) return null
  const price = parsePricePerMillion(terms.pricePerMillionUsd ?? "") ?? pico(0)
  const requestOf = (row: number) => requests(row) as RowRequest
  const mostOf = (row: number) => mostCost(requestOf(row).asked, requestOf(row).state, price)
  const inDoubt = results.filter(({ status }) => status === "in_doubt").reduce((sum, { row }) => sum + mostOf(row), 0n)
  const ports = {
    ask: (row: number, attempt: string) => askRequest(requestOf(row), attempt, run.accountId),
    mostOf,
    save: saveRun,
    isReachable: async () => (await fetch("/healthz", { cache: "no-store" })).ok,
    onProgress: (progress: RunProgress) => {
      latest = progress
    },
  }
  return new Runner(run, queueOf(plan, results, sending), pico(inDoubt), ports, terms)
}

async function askRequest(
  { asked, state, restore }: RowRequest,
  attempt: string,
  accountId: string,
): Promise<AskedRow> {
  const answered = await askRow(asked, state, attempt, accountId)
  return answered.status === "answered" ? { ...answered, answers: restore(answered.answers) } : answered
}

async function start({ id, capUsd }: EvaluationRun, sending: Sending, terms: RunTerms): Promise<void> {
  const stored = await findRun(id)
  const run = stored && (await markInterrupted({ ...stored, capUsd }))
  runner = run && (await createRunner(run, sending, terms))
  if (!runner) return send({ type: "not_runnable" })
  const timer = setInterval(report, REPORT_MS)
  try {
    send({ type: "ended", run: await runner.start() })
  } finally {
    clearInterval(timer)
    runner = null
  }
}

addEventListener("message", async ({ data }: MessageEvent<ToRunWorker>) => {
  if (data.type === "pause") return runner?.pause()
  if (data.type === "cancel") return runner?.cancel()
  const { run, sending, terms } = data
  try {
    if (!(await holding(holdOf(run.setId), () => start(run, sending, terms)))) send({ type: "busy" })
  } catch {
    send({ type: "not_stored" })
  }
})

send({ type: "ready" })
