"use client"
import { Share2 } from "lucide-react"
import { lazy, Suspense, useEffect, useState } from "react"
import { Button } from "@/components/ui/button"
import { Skeleton } from "@/components/ui/skeleton"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import type { StepActions } from "./next-step"
import { RunView } from "./run-view"
import type { Run } from "./use-run"
import { useThresholds } from "./use-thresholds"

const CodePanel = lazy(() => import("./code-panel").then((file) => ({ default: file.CodePanel })))
const HistoryPanel = lazy(() => import("./history-panel").then((file) => ({ default: file.HistoryPanel })))
const ShareDialog = lazy(() => import("./share-dialog").then((file) => ({ default: file.ShareDialog })))

const VIEWS = [
  { value: "answers", label: "Answers" },
  { value: "code", label: "Code" },
  { value: "history", label: "History" },
] as const

export interface AnswersPaneProps extends StepActions {
  baseUrl: string
  run: Run
  /** After the request of a run was put where the draft was. */
  onRestored: () => void
}

const latest = (run: Run) => (run.phase === "done" ? run.outcome : run.phase === "running" ? run.last : null)

/** The right side: the answers of the last run, the request as code, and the runs before. */
export function AnswersPane({ baseUrl, run, onRestored, ...actions }: AnswersPaneProps) {
  const { accountId, models } = actions
  const [view, setView] = useState("answers")
  const [sharing, setSharing] = useState(false)
  const thresholds = useThresholds(accountId)
  useEffect(() => {
    if (run.phase === "running") setView("answers")
  }, [run.phase])
  const outcome = latest(run)
  const waiting = <Skeleton className="h-40" />
  return (
    <div className="relative">
      <div className="absolute top-0 right-0">
        <Button variant="quiet" size="sm" onClick={() => setSharing(true)}>
          <Share2 aria-hidden className="size-4" />
          Share
        </Button>
      </div>
      <Tabs label="Answer side" tabs={VIEWS} value={view} onValueChange={setView}>
        <TabPanel value="answers" className="pt-5">
          <RunView run={run} thresholds={thresholds} {...actions} />
        </TabPanel>
        <TabPanel value="code" className="pt-5">
          <Suspense fallback={waiting}>
            <CodePanel baseUrl={baseUrl} thresholds={thresholds} />
          </Suspense>
        </TabPanel>
        <TabPanel value="history" className="pt-5">
          <Suspense fallback={waiting}>
            <HistoryPanel accountId={accountId} models={models} thresholds={thresholds} onRestored={onRestored} />
          </Suspense>
        </TabPanel>
      </Tabs>
      {sharing ? (
        <Suspense>
          <ShareDialog answered={outcome?.kind === "answered" ? outcome : null} onClose={() => setSharing(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}
