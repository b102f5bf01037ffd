"use client"
import { useEffect, useRef } from "react"
import { type FieldErrors, type FieldPath, type Resolver, set, type UseFormReturn } from "react-hook-form"
import { checkForm, type Verdict } from "@/lib/shared/playground/check-form"
import type { ModelChoice } from "@/lib/shared/playground/model-choice"
import type { PlaygroundForm } from "@/lib/shared/playground/schema"
import type { Settled } from "./settled"
import { useLatest } from "./use-latest"

const isRoot = (field: string): boolean => field.endsWith(".root")

/** Which fields may show a verdict: those that somebody has left, and all of them once a run was tried. */
export interface Shown {
  all: boolean
  left: Set<string>
}

export const limitsOf = (models: ModelChoice[], model: string) => models.find(({ id }) => id === model)?.limits

/** The API's own check as the form's resolver. */
export function createResolver(models: ModelChoice[], shown: Shown): Resolver<PlaygroundForm> {
  return (values) => {
    const checked = checkForm(values, limitsOf(models, values.model))
    const verdicts = checked.ok ? [] : checked.verdicts
    const visible = verdicts.filter(({ field }) => shown.all || isRoot(field) || shown.left.has(field))
    if (visible.length === 0) return { values, errors: {} }
    const errors: FieldErrors<PlaygroundForm> = {}
    for (const { field, message } of visible) set(errors, field, { type: "refused", message })
    return { values: {}, errors }
  }
}

/** The field's element, as the API's `param` names it. The state's may be an editor, which answers to the same id. */
export function focusField(field: string): void {
  // Its pane may be hidden until the next frame, and a list's message is not drawn before it.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const named = [...document.getElementsByName(field)].find((element) => !element.hidden)
      const target = named ?? document.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"] .cm-content`)
      const element = target ?? document.getElementById(field)
      element?.focus()
      element?.scrollIntoView({ block: "nearest" })
    }),
  )
}

/** Shows what the API has against the form beside its fields, once typing pauses, and takes it away when it is put right. */
export function useVerdict(form: UseFormReturn<PlaygroundForm>, models: ModelChoice[], settled: Settled, shown: Shown) {
  const last = useRef("")
  const check = useLatest(() => {
    const values = form.getValues()
    const checked = checkForm(values, limitsOf(models, values.model))
    const verdicts = checked.ok ? [] : checked.verdicts
    const visible = verdicts.filter(({ field }) => shown.all || isRoot(field) || shown.left.has(field))
    const now = JSON.stringify(visible)
    if (now !== last.current) void form.trigger()
    last.current = now
  })
  useEffect(() => settled.subscribe(check), [settled, check])
  return {
    /** A verdict that only the server can give, until the next change. */
    mark: ({ field, message }: Verdict) => {
      last.current = "marked"
      form.setError(field as FieldPath<PlaygroundForm>, { type: "refused", message })
    },
    showAll: () => {
      shown.all = true
      last.current = "shown"
      void form.trigger()
    },
    clear: () => {
      shown.all = false
      last.current = ""
      form.clearErrors()
    },
    leave: (field: string) => {
      if (field === "" || shown.left.has(field)) return
      shown.left.add(field)
      settled.touch()
    },
  }
}
