"use client"
import clsx from "clsx"
import { type ReactNode, useState } from "react"
import type { DefaultValues, FieldValues, UseFormReturn } from "react-hook-form"
import type { ZodType } from "zod"
import { Button } from "../ui/button"
import { FormError } from "./form-error"
import { type ActionError, type ActionResult, useActionForm } from "./use-action-form"

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

/** Renders settings as a form on a page, with a button that saves them. Says that they are saved until one changes. */
export function SaveForm<Typed extends FieldValues, Parsed>(props: SaveFormProps<Typed, Parsed>) {
  const { label, saved = "Saved.", className, renderError, fields, ...input } = props
  const [isSaved, setSaved] = useState(false)
  const { form, submit, formError, pending } = useActionForm({ ...input, onDone: () => setSaved(true) })
  return (
    <form
      onSubmit={submit}
      onChange={() => setSaved(false)}
      noValidate
      className={clsx("flex flex-col gap-3", className)}
    >
      {renderError ? renderError(formError) : <FormError error={formError} />}
      {fields(form)}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" variant="secondary" pending={pending} pendingLabel="Saving…">
          {label}
        </Button>
        <p role="status" className="text-ink-muted text-sm">
          {isSaved ? saved : null}
        </p>
      </div>
    </form>
  )
}
