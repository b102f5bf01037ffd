"use client"
import clsx from "clsx"
import { useRouter } from "next/navigation"
import { useEffect, useRef, useState } from "react"
import { FormProvider, useForm } from "react-hook-form"
import { PageHeader } from "@/components/ui/page-header"
import { checkForm } from "@/lib/playground/check-form"
import { exampleForm } from "@/lib/playground/example"
import { fieldOfParam } from "@/lib/playground/field-of-param"
import type { KeyChoice, ModelChoice } from "@/lib/playground/model-choice"
import type { PlaygroundForm } from "@/lib/playground/schema"
import { AnswersPane } from "./answers-pane"
import { BaselineBanner } from "./baseline-banner"
import { type Pane, PaneTabs } from "./pane-tabs"
import { QuestionList } from "./question-list"
import { ResetExample } from "./reset-example"
import { RunBar } from "./run-bar"
import { StateField } from "./state-field"
import { useDraft } from "./use-draft"
import { useRun } from "./use-run"
import { useVerdict } from "./use-verdict"

interface PlaygroundProps {
  accountId: string
  models: ModelChoice[]
  keys: KeyChoice[]
}

/** A decision request on the left, its answers on the right. */
export function Playground({ accountId, models, keys }: PlaygroundProps) {
  const firstModel = models[0]?.id ?? ""
  const form = useForm<PlaygroundForm>({ defaultValues: exampleForm(firstModel) })
  const { ready, kept } = useDraft(form, accountId, (draft) => ({
    ...draft,
    model: models.some(({ id }) => id === draft.model) ? draft.model : firstModel,
    keyId: keys.some(({ id }) => id === draft.keyId) ? draft.keyId : "",
  }))
  const [pane, setPane] = useState<Pane>("request")

  const { mark, clear, focus } = useVerdict(form)
  const router = useRouter()

  const showField = (field: string, message: string) => {
    setPane("request")
    mark(field, message)
    focus(field)
  }
  const { run, start, stop } = useRun(models, (outcome) => {
    // The frame shows the balance, which an answer has changed.
    if (outcome.kind === "answered") return router.refresh()
    if (!outcome.refusal.param) return
    const field = fieldOfParam(form.getValues(), outcome.refusal.param)
    if (field) mark(field, outcome.refusal.message)
  })
  const submit = () => {
    const values = form.getValues()
    const checked = checkForm(values)
    if (!checked.ok) return showField(checked.field, checked.message)
    clear()
    setPane("answers")
    void start({ requestText: checked.requestText, request: checked.request, keyId: values.keyId })
  }
  useRunKeys(submit)

  return (
    <FormProvider {...form}>
      <form
        noValidate
        onSubmit={(event) => event.preventDefault()}
        className="flex flex-col lg:h-[calc(100dvh-4rem)] lg:min-h-140"
      >
        <PageHeader title="Playground" action={<ResetExample model={firstModel} />}>
          Ask questions about a state and read the probabilities.
          {kept ? null : " This draft is too long for the browser to keep: a reload loses it."}
        </PageHeader>
        <BaselineBanner models={models} />
        <PaneTabs pane={pane} onPane={setPane} />
        <div className="grid min-h-0 flex-1 lg:grid-cols-2 lg:divide-x lg:divide-line lg:border-line lg:border-t">
          <fieldset
            id="pane-request"
            disabled={!ready}
            aria-label="Request"
            className={clsx(
              "relative flex min-w-0 flex-col gap-6 py-5 lg:overflow-y-auto lg:pr-6",
              pane === "answers" && "max-lg:hidden",
            )}
          >
            <StateField onMark={mark} />
            <QuestionList />
          </fieldset>
          <section
            id="pane-answers"
            aria-label="Answers"
            className={clsx("relative min-w-0 py-5 lg:overflow-y-auto lg:pl-6", pane === "request" && "max-lg:hidden")}
          >
            <AnswersPane
              run={run}
              onRun={submit}
              onShowField={showField}
              fieldOf={(param) => fieldOfParam(form.getValues(), param)}
            />
          </section>
        </div>
        <RunBar models={models} keys={keys} run={run} ready={ready} onRun={submit} onStop={stop} />
      </form>
    </FormProvider>
  )
}

/** Ctrl or ⌘ with Enter runs, wherever the focus is. */
function useRunKeys(submit: () => void) {
  const latest = useRef(submit)
  useEffect(() => {
    latest.current = submit
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Enter" || !(event.metaKey || event.ctrlKey) || event.repeat) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener("keydown", onKeyDown)
    return () => document.removeEventListener("keydown", onKeyDown)
  }, [])
}
