"use client"
import { useState } from "react"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { Time } from "@/components/ui/time"
import { formatUsd } from "@/lib/shared/format"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import type { StoredRun } from "./run-history"

export interface HistoryEntry {
  run: StoredRun
  /** Null when the run can no longer be read. */
  outcome: Outcome | null
}

interface HistoryListProps {
  entries: HistoryEntry[]
  onShow: (id: string) => void
  onRestore: (entry: HistoryEntry) => void
  onCompare: (ids: [string, string]) => void
  onClear: () => void
}

export function HistoryList({ entries, onShow, onRestore, onCompare, onClear }: HistoryListProps) {
  const [chosen, setChosen] = useState<string[]>([])
  const choose = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id].slice(-2)))
  const [older, newer] = chosen.toSorted()
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-text text-ink-muted">
        Your last {entries.length === 1 ? "run" : `${entries.length} runs`}, in this browser only. Choose two to compare
        them.
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button
          variant="secondary"
          size="sm"
          disabled={!older || !newer}
          title={older && newer ? undefined : "Choose two runs first"}
          onClick={() => older && newer && onCompare([older, newer])}
        >
          Compare{chosen.length ? ` (${chosen.length} of 2 chosen)` : ""}
        </Button>
        <ClearAll count={entries.length} onClear={onClear} />
      </div>
      <ol className="flex flex-col">
        {entries.map((entry, index) => (
          <Row
            key={entry.run.id}
            entry={entry}
            label={`run ${entries.length - index}`}
            isChosen={chosen.includes(entry.run.id)}
            onChoose={() => choose(entry.run.id)}
            onShow={() => onShow(entry.run.id)}
            onRestore={() => onRestore(entry)}
          />
        ))}
      </ol>
    </div>
  )
}

interface RowProps {
  entry: HistoryEntry
  label: string
  isChosen: boolean
  onChoose: () => void
  onShow: () => void
  onRestore: () => void
}

function Row({ entry: { run, outcome }, label, isChosen, onChoose, onShow, onRestore }: RowProps) {
  const answered = outcome?.kind === "answered" ? outcome : null
  const refused = outcome?.kind === "refused" ? outcome.refusal.code : null
  const questions = outcome?.exchange.request.questions.length ?? 0
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2.5">
      <input
        type="checkbox"
        aria-label={`Choose ${label} to compare`}
        checked={isChosen}
        disabled={!answered}
        title={answered ? undefined : "Only answered runs can be compared"}
        onChange={onChoose}
        className="size-4 shrink-0 accent-accent pointer-coarse:size-6"
      />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2">
          <Time at={run.at} className="font-medium" />
          <Badge tone={answered ? "neutral" : "danger"}>{answered ? "Answered" : (refused ?? run.status)}</Badge>
        </p>
        <p className="break-words text-ink-muted text-sm tabular-nums">
          {questions === 1 ? "1 question" : `${questions} questions`}
          {answered ? `, ${answered.tokens} tokens` : ""}
          {answered?.costUsd ? `, ${formatUsd(answered.costUsd)}` : ""}, charged to {run.spentAs}
        </p>
        <p className="wrap-anywhere font-mono text-ink-muted text-xs">
          {answered?.model ?? outcome?.exchange.request.model}
        </p>
      </div>
      <span className="flex gap-2">
        <Button variant="secondary" size="sm" aria-label={`View ${label}`} disabled={!outcome} onClick={onShow}>
          View
        </Button>
        <Button variant="secondary" size="sm" aria-label={`Restore ${label}`} disabled={!outcome} onClick={onRestore}>
          Restore
        </Button>
      </span>
    </li>
  )
}

function ClearAll({ count, onClear }: { count: number; onClear: () => void }) {
  const [isAsking, setAsking] = useState(false)
  if (!isAsking)
    return (
      <Button variant="quiet" size="sm" onClick={() => setAsking(true)}>
        Clear all
      </Button>
    )
  return (
    <span className="flex gap-2">
      <Button variant="danger" size="sm" onClick={onClear}>
        Clear {count === 1 ? "1 run" : `${count} runs`}
      </Button>
      <Button variant="secondary" size="sm" onClick={() => setAsking(false)}>
        Cancel
      </Button>
    </span>
  )
}
