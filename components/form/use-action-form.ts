"use client"
import { zodResolver } from "@hookform/resolvers/zod"
import { useCallback, useState } from "react"
import { type DefaultValues, type FieldValues, type Path, useForm } from "react-hook-form"
import type { ZodType } from "zod"
import type { ActionError, ActionResult } from "./action-result"

interface ActionFormOptions<Typed extends FieldValues, Parsed, Data> {
  /** The schema that the verb parses too. */
  schema: ZodType<Parsed, Typed>
  defaultValues: DefaultValues<Typed>
  /** Gets what was typed, unparsed: the action parses it with the same schema. */
  action: (typed: Typed) => Promise<ActionResult<Data>>
  onDone?: (data: Data) => void
}

const UNREACHABLE: ActionError = {
  code: "unreachable",
  message: "The server did not answer. Check your connection and try again.",
}

/**
 * A react-hook-form form that ends in a server action. The action's field errors go beside their fields, anything else into
 * `formError`, and what was typed stays.
 */
export function useActionForm<Typed extends FieldValues, Parsed, Data>({
  schema,
  defaultValues,
  action,
  onDone,
}: ActionFormOptions<Typed, Parsed, Data>) {
  const form = useForm<Typed, unknown, Parsed>({ resolver: zodResolver(schema), defaultValues, shouldFocusError: true })
  const [formError, setFormError] = useState<ActionError | null>(null)

  const show = (error: ActionError) => {
    const fields = error.fields ?? (error.param ? { [error.param]: error.message } : {})
    const known = Object.entries(fields).filter(([name]) => form.getValues(name as Path<Typed>) !== undefined)
    for (const [index, [name, message]] of known.entries())
      form.setError(name as Path<Typed>, { type: error.code, message }, { shouldFocus: index === 0 })
    if (known.length === 0) setFormError(error)
  }

  const submit = form.handleSubmit(async () => {
    setFormError(null)
    const result = await action(form.getValues()).catch(() => ({ ok: false as const, error: UNREACHABLE }))
    if (result.ok) onDone?.(result.data)
    else show(result.error)
  })

  const { reset: resetForm } = form
  const reset = useCallback(() => {
    setFormError(null)
    resetForm()
  }, [resetForm])

  return { form, submit, reset, formError, pending: form.formState.isSubmitting }
}
