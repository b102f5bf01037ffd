"use client"
import { useEffect, useMemo, useState } from "react"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { focusField } from "@/components/ui/focus-field"
import { Skeleton } from "@/components/ui/skeleton"
import { withKnownModel } from "../model/json-view"
import { useAccount, useDispatch, usePlayground } from "../model/playground-store"
import { clearRuns, type HistoryEntry, labelRun, listRuns, outcomeOf, type StoredRun } from "../model/run-history"
import { CompareView } from "./compare-view"
import { HistoryList } from "./history-list"
import { viewButtonId } from "./history-row"
import { StoredRunView } from "./stored-run-view"

type StoredRuns = { status: "loading" } | { status: "unavailable" } | { status: "loaded"; runs: StoredRun[] }

interface History {
  stored: StoredRuns
  clear: () => void
  label: (run: StoredRun, label: string) => void
}

/** Lists the runs again when one is stored, which may be after the history was opened. */
function useStoredRuns(accountId: string): History {
  const count = usePlayground(({ storedRuns }) => storedRuns)
  const [stored, setStored] = useState<StoredRuns>({ status: "loading" })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each stored run changes the list
  useEffect(() => {
    let isGone = false
    listRuns(accountId).then(
      (runs) => isGone || setStored({ status: "loaded", runs }),
      () => isGone || setStored({ status: "unavailable" }),
    )
    return () => {
      isGone = true
    }
  }, [accountId, count])
  const clear = () => {
    clearRuns(accountId).then(
      () => {
        setStored({ status: "loaded", runs: [] })
        focusField("no-runs")
      },
      () => setStored({ status: "unavailable" }),
    )
  }
  const label = (run: StoredRun, text: string) => {
    const labelled = (before: StoredRuns): StoredRuns =>
      before.status === "loaded"
        ? { ...before, runs: before.runs.map((other) => (other.id === run.id ? { ...other, label: text } : other)) }
        : before
    labelRun(run, text).then(
      () => setStored(labelled),
      () => setStored({ status: "unavailable" }),
    )
  }
  return { stored, clear, label }
}

export function HistoryPanel({ onRun }: { onRun: () => void }) {
  const { accountId } = useAccount()
  const { stored, clear, label } = useStoredRuns(accountId)
  if (stored.status === "loading") return <Skeleton className="h-40" />
  if (stored.status === "unavailable")
    return (
      <EmptyState title="History is unavailable">
        This browser blocks storage for this page, as private windows may. Usage lists every charged run.
      </EmptyState>
    )
  if (stored.runs.length === 0)
    return (
      <section id="no-runs" tabIndex={-1} aria-label="History" className="outline-none">
        <EmptyState title="No runs yet">
          Your last 20 runs appear here, in this browser only. Change a word of the request and run it again: two runs
          can be compared.
        </EmptyState>
      </section>
    )
  return <Runs runs={stored.runs} onRun={onRun} onClear={clear} onLabel={label} />
}

type Shown = { view: "list" } | { view: "run"; id: string } | { view: "compare"; ids: [string, string] }

interface RunsProps {
  runs: StoredRun[]
  onRun: () => void
  onClear: () => void
  onLabel: (run: StoredRun, label: string) => void
}

function Runs({ runs, onRun, onClear, onLabel }: RunsProps) {
  const { models } = useAccount()
  const dispatch = useDispatch()
  const [shown, setShown] = useState<Shown>({ view: "list" })
  const entries = useMemo(() => runs.map((run) => ({ run, outcome: outcomeOf(run, models) })), [runs, models])
  // The pressed button is removed with its view, so a button of the next view gets the focus.
  const show = (next: Exclude<Shown, { view: "list" }>) => {
    setShown(next)
    focusField("back-to-runs")
  }
  const showList = (id: string) => {
    setShown({ view: "list" })
    focusField(viewButtonId(id))
  }
  const find = (id: string) => entries.find(({ run }) => run.id === id)
  const restore = ({ outcome }: HistoryEntry) => {
    if (!outcome) return
    const { requestText, request } = outcome.exchange
    dispatch({ type: "run_restored", text: withKnownModel(requestText, request.model, models).text })
  }
  if (shown.view === "list")
    return (
      <HistoryList
        entries={entries}
        onShow={(id) => show({ view: "run", id })}
        onRestore={restore}
        onLabel={onLabel}
        onCompare={(ids) => show({ view: "compare", ids })}
        onClear={onClear}
      />
    )
  const viewed = shown.view === "run" ? shown.id : shown.ids[1]
  const back = (
    <Button id="back-to-runs" variant="secondary" size="sm" className="self-start" onClick={() => showList(viewed)}>
      Back to the list
    </Button>
  )
  if (shown.view === "run") {
    const entry = find(shown.id)
    if (!entry) return back
    const runAgain = () => {
      restore(entry)
      onRun()
    }
    return <StoredRunView {...entry} back={back} onRestore={() => restore(entry)} onRunAgain={runAgain} />
  }
  const [left, right] = shown.ids.map(find)
  if (!left?.outcome || !right?.outcome) return back
  return (
    <CompareView
      left={{ run: left.run, outcome: left.outcome }}
      right={{ run: right.run, outcome: right.outcome }}
      back={back}
    />
  )
}
