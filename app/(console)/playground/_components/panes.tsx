"use client"
import clsx from "clsx"
import type { ReactNode } from "react"
import { type Pane, PaneTabs } from "./pane-tabs"

interface PanesProps {
  pane: Pane
  onPane: (pane: Pane) => void
  /** The request cannot be changed before its draft is back. */
  ready: boolean
  request: ReactNode
  answers: ReactNode
}

/** Request and answers beside each other, each scrolling by itself; on a phone one of them. */
export function Panes({ pane, onPane, ready, request, answers }: PanesProps) {
  return (
    <>
      <PaneTabs pane={pane} onPane={onPane} />
      <div className="grid min-h-0 flex-1 lg:grid-cols-2 lg:divide-x lg:divide-line lg:border-line lg:border-t">
        <fieldset
          id="pane-request"
          disabled={!ready}
          aria-label="Request"
          className={clsx(
            "relative flex min-w-0 flex-col gap-6 py-5 lg:-ml-1 lg:overflow-y-auto lg:pr-6 lg:pl-1",
            pane === "answers" && "max-lg:hidden",
          )}
        >
          {request}
        </fieldset>
        <section
          id="pane-answers"
          aria-label="Answers"
          className={clsx("relative min-w-0 py-5 lg:overflow-y-auto lg:pl-6", pane === "request" && "max-lg:hidden")}
        >
          {answers}
        </section>
      </div>
    </>
  )
}
