"use client"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Skeleton } from "@/components/ui/skeleton"
import type { ModelChoice } from "@/lib/shared/playground/model-choice"
import { type KeptRun, outcomeOf } from "@/lib/shared/playground/runs/kept-run"
import { useRequestSide } from "../request/request-context"
import { CompareView } from "./compare-view"
import { type HistoryEntry, HistoryList } from "./history-list"
import { KeptRunView } from "./kept-run-view"
import { useKeptRuns } from "./use-kept-runs"
import { useOpenRequest } from "./use-open-request"
import type { Thresholds } from "./use-thresholds"

interface HistoryPanelProps {
  accountId: string
  models: ModelChoice[]
  thresholds: Thresholds
  /** After a request was put where the draft was. */
  onRestored: () => void
}

type Shown = { view: "list" } | { view: "run"; id: string } | { view: "compare"; ids: [string, string] }

/** The last runs of this browser: to look at again, to restore, to compare two. */
export function HistoryPanel({ accountId, ...props }: HistoryPanelProps) {
  const { kept, clear } = useKeptRuns(accountId)
  if (kept.state === "loading") return <Skeleton className="h-40" />
  if (kept.state === "unavailable")
    return (
      <EmptyState title="This browser keeps no runs">
        It refuses storage to this page, as private windows may. Every charged run stands in Usage.
      </EmptyState>
    )
  if (kept.runs.length === 0)
    return (
      <EmptyState title="No runs yet">The last 20 runs of this account stay here, in this browser only.</EmptyState>
    )
  return <Runs runs={kept.runs} {...props} onClear={clear} />
}

interface RunsProps extends Omit<HistoryPanelProps, "accountId"> {
  runs: KeptRun[]
  onClear: () => void
}

/** The list, one of its runs, or two side by side. */
function Runs({ runs, models, thresholds, onRestored, onClear }: RunsProps) {
  const [shown, setShown] = useState<Shown>({ view: "list" })
  const open = useOpenRequest(models)
  const { offerUndo } = useRequestSide()
  const entries = runs.map((run) => ({ run, outcome: outcomeOf(run, models) }))
  const find = (id: string) => entries.find(({ run }) => run.id === id)
  const restore = ({ outcome }: HistoryEntry) => {
    if (!outcome) return
    const { requestText, request } = outcome.exchange
    const { undo } = open(requestText, request.model)
    offerUndo({ done: "Restored the request of a run", undo })
    onRestored()
  }
  if (shown.view === "list")
    return (
      <HistoryList
        entries={entries}
        onShow={(id) => setShown({ view: "run", id })}
        onRestore={restore}
        onCompare={(ids) => setShown({ view: "compare", ids })}
        onClear={onClear}
      />
    )
  const back = (
    <Button variant="secondary" size="sm" className="self-start" onClick={() => setShown({ view: "list" })}>
      Back to the list
    </Button>
  )
  if (shown.view === "run") {
    const entry = find(shown.id)
    return entry ? (
      <KeptRunView {...entry} thresholds={thresholds} back={back} onRestore={() => restore(entry)} />
    ) : (
      back
    )
  }
  const [left, right] = shown.ids.map(find)
  return left?.outcome && right?.outcome ? (
    <CompareView
      left={{ run: left.run, outcome: left.outcome }}
      right={{ run: right.run, outcome: right.outcome }}
      back={back}
    />
  ) : (
    back
  )
}
