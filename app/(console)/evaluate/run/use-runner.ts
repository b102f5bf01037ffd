"use client"
import { useRouter } from "next/navigation"
import { useEffect, useEffectEvent } from "react"
import type { EvaluationRun } from "../model/evaluation-run"
import { NO_TOTALS } from "../model/evaluation-run"
import { addRun, newId, resultsOf } from "../model/evaluation-store"
import { type RunProblem, useAccount, useOpenSetStore } from "../model/open-set"
import type { Sending } from "./prepare-run"
import type { FromRunWorker, RunTerms, ToRunWorker } from "./run-worker"

/** Over HTTP/1.1 browsers open six connections to a server. One is left for the rest of the page. */
const IN_FLIGHT = { http1: 5, multiplexed: 32 }

function maxInFlight(): number {
  const [page] = performance.getEntriesByType("navigation")
  const protocol = page && "nextHopProtocol" in page ? String(page.nextHopProtocol) : ""
  return /^h[23]/.test(protocol) ? IN_FLIGHT.multiplexed : IN_FLIGHT.http1
}

export interface RunControl {
  /** Starts a run of every usable row. `capUsd` is exact USD text. */
  begin: (capUsd: string | null) => Promise<void>
  /** Sends rows of the shown run. A new cap replaces the run's cap. */
  resume: (sending: Sending, capUsd?: string | null) => void
  pause: () => void
  cancel: () => void
}

/** The worker of this tab. It goes on while the user looks at other pages of the console. */
let active: { runId: string; worker: Worker } | null = null

/** Runs the open set in a worker of this tab. */
export function useRunner(): RunControl {
  const account = useAccount()
  const router = useRouter()
  const { getState, update, replaceRun } = useOpenSetStore()
  const end = (problem: RunProblem | null) => {
    active?.worker.terminate()
    active = null
    update({ progress: null, problem })
  }

  const finish = async (run: EvaluationRun) => {
    const results = await resultsOf(run.id)
    replaceRun(run)
    update({ results })
    end(null)
    // The header shows the balance, which the run changed.
    router.refresh()
  }

  const onMessage = (message: FromRunWorker) => {
    if (message.type === "ready") return
    if (message.type === "progress") {
      replaceRun(message.progress.run)
      update({ progress: message.progress })
    } else if (message.type === "ended") void finish(message.run)
    else end(message.type)
  }

  const attach = (worker: Worker) => {
    worker.onmessage = ({ data }: MessageEvent<FromRunWorker>) => onMessage(data)
    worker.onerror = () => end("worker_failed")
  }
  const attachAgain = useEffectEvent(() => {
    if (active && getState().runs.some(({ id }) => id === active?.runId)) attach(active.worker)
  })
  useEffect(() => attachAgain(), [])

  const termsOf = (run: EvaluationRun): RunTerms => {
    const { models, rates } = account
    return {
      pricePerMillionUsd: models.find(({ id }) => id === run.pinnedId)?.pricePerMillionUsd ?? null,
      requestsPerSecond: Math.min(rates.perAccount, rates.perKey),
      inFlight: maxInFlight(),
    }
  }

  const start = (run: EvaluationRun, sending: Sending) => {
    if (active) return
    const worker = new Worker(new URL("./run-worker.ts", import.meta.url), { type: "module" })
    active = { runId: run.id, worker }
    const running: EvaluationRun = { ...run, status: "running", pause: null }
    const first: ToRunWorker = { type: "start", run: running, sending, terms: termsOf(run) }
    worker.addEventListener("message", ({ data }: MessageEvent<FromRunWorker>) => {
      if (data.type === "ready") worker.postMessage(first)
    })
    attach(worker)
    replaceRun(running)
    update({ problem: null, progress: { run: running, inFlight: 0, perSecond: 0, isOffline: false } })
  }

  const begin = async (capUsd: string | null) => {
    const { set, summary } = getState()
    if (!summary || active) return
    const run = newRun(set.form.model, capUsd)
    try {
      await addRun(run, summary.usable)
      update({ results: [] })
      start(run, "rest")
    } catch {
      end("not_stored")
    }
  }

  const newRun = (model: string, capUsd: string | null): EvaluationRun => {
    const { set, summary } = getState()
    const { keyId } = set.form
    return {
      id: newId(),
      setId: set.id,
      accountId: account.accountId,
      startedAt: new Date().toISOString(),
      status: "paused",
      pause: null,
      form: set.form,
      pinnedId: account.models.find(({ id }) => id === model)?.pinnedId ?? model,
      mapping: set.mapping,
      keyName: account.keys.find(({ id }) => id === keyId)?.name ?? "Playground",
      capUsd,
      rowCount: summary?.usable.length ?? 0,
      totals: NO_TOTALS,
      acceptances: [],
    }
  }

  const post = (message: ToRunWorker) => active?.worker.postMessage(message)
  return {
    begin,
    resume: (sending, capUsd) => {
      const { run } = getState()
      if (run) start(capUsd === undefined ? run : { ...run, capUsd }, sending)
    },
    pause: () => post({ type: "pause" }),
    cancel: () => post({ type: "cancel" }),
  }
}
