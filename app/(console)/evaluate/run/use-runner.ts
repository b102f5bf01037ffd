"use client"
import { useRouter } from "next/navigation"
import { useEffect, useEffectEvent } from "react"
import { labelKeys } from "@/lib/shared/keys/label-keys"
import { parseUsd, pico, usd12 } from "@/lib/shared/money"
import { type EvaluationRun, NO_TOTALS, type RunDraft } from "../model/evaluation-run"
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
  /**
   * Starts a run. The next ones start after it, each when the one before it is finished: all share the first one's cap.
   * Returns whether it started.
   */
  begin: (drafts: RunDraft[]) => Promise<boolean>
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
    startNext(run)
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
    if (getState().run?.id !== run.id) update({ run: running, results: [] })
    update({ problem: null, progress: { run: running, inFlight: 0, perSecond: 0, isOffline: false } })
  }

  const begin = async (drafts: RunDraft[]) => {
    if (active) {
      update({ problem: "busy" })
      return false
    }
    const runs: EvaluationRun[] = []
    try {
      for (const draft of drafts) {
        const run = newRun(draft, runs.at(-1))
        runs.push(run)
        await addRun(run, draft.rows)
      }
    } catch {
      end("not_stored")
      return false
    }
    for (const run of runs) replaceRun(run)
    const [first] = runs
    if (first) start(first, "rest")
    return true
  }

  const newRun = (draft: RunDraft, before: EvaluationRun | undefined): EvaluationRun => {
    const { rows, form, pinnedId, mapping, capUsd, probe } = draft
    return {
      id: newId(),
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
      ...(probe && { probe }),
      ...(before && { follows: before.id }),
    }
  }

  /** Starts the run that waits for a finished one. It may spend what that one left of the cap. */
  const startNext = ({ id, status, totals, capUsd }: EvaluationRun) => {
    const next = getState().runs.find(({ follows, pause }) => follows === id && pause?.kind === "queued")
    if (!next || status !== "finished") return
    if (capUsd === null) return start(next, "rest")
    const left = (parseUsd(capUsd) ?? 0n) - (parseUsd(totals.costUsd) ?? 0n)
    start({ ...next, capUsd: usd12(pico(left > 0n ? left : 0n)) }, "rest")
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
