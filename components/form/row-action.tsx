"use client"
import type { ReactNode } from "react"
import type { ZodType } from "zod"
import { Button } from "../ui/button"
import { FormError } from "./form-error"
import { type ActionResult, useActionForm } from "./use-action-form"

interface RowActionProps<Parsed> {
  /** The id of what the row shows. It is the action's only input. */
  id: string
  schema: () => Promise<ZodType<Parsed, { id: string }>>
  action: (input: { id: string }) => Promise<ActionResult<unknown>>
  /** The accessible name of the button, which names the row too. */
  label: string
  pendingLabel: string
  /** The id of the element that gets the focus when the action removes the button. */
  focusId: string
  children: ReactNode
}

/** Renders a button in a table's row that calls a server action without a confirmation. An error appears beside it. */
export function RowAction<Parsed>({
  id,
  schema,
  action,
  label,
  pendingLabel,
  focusId,
  children,
}: RowActionProps<Parsed>) {
  const { submit, formError, pending } = useActionForm({
    schema,
    defaultValues: { id },
    action,
    onDone: () => document.getElementById(focusId)?.focus(),
  })
  return (
    <form onSubmit={submit} className="inline-flex flex-wrap items-center justify-end gap-2">
      <FormError error={formError} />
      <Button
        type="submit"
        variant="secondary"
        size="sm"
        aria-label={label}
        pending={pending}
        pendingLabel={pendingLabel}
      >
        {children}
      </Button>
    </form>
  )
}
