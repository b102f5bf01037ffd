"use client"
import { useRouter } from "next/navigation"
import { useEffect, useEffectEvent } from "react"
import { newIds } from "@/lib/shared/evaluate/rows/evaluation-set"
import { type EvaluationRun, NO_TOTALS, type RunDraft } from "@/lib/shared/evaluate/run/evaluation-run"
import type { Sending } from "@/lib/shared/evaluate/run/queue-rows"
import { rowRequests } from "@/lib/shared/evaluate/run/row-requests"
import { inDoubtCost, splitCap } from "@/lib/shared/evaluate/run/shared-cap"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { parseUsd, pico } from "@/lib/shared/money"
import { addRuns, resultsOf, saveRuns } from "../model/evaluation-store"
import { type RunProblem, useAccount, useOpenSetStore } from "../model/open-set"
import { maxInFlight } from "./in-flight"
import type { FromRunWorker, RunTerms, ToRunWorker } from "./run-worker"

export interface RunControl {
  /**
   * Starts a run. The next ones start after it, each when the one before it is finished: all share the first one's cap.
   * Returns whether it started.
   */
  begin: (drafts: RunDraft[]) => Promise<boolean>
  /** Sends rows of the shown run. A new cap replaces the run's cap. */
  resume: (sending: Sending, capUsd?: string | null) => void
  pause: () => void
  /** Ends the shown run, also when it is paused. */
  cancel: () => void
}

/** The worker of this tab. It goes on while the user looks at other pages of the console. */
let active: { runId: string; worker: Worker; waiting: ToRunWorker[] | null } | null = null

/** True while new runs are being stored. Nothing else may start meanwhile. */
let isAdding = false

/** Sends a message now or, while the worker's code loads, once it listens. */
function post(message: ToRunWorker): void {
  if (active?.waiting) active.waiting.push(message)
  else active?.worker.postMessage(message)
}

function postWaiting(): void {
  for (const message of active?.waiting ?? []) active?.worker.postMessage(message)
  if (active) active.waiting = null
}

