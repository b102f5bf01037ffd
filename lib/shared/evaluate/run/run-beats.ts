import type { EvaluationRun } from "./evaluation-run"

const CHANNEL = "evaluate-runs"
const BEAT_MS = 1_000
/** A run without a report for so long has ended with its tab. Browsers slow down the timers of tabs in the background. */
const LOST_MS = 5_000

/** What every tab of this browser learns of a run. Numbers and ids only. */
interface RunBeat {
  runId: string
  accountId: string
  settled: number
  rowCount: number
  isOver: boolean
}

/** How far the runs of an account are, together. */
export interface RunsProgress {
  settled: number
  rowCount: number
}

/** Reports a run to all tabs of this browser, at once and every second. Returns a function that reports its end. */
export function reportRun(current: () => EvaluationRun): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  const send = (isOver: boolean) => {
    const { id: runId, accountId, totals, rowCount } = current()
    const settled = totals.answered + totals.failed + totals.inDoubt
    const beat: RunBeat = { runId, accountId, settled, rowCount, isOver }
    channel.postMessage(beat)
  }
  const timer = setInterval(send, BEAT_MS, false)
  send(false)
  return () => {
    clearInterval(timer)
    send(true)
    channel.close()
  }
}

function sumOf(beats: readonly RunBeat[]): RunsProgress | null {
  if (beats.length === 0) return null
  const sum = (of: (beat: RunBeat) => number) => beats.reduce((total, beat) => total + of(beat), 0)
  return { settled: sum(({ settled }) => settled), rowCount: sum(({ rowCount }) => rowCount) }
}

/**
 * Calls `onChange` with the progress of the runs that tabs of this browser send for an account, and with null when none is left.
 * Returns a function that ends this.
 */
export function followRuns(
  isShown: (accountId: string) => boolean,
  onChange: (progress: RunsProgress | null) => void,
): () => void {
  const beats = new Map<string, RunBeat & { atMs: number }>()
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = ({ data: beat }: MessageEvent<RunBeat>) => {
    if (beat.isOver || !isShown(beat.accountId)) beats.delete(beat.runId)
    else beats.set(beat.runId, { ...beat, atMs: Date.now() })
    onChange(sumOf([...beats.values()]))
  }
  const timer = setInterval(() => {
    const before = beats.size
    for (const [id, { atMs }] of beats) if (Date.now() - atMs > LOST_MS) beats.delete(id)
    if (beats.size < before) onChange(sumOf([...beats.values()]))
  }, BEAT_MS)
  return () => {
    clearInterval(timer)
    channel.close()
  }
}
