"use client"
import { useEffect, useRef } from "react"
import type { FieldPath, UseFormReturn } from "react-hook-form"
import { checkForm } from "@/lib/playground/check-form"
import type { PlaygroundForm } from "@/lib/playground/schema"

const isRoot = (field: string): boolean => field.endsWith(".root")

/**
 * Marks the one field that the API refuses first, and follows while it is put right: any change asks `checkForm` again.
 * Fields ending in `.root` stand for a whole list, whose element has that id.
 */
export function useVerdict(form: UseFormReturn<PlaygroundForm>) {
  const marked = useRef(false)
  const clear = () => {
    if (marked.current) form.clearErrors()
    marked.current = false
  }
  const mark = (field: string, message: string) => {
    clear()
    form.setError(field as FieldPath<PlaygroundForm>, { type: "refused", message })
    marked.current = true
  }
  // The field's pane may be hidden until the next frame, and the list's message is not drawn before it.
  const focus = (field: string) =>
    requestAnimationFrame(() => {
      if (isRoot(field)) document.getElementById(field)?.focus()
      else form.setFocus(field as FieldPath<PlaygroundForm>)
    })

  const follow = useRef((_values: PlaygroundForm) => {})
  useEffect(() => {
    follow.current = (values) => {
      if (!marked.current) return
      const checked = checkForm(values)
      if (checked.ok) clear()
      else mark(checked.verdicts[0].field, checked.verdicts[0].message)
    }
  })
  useEffect(
    () => form.subscribe({ formState: { values: true }, callback: ({ values }) => follow.current(values) }),
    [form],
  )
  return { mark, clear, focus }
}
