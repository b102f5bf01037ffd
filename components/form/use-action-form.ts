"use client"
import { useEffect, useEffectEvent, useState } from "react"
import { type DefaultValues, type FieldValues, type Path, type Resolver, useForm } from "react-hook-form"
import type { ZodType } from "zod"
import { afterPaint } from "../timing/after-paint"
import { type ActionError, type ActionResult, callAction } from "./call-action"

interface ActionFormOptions<Typed extends FieldValues, Parsed, Data> {
  /** Loads the schema of the action's input. Without it, only the action checks the input. */
  schema?: (() => Promise<ZodType<Parsed, Typed>>) | undefined
  defaultValues: DefaultValues<Typed>
  /** Receives the unparsed input, because the server action parses it itself. */
  action: (input: Typed) => Promise<ActionResult<Data>>
  /** The form stays pending until the result settles. */
  onDone?: (data: Data) => unknown
}

/**
 * Returns a resolver that loads the schema and zod when they are first needed. A page with a form would otherwise load these
 * 35 kB before anyone types. Without them, for example offline, only the action checks the input.
 */
function lazyResolver<Typed extends FieldValues, Parsed>(
  load: () => Promise<ZodType<Parsed, Typed>>,
): Resolver<Typed, unknown, Parsed> {
  return async (values, context, options) => {
    try {
      const [{ zodResolver }, schema] = await Promise.all([import("@hookform/resolvers/zod"), load()])
      return zodResolver(schema)(values, context, options)
    } catch {
      return { values: values as unknown as Parsed, errors: {} }
    }
  }
}

/**
 * Manages the form of a mutation: react-hook-form with the schema of a server action, submitted to that action. Field errors
 * appear beside their fields, and other errors in `formError`. Input is kept after an error. Forms that only navigate or must
 * work without JavaScript are native forms instead. A form of one field that changes only this browser's data, such as a set's
 * name, uses `useState`, because no action would check it.
 */
export function useActionForm<Typed extends FieldValues, Parsed, Data>({
  schema,
  defaultValues,
  action,
  onDone,
}: ActionFormOptions<Typed, Parsed, Data>) {
  const form = useForm<Typed, unknown, Parsed>({
    resolver: schema && lazyResolver(schema),
    defaultValues,
    shouldFocusError: true,
  })
  const preload = useEffectEvent(
    () => schema && void Promise.all([import("@hookform/resolvers/zod"), schema()]).catch(() => undefined),
  )
  useEffect(() => form.subscribe({ formState: { values: true }, callback: () => afterPaint(preload) }), [form])
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
    const result = await callAction(action, form.getValues())
    if (result.ok) await onDone?.(result.data)
    else show(result.error)
  })

  return { form, submit, formError, pending: form.formState.isSubmitting }
}
