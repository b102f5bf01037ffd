"use client"
import type { FocusEvent } from "react"
import { QuestionList } from "@/components/question-editor/question-list"
import { afterPaint } from "@/components/timing/after-paint"
import { Button } from "@/components/ui/button"
import { focusField } from "@/components/ui/focus-field"
import { useLater } from "@/components/ui/later"
import { Segments } from "@/components/ui/segments"
import { UndoNotice } from "@/components/undo-notice"
import { checkForm } from "@/lib/shared/request-form/check-form"
import { EXAMPLES } from "@/lib/shared/request-form/examples"
import { useDispatch, useLimits, usePlayground, usePlaygroundStore } from "../model/playground-store"
import { CostPanel } from "./cost-panel"
import { JsonRequest } from "./json-request"
import { StateField } from "./state-field"

const VIEWS = [
  { value: "form", label: "Form" },
  { value: "json", label: "JSON" },
] as const

export function RequestPane() {
  const { dispatch, getState } = usePlaygroundStore()
  const isJson = usePlayground(({ request }) => request.json !== null)
  // After a click on a link to this page, what follows the first question renders later. From JSON, the form is whole at once.
  const isRestShown = useLater()
  const undo = usePlayground(({ request }) => request.undo)
  const showsFormRefusal = usePlayground(({ request }) => request.isFormRefused && request.json?.isReadable === false)
  const showJson = () => {
    const checked = checkForm(getState().request.form)
    if (checked.ok || checked.isJsonValid) return dispatch({ type: "json_view_chosen" })
    // Invalid JSON in a field would break the whole text.
    const [error] = checked.errors
    dispatch({ type: "error_shown", error })
    focusField(error.field)
  }
  const onBlur = ({ target }: FocusEvent<HTMLElement>) => {
    const field = target.getAttribute("name")
    // A field is often left by a press on another control, whose effect is painted first.
    if (field?.includes(".")) afterPaint(() => dispatch({ type: "field_left", field }))
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices which of its fields the user has left
    <div className="flex flex-col gap-6" onBlur={onBlur}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segments
          legend="Show the request as"
          options={VIEWS}
          value={isJson ? "json" : "form"}
          onValue={(view) => (view === "json" ? showJson() : dispatch({ type: "form_view_chosen" }))}
        />
        <ExamplesBar />
      </div>
      <UndoNotice
        step={undo}
        onUndo={() => dispatch({ type: "undone" })}
        onDismiss={() => dispatch({ type: "undo_dismissed" })}
        className="top-0 lg:-top-5"
      />
      {showsFormRefusal ? (
        <p role="alert" className="font-medium text-danger text-sm">
          The form cannot show this request. Fix the marked error, or continue in JSON.
        </p>
      ) : null}
      {isJson ? (
        <JsonRequest />
      ) : (
        <>
          <StateField />
          <Questions isFirstOnly={!isRestShown} />
        </>
      )}
      {isRestShown ? <CostPanel /> : null}
    </div>
  )
}

function Questions({ isFirstOnly }: { isFirstOnly: boolean }) {
  const dispatch = useDispatch()
  return (
    <QuestionList
      questions={usePlayground(({ request }) => request.form.questions)}
      keys={usePlayground(({ request }) => request.questionKeys)}
      settledQuestions={usePlayground(({ request }) => request.settledQuestions)}
      errors={usePlayground(({ request }) => request.errors)}
      limits={useLimits()}
      isFirstOnly={isFirstOnly}
      dispatch={dispatch}
    />
  )
}

function ExamplesBar() {
  const dispatch = useDispatch()
  return (
    <section aria-label="Examples" className="flex min-w-0 max-w-full items-center gap-2">
      <span aria-hidden className="shrink-0 text-ink-muted text-sm">
        Examples
      </span>
      <div className="-my-1 flex min-w-0 gap-2 overflow-x-auto p-1">
        {EXAMPLES.map((example) => (
          <Button
            key={example.id}
            variant="secondary"
            size="sm"
            onClick={() => dispatch({ type: "example_chosen", example })}
          >
            {example.title}
          </Button>
        ))}
      </div>
    </section>
  )
}
