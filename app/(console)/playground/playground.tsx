"use client"
import clsx from "clsx"
import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import type { RunAccount } from "@/lib/shared/runs/model-choice"
import { AnswersPane } from "./answers/answers-pane"
import { MissingModel } from "./answers/missing-model"
import { RunBar } from "./answers/run-bar"
import { PlaygroundEffects } from "./model/playground-effects"
import type { Pane } from "./model/playground-state"
import { PlaygroundProvider, useDispatch, usePlayground } from "./model/playground-store"
import { useRun } from "./model/use-run"
import { RequestPane } from "./request/request-pane"
import { EvaluateButton } from "./share/evaluate-offer"
import { OpeningNotice } from "./share/opening-notice"

export function Playground(account: RunAccount) {
  return (
    <PlaygroundProvider account={account}>
      <Page />
    </PlaygroundProvider>
  )
}

function Page() {
  const { run, stop } = useRun()
  const isDraftSaved = usePlayground((state) => state.isDraftSaved)
  const announcement = usePlayground(({ request }) => request.announcement)
  return (
    <form
      noValidate
      onSubmit={(event) => event.preventDefault()}
      data-fills
      className="flex flex-col max-lg:-mb-6 max-lg:min-h-[calc(100dvh-4.75rem)] sm:max-lg:-mb-8 lg:min-h-140 lg:flex-1"
    >
      <PageHeader isCompact title="Playground" action={<EvaluateButton />}>
        Ask questions about a state and see the probabilities.
        {isDraftSaved
          ? null
          : " This browser cannot save your draft: it is too long, or storage is blocked. Reloading the page loses it."}
      </PageHeader>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <MissingModel />
      <OpeningNotice onRun={run} />
      <Panes request={<RequestPane />} answers={<AnswersPane onRun={run} />} />
      <RunBar onRun={run} onStop={stop} />
      <PlaygroundEffects onRun={run} />
    </form>
  )
}

const PANES: readonly { pane: Pane; label: string }[] = [
  { pane: "request", label: "Request" },
  { pane: "answers", label: "Answers" },
]

function Panes({ request, answers }: { request: ReactNode; answers: ReactNode }) {
  const pane = usePlayground((state) => state.pane)
  const isReady = usePlayground((state) => state.isReady)
  return (
    <>
      <PaneButtons pane={pane} />
      <div className="grid min-h-0 flex-1 lg:grid-cols-2 lg:divide-x lg:divide-line lg:border-line lg:border-t">
        <fieldset
          id="pane-request"
          disabled={!isReady}
          aria-label="Request"
          className={clsx(
            "relative flex min-w-0 flex-col gap-6 py-5 lg:-ml-1 lg:py-4 lg:overflow-y-auto lg:pr-6 lg:pl-1",
            pane === "answers" && "max-lg:hidden",
          )}
        >
          {request}
        </fieldset>
        <section
          id="pane-answers"
          aria-label="Answers"
          className={clsx(
            "relative min-w-0 py-5 lg:overflow-y-auto lg:py-2 lg:pl-6",
            pane === "request" && "max-lg:hidden",
          )}
        >
          {answers}
        </section>
      </div>
    </>
  )
}

function PaneButtons({ pane }: { pane: Pane }) {
  const dispatch = useDispatch()
  return (
    <div className="flex gap-1 border-line border-b lg:hidden">
      {PANES.map((choice) => (
        <button
          key={choice.pane}
          type="button"
          aria-pressed={choice.pane === pane}
          aria-controls={`pane-${choice.pane}`}
          onClick={() => dispatch({ type: "pane_chosen", pane: choice.pane })}
          className={clsx(
            "-mb-px inline-flex h-9 flex-1 items-center justify-center border-b-2 px-3 font-medium pointer-coarse:min-h-11",
            choice.pane === pane ? "border-accent text-ink" : "border-transparent text-ink-muted hover:text-ink",
          )}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}
