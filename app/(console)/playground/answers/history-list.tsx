"use client"
import { useDeferredValue, useState } from "react"
import { Button } from "@/components/ui/button"
import { focusField } from "@/components/ui/focus-field"
import { SearchInput } from "@/components/ui/search-input"
import { countOf } from "@/lib/shared/format"
import type { HistoryEntry, StoredRun } from "../model/run-history"
import { HistoryRow } from "./history-row"
import { searchRuns } from "./history-search"

interface HistoryListProps {
  entries: HistoryEntry[]
  onShow: (id: string) => void
  onRestore: (entry: HistoryEntry) => void
  onLabel: (run: StoredRun, label: string) => void
  onCompare: (ids: [string, string]) => void
  onClear: () => void
}

export function HistoryList({ entries, onShow, onRestore, onLabel, onCompare, onClear }: HistoryListProps) {
  const [chosen, setChosen] = useState<string[]>([])
  const [search, setSearch] = useState("")
  const found = searchRuns(entries, useDeferredValue(search))
  const choose = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((other) => other !== id) : [...before, id].slice(-2)))
  const [older, newer] = chosen.toSorted()
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          aria-label="Search your runs"
          placeholder="Search states, questions and labels"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
          boxClassName="flex-1 basis-56"
        />
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
      <p role="status" className="text-ink-muted text-sm">
        {found.length === entries.length
          ? `Your last ${entries.length === 1 ? "run" : `${entries.length} runs`}, in this browser only.`
          : `${found.length} of ${countOf(entries.length, "run")}`}
      </p>
      <ol className="flex flex-col">
        {found.map((entry) => (
          <HistoryRow
            key={entry.run.id}
            entry={entry}
            name={`run ${entries.length - entries.indexOf(entry)}`}
            isChosen={chosen.includes(entry.run.id)}
            onChoose={() => choose(entry.run.id)}
            onShow={() => onShow(entry.run.id)}
            onRestore={() => onRestore(entry)}
            onLabel={(label) => onLabel(entry.run, label)}
          />
        ))}
      </ol>
    </div>
  )
}

function ClearAll({ count, onClear }: { count: number; onClear: () => void }) {
  const [isAsking, setAsking] = useState(false)
  // The pressed button is removed, so its replacement gets the focus.
  const ask = (next: boolean) => {
    setAsking(next)
    focusField(next ? "keep-runs" : "clear-runs")
  }
  if (!isAsking)
    return (
      <Button id="clear-runs" variant="quiet" size="sm" onClick={() => ask(true)}>
        Clear all
      </Button>
    )
  return (
    <span className="flex gap-2">
      <Button variant="danger" size="sm" onClick={onClear}>
        Clear {countOf(count, "run")}
      </Button>
      <Button id="keep-runs" variant="secondary" size="sm" onClick={() => ask(false)}>
        Cancel
      </Button>
    </span>
  )
}