/** Runs the open set in a worker of this tab. */
export function useRunner(): RunControl {
  const account = useAccount()
  const router = useRouter()
  const { getState, update, replaceRun, showResults } = useOpenSetStore()
  const end = (problem: RunProblem | null) => {
    active?.worker.terminate()
    active = null
    update({ progress: null, problem })
  }

  const finish = async (run: EvaluationRun) => {
    const results = await resultsOf(run.id)
    replaceRun(run)
    showResults(run.id, results)
    end(null)
    startNext(run)
    // The header shows the balance, which the run changed.
    router.refresh()
  }

  const onMessage = (message: FromRunWorker) => {
    if (message.type === "ready") return postWaiting()
    if (message.type === "progress") {
      const { run, ...progress } = message.progress
      replaceRun(run)
      update({ progress })
    } else if (message.type === "ended") void finish(message.run)
    else end(message.type)
  }

  const attach = (worker: Worker) => {
    worker.onmessage = ({ data }: MessageEvent<FromRunWorker>) => onMessage(data)
    worker.onerror = () => end("worker_failed")
  }
  const attachAgain = useEffectEvent(() => {
    const run = getState().runs.find(({ id }) => id === active?.runId)
    if (!active || !run) return
    attach(active.worker)
    if (getState().run?.id !== run.id) update({ run, results: [] })
  })
  useEffect(() => attachAgain(), [])

  const termsOf = (run: EvaluationRun): RunTerms => {
    const { models, rates } = account
    return {
      pricePerMillionUsd: models.find(({ id }) => id === run.pinnedId)?.pricePerMillionUsd ?? null,
      requestsPerSecond: rates.evaluate,
      inFlight: maxInFlight(),
    }
  }

  const start = (run: EvaluationRun, sending: Sending) => {
    if (active || isAdding) return update({ problem: "busy" })
    const worker = new Worker(new URL("./run-worker.ts", import.meta.url), { type: "module" })
    const running: EvaluationRun = { ...run, status: "running", pause: null }
    active = { runId: run.id, worker, waiting: [{ type: "start", run: running, sending, terms: termsOf(run) }] }
    attach(worker)
    replaceRun(running)
    if (getState().run?.id !== run.id) update({ run: running, results: [] })
    update({ problem: null, progress: { inFlight: 0, perSecond: 0, isOffline: false } })
  }

  const begin = async (drafts: RunDraft[]) => {
    if (active || isAdding) {
      update({ problem: "busy" })
      return false
    }
    const ids = newIds(drafts.length)
    const runs = drafts.map((draft, at) => newRun(draft, ids[at] ?? "", ids[at - 1]))
    isAdding = true
    try {
      await addRuns(runs.map((run, at) => ({ run, plan: drafts[at]?.rows ?? [], results: [] })))
    } catch {
      end("not_stored")
      return false
    } finally {
      isAdding = false
    }
    for (const run of runs) replaceRun(run)
    const [first] = runs
    if (first) start(first, "rest")
    return true
  }

  const newRun = (draft: RunDraft, id: string, before: string | undefined): EvaluationRun => {
    const { rows, form, pinnedId, mapping, capUsd, robustness } = draft
    return {
      id,
      setId: getState().set.id,
      accountId: account.accountId,
      startedAt: new Date().toISOString(),
      status: "paused",
      pause: before ? { kind: "queued" } : null,
      form,
      pinnedId,
      mapping,
      keyName: labelKeys(account.keys).get(form.keyId) ?? "Playground",
      capUsd,
      rowCount: rows.length,
      totals: NO_TOTALS,
      acceptances: [],
      ...(robustness && { robustness }),
      ...(before && { follows: before }),
    }
  }

  const startNext = ({ id, status }: EvaluationRun) => {
    const next = getState().runs.find(({ follows, pause }) => follows === id && pause?.kind === "queued")
    if (next && status === "finished") void startQueued(next)
  }

  /** Starts a queued run with the rest of the shared cap, and lowers the cap of the run before it to what that may have spent. */
  const startQueued = async (run: EvaluationRun) => {
    const { set, rows, runs } = getState()
    const before = runs.find(({ id }) => id === run.follows)
    if (!before || before.capUsd === null) return start(run, "rest")
    const { pricePerMillionUsd } = termsOf(before)
    const requests = rowRequests(set, rows, before, pricePerMillionUsd)
    const inDoubt = requests ? inDoubtCost(requests, await resultsOf(before.id)) : pico(0)
    if (active) return start(run, "rest")
    const { kept, left } = splitCap(parseUsd(before.capUsd) ?? pico(0), before, inDoubt)
    const [first, next] = [
      { ...before, capUsd: kept },
      { ...run, capUsd: left, pause: null },
    ]
    // Together: with one of the caps alone, both runs could spend the shared cap, or the next one nothing.
    if (!(await store([first, next]))) return
    for (const stored of [first, next]) replaceRun(stored)
    start(next, "rest")
  }

  /** Returns whether the browser could store the runs. */
  const store = async (runs: EvaluationRun[]): Promise<boolean> => {
    try {
      await saveRuns(runs)
      return true
    } catch {
      update({ problem: "not_stored" })
      return false
    }
  }

  return {
    begin,
    resume: (sending, capUsd) => {
      const { run } = getState()
      if (run?.pause?.kind === "queued") void startQueued(run)
      else if (run) start(capUsd === undefined ? run : { ...run, capUsd }, sending)
    },
    pause: () => post({ type: "pause" }),
    cancel() {
      const { run } = getState()
      if (run?.status === "paused") {
        const cancelled: EvaluationRun = { ...run, status: "cancelled", pause: null }
        replaceRun(cancelled)
        void store([cancelled])
      } else post({ type: "cancel" })
    },
  }
}
