"use client"
import { useRouter } from "next/navigation"
import { useEffect, useRef, useState } from "react"
import { useForm } from "react-hook-form"
import { checkForm } from "@/lib/playground/check-form"
import { exampleForm } from "@/lib/playground/examples"
import { fieldOfParam } from "@/lib/playground/field-of-param"
import type { KeyChoice, ModelChoice, RateLimits } from "@/lib/playground/model-choice"
import type { PlaygroundForm } from "@/lib/playground/schema"
import { useRun } from "./answers/use-run"
import type { Pane } from "./pane-tabs"
import { useDraft } from "./request/use-draft"
import { useVerdict } from "./request/use-verdict"

export interface PlaygroundProps {
  accountId: string
  /** Where the API is. */
  baseUrl: string
  /** Exact USD text. */
  balanceUsd: string
  rates: RateLimits
  models: ModelChoice[]
  keys: KeyChoice[]
}

/** The playground's state: the form and its draft, the verdict on it, the run, and which side a phone shows. */
export function usePlayground({ accountId, models, keys }: PlaygroundProps) {
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
  const { run, start, stop } = useRun({ accountId, models, keys }, (outcome) => {
    // The frame shows the balance, which an answer has changed.
    if (outcome.kind === "answered") return router.refresh()
    if (!outcome.refusal.param) return
    const field = fieldOfParam(form.getValues(), outcome.refusal.param)
    // The model is chosen in the bar, which both panes have.
    if (field === "model") {
      mark(field, outcome.refusal.message)
      focus(field)
    } else if (field) showField(field, outcome.refusal.message)
  })
  const submit = () => {
    if (!ready) return
    const values = form.getValues()
    const checked = checkForm(values)
    if (!checked.ok) return showField(checked.verdicts[0].field, checked.verdicts[0].message)
    clear()
    setPane("answers")
    void start({ requestText: checked.requestText, request: checked.request, keyId: values.keyId })
  }
  useRunKeys(submit)
  const fieldOf = (param: string) => fieldOfParam(form.getValues(), param)
  return { form, ready, kept, pane, setPane, mark, showField, fieldOf, run, submit, stop }
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
