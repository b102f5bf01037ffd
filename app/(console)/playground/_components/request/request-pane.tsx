"use client"
import { type FocusEvent, useState } from "react"
import { CostPanel } from "./cost-panel"
import { ExamplesBar } from "./examples-bar"
import { HintsProvider } from "./hints-context"
import { JsonView } from "./json-view"
import { QuestionList } from "./question-list"
import { useRequestSide } from "./request-context"
import { Segments } from "./segments"
import { StateField } from "./state-field"
import { UndoNotice } from "./undo-notice"
import type { View } from "./use-views"

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const

interface RequestPaneProps {
  /** Somebody left a field, which may show a verdict from now on. */
  onLeave: (field: string) => void
  onShowJson: () => void
}

/** The left side: the request as a form or as JSON, and what it costs. */
export function RequestPane({ onLeave, onShowJson }: RequestPaneProps) {
  const { views, announce, undoStep, closeUndo } = useRequestSide()
  const [stuck, setStuck] = useState(false)
  const show = (view: View) => {
    const isShown = view === "json" || views.showForm()
    if (view === "json") onShowJson()
    setStuck(!isShown)
    announce(isShown ? "" : "The form cannot show this request")
  }
  const left = ({ target }: FocusEvent<HTMLElement>) => {
    const name = target.getAttribute("name")
    if (name?.includes(".")) onLeave(name)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it watches which of its fields were left
    <div className="flex flex-col gap-6" onBlur={left}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segments legend="Request as" options={VIEWS} value={views.view} onValue={show} />
        <ExamplesBar />
      </div>
      <UndoNotice step={undoStep} onClose={closeUndo} />
      {stuck && views.view === "json" && !views.isReadable ? (
        <p role="alert" className="font-medium text-danger text-sm">
          The form cannot show this request. Put right what is marked, or go on in JSON.
        </p>
      ) : null}
      {views.view === "json" ? (
        <JsonView />
      ) : (
        <>
          <StateField onLeave={onLeave} />
          <HintsProvider>
            <QuestionList />
          </HintsProvider>
        </>
      )}
      <CostPanel />
    </div>
  )
}
