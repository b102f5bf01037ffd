import type { EvaluationRun, RowResult, RunProgress } from "@/lib/shared/evaluate/run/evaluation-run"
import { queueOf, type Sending } from "@/lib/shared/evaluate/run/queue-rows"
import { type RowRequest, rowRequests } from "@/lib/shared/evaluate/run/row-requests"
import { reportRun } from "@/lib/shared/evaluate/run/run-beats"
import { Runner } from "@/lib/shared/evaluate/run/runner"
import { type SentRow, sendRow } from "@/lib/shared/evaluate/run/send-row"
import { inDoubtCost, maxCostOf } from "@/lib/shared/evaluate/run/shared-cap"
import { findRun, findSet, isOutOfRoom, planOf, resultsOf, rowsOf, saveRuns } from "../model/evaluation-store"
import { markInterrupted } from "./refresh-run"
import { withSetLock } from "./set-lock"

// Runs a set in a worker, so that the page keeps its frame rate. Browsers do not slow down a worker's timers when the tab is in
// the background.

/** A message from the page to the worker. A worker gets one "start". */
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

/** A message from the worker to the page. */
export type FromRunWorker =
  /** The worker listens now. Earlier messages may be lost, because its code loads in chunks. */
  | { type: "ready" }
  | { type: "progress"; progress: RunProgress }
  | { type: "ended"; run: EvaluationRun }
  /** Another tab runs the set. */
  | { type: "busy" }
  /** The browser could not store the run. */
  | { type: "not_stored" }
  /** The run or its set is gone, or its questions or a row cannot be read. */
  | { type: "not_runnable" }
  | { type: "worker_failed" }

const REPORT_MS = 250

const send = (message: FromRunWorker) => postMessage(message)

let runner: Runner | null = null
/** A stop that arrived before the runner was ready. */
let earlyStop: "pause" | "cancel" | null = null
let latest: RunProgress | null = null
/** The run as it is now, for the menus of all tabs. */
let shown: EvaluationRun | null = null

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
  const requestOf = (row: number) => requests(row) as RowRequest
  const inDoubt = inDoubtCost(requests, results)
  const ports = {
    send: (row: number, attempt: string) => sendRequest(requestOf(row), attempt, run.accountId),
    maxCostOf: (row: number) => maxCostOf(requestOf(row)),
    save: (changed: EvaluationRun, settled: RowResult[]) => saveRuns([changed], settled),
    isReachable: async () => (await fetch("/healthz", { cache: "no-store" })).ok,
    onProgress: (progress: RunProgress) => {
      latest = progress
      shown = progress.run
    },
  }
  return new Runner(run, queueOf(plan, results, sending), inDoubt, ports, terms)
}

async function sendRequest(
  { shared, state, restore }: RowRequest,
  attempt: string,
  accountId: string,
): Promise<SentRow> {
  const answered = await sendRow(shared, state, attempt, accountId)
  return answered.status === "answered" ? { ...answered, answers: restore(answered.answers) } : answered
}

async function start({ id, capUsd }: EvaluationRun, sending: Sending, terms: RunTerms): Promise<void> {
  const stored = await findRun(id)
  const run = stored && (await markInterrupted({ ...stored, capUsd }))
  runner = run && (await createRunner(run, sending, terms))
  if (!run || !runner) return send({ type: "not_runnable" })
  if (earlyStop) runner[earlyStop]()
  const timer = setInterval(report, REPORT_MS)
  shown = null
  const reportEnd = reportRun(() => shown ?? run)
  try {
    send({ type: "ended", run: await runner.start() })
  } finally {
    clearInterval(timer)
    reportEnd()
    runner = null
  }
}

addEventListener("message", async ({ data }: MessageEvent<ToRunWorker>) => {
  if (data.type !== "start") {
    earlyStop = data.type
    return runner?.[data.type]()
  }
  const { run, sending, terms } = data
  try {
    if (!(await withSetLock(run.setId, () => start(run, sending, terms)))) send({ type: "busy" })
  } catch (error) {
    send({ type: isOutOfRoom(error) ? "not_stored" : "worker_failed" })
  }
})

send({ type: "ready" })
