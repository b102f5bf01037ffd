import { vi } from "vitest"
import type { EvaluationSet } from "@/lib/shared/evaluate/rows/evaluation-set"
import {
  type EvaluationRun,
  NO_TOTALS,
  type RowResult,
  type RunProgress,
} from "@/lib/shared/evaluate/run/evaluation-run"
import type { QueuedRow } from "@/lib/shared/evaluate/run/queue-rows"
import { Runner } from "@/lib/shared/evaluate/run/runner"
import type { RefusedRow, SentRow } from "@/lib/shared/evaluate/run/send-row"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { type Pico, pico } from "@/lib/shared/money"

export const newRun = (change: Partial<EvaluationRun> = {}): EvaluationRun => ({
  id: "run",
  setId: "set",
  accountId: "acct",
  startedAt: "2026-11-22T10:00:00Z",
  status: "paused",
  pause: null,
  form: { model: "m", keyId: "", state: asText(""), questions: [] },
  pinnedId: "m-1",
  mapping: { state: { kind: "row", without: [] }, labels: [] },
  keyName: "Playground",
  capUsd: null,
  rowCount: 0,
  totals: NO_TOTALS,
  acceptances: [],
  ...change,
})

/** Returns a set with the form and columns of a run, and one column of text. */
export const newSet = (run: EvaluationRun, change: Partial<EvaluationSet> = {}): EvaluationSet => ({
  id: run.setId,
  accountId: run.accountId,
  name: "Rows",
  createdAt: run.startedAt,
  source: { format: "csv", name: "rows.csv" },
  columns: ["text"],
  rowCount: 1,
  unreadable: [],
  mapping: run.mapping,
  form: run.form,
  corrections: [],
  ...change,
})

export const ANSWER: SentRow = {
  status: "answered",
  answers: [[0.25, 0.75]],
  tokens: 10,
  costUsd: "0.001000000000",
  requestId: "req",
  latencyMs: 20,
  rate: null,
}

export const refused = (code: string, change: Partial<RefusedRow> = {}): SentRow => ({
  status: "refused",
  code,
  message: `${code}.`,
  refusal: "{}",
  requestId: null,
  retryAfterMs: null,
  rate: null,
  ...change,
})

type Reply = SentRow | Error
export const LOST = new TypeError("Failed to fetch")

interface Setup {
  rows?: number
  queue?: QueuedRow[]
  run?: Partial<EvaluationRun>
  /** What the rows in doubt may have cost. */
  inDoubtPico?: Pico
  /** The reply to the nth sending of a row, from 0. */
  reply?: (row: number, nth: number) => Reply
  /** How long a reply takes, in ms. */
  latencyMs?: (row: number) => number
  requestsPerSecond?: number
  inFlight?: number
  isReachable?: () => boolean
}

/** Returns a runner whose rows get scripted replies, after 20 ms unless given, and what it sent and stored. Needs fake timers. */
export function setUp({
  rows = 3,
  queue,
  run,
  inDoubtPico = pico(0),
  reply = () => ANSWER,
  latencyMs = () => 20,
  requestsPerSecond = 50,
  inFlight = 5,
  ...ports
}: Setup) {
  const sent: { row: number; attempt: string; at: number }[] = []
  const stored = new Map<number, RowResult>()
  const progress: RunProgress[] = []
  let together = 0
  let mostTogether = 0
  const start = performance.now()
  const queued =
    queue ?? Array.from({ length: rows }, (_, row) => ({ row, attempt: `a${row}`, sentAt: null, former: null }))
  const runner = new Runner(
    newRun({ rowCount: queued.length, ...run }),
    queued,
    inDoubtPico,
    {
      async send(row, attempt) {
        const kept = stored.get(row)
        if (kept?.status !== "sent" || kept.attempt !== attempt)
          throw new Error(`Row ${row} left before it was stored.`)
        const nth = sent.filter((before) => before.row === row).length
        sent.push({ row, attempt, at: performance.now() - start })
        mostTogether = Math.max(mostTogether, ++together)
        await new Promise((resolve) => setTimeout(resolve, latencyMs(row)))
        together--
        const answer = reply(row, nth)
        if (answer instanceof Error) throw answer
        return answer
      },
      maxCostOf: () => pico(2_000_000_000n),
      async save(_run, results) {
        for (const result of results) stored.set(result.row, result)
      },
      isReachable: async () => ports.isReachable?.() ?? true,
      onProgress: (now) => progress.push(now),
    },
    { requestsPerSecond, inFlight },
  )
  const finish = async () => {
    const ended = runner.start()
    await vi.runAllTimersAsync()
    return ended
  }
  return { runner, finish, sent, stored, progress, mostTogether: () => mostTogether }
}

export const statusesOf = (stored: Map<number, RowResult>) => [...stored.values()].map(({ status }) => status)
