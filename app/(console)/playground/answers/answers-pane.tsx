"use client"
import { Share2 } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { PendingPress } from "@/components/link/pending-press"
import { Button } from "@/components/ui/button"
import { Skeleton } from "@/components/ui/skeleton"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import type { AnswersTab, Run } from "../model/playground-state"
import { useDispatch, usePlayground } from "../model/playground-store"
import { RunView } from "./run-view"

const CodePanel = lazy(() => import("./code-panel").then((file) => ({ default: file.CodePanel })))
const HistoryPanel = lazy(() => import("./history-panel").then((file) => ({ default: file.HistoryPanel })))
const ShareDialog = lazy(() => import("../share/share-dialog").then((file) => ({ default: file.ShareDialog })))

const TABS: readonly { value: AnswersTab; label: string }[] = [
  { value: "answers", label: "Answers" },
  { value: "code", label: "Code" },
  { value: "history", label: "History" },
]

const visibleOutcome = (run: Run) => (run.phase === "done" ? run.outcome : run.phase === "running" ? run.last : null)

export function AnswersPane({ onRun }: { onRun: () => void }) {
  const dispatch = useDispatch()
  const tab = usePlayground((state) => state.tab)
  const outcome = usePlayground((state) => visibleOutcome(state.run))
  const [isSharing, setSharing] = useState(false)
  const loading = <Skeleton className="h-40" />
  return (
    <div className="relative">
      <div className="absolute top-0 right-0">
        <Button variant="quiet" size="sm" onClick={() => setSharing(true)}>
          <Share2 aria-hidden className="size-4" />
          Share
        </Button>
      </div>
      <Tabs
        label="Answers, code and history"
        tabs={TABS}
        value={tab}
        onValueChange={(value) => dispatch({ type: "tab_chosen", tab: value as AnswersTab })}
      >
        <TabPanel value="answers" className="pt-3">
          <RunView onRun={onRun} />
        </TabPanel>
        <TabPanel value="code" className="pt-5">
          <Suspense fallback={loading}>
            <CodePanel />
          </Suspense>
        </TabPanel>
        <TabPanel value="history" className="pt-5">
          <Suspense fallback={loading}>
            <HistoryPanel onRun={onRun} />
          </Suspense>
        </TabPanel>
      </Tabs>
      {isSharing ? (
        <Suspense fallback={<PendingPress />}>
          <ShareDialog answered={outcome?.kind === "answered" ? outcome : null} onClose={() => setSharing(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
