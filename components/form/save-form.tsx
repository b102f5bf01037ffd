"use client"
import clsx from "clsx"
import type { ReactNode } from "react"
import type { DefaultValues, FieldValues, UseFormReturn } from "react-hook-form"
import type { ZodType } from "zod"
import { Button } from "../ui/button"
import { sayDone } from "../ui/toast-host"
import type { ActionError, ActionResult } from "./call-action"
import { FormError } from "./form-error"
import { useActionForm } from "./use-action-form"

interface SaveFormProps<Typed extends FieldValues, Parsed> {
  /** Loads the schema of the action's input. */
  schema: () => Promise<ZodType<Parsed, Typed>>
  defaultValues: DefaultValues<Typed>
  action: (input: Typed) => Promise<ActionResult<unknown>>
  /** The text of the button. */
  label: string
  saved?: string
  className?: string
  /** Renders an error that belongs to no field; by default as a `FormError`. */
  renderError?: (error: ActionError | null) => ReactNode
  fields: (form: UseFormReturn<Typed, unknown, Parsed>) => ReactNode
}

/** Renders settings as a form on a page, with a button that saves them, which a toast says. */
export function SaveForm<Typed extends FieldValues, Parsed>(props: SaveFormProps<Typed, Parsed>) {
  const { label, saved = "Saved.", className, renderError, fields, ...input } = props
  const { form, submit, formError, pending } = useActionForm({ ...input, onDone: () => sayDone(saved) })
  return (
    <form onSubmit={submit} noValidate className={clsx("flex flex-col gap-3", className)}>
      {renderError ? renderError(formError) : <FormError error={formError} />}
      {fields(form)}
      <Button type="submit" variant="secondary" className="self-start" pending={pending} pendingLabel="Saving…">
        {label}
      </Button>
    </form>
  )
}
