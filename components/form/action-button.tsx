"use client"
import type { ReactNode } from "react"
import { Button, type ButtonVariant } from "../ui/button"
import { type ActionResult, useAction } from "./call-action"
import { FormError } from "./form-error"

interface ActionButtonProps<Input> {
  action: (input: Input) => Promise<ActionResult<unknown>>
  input: Input
  /** The accessible name of the button, when its text does not name what it acts on. */
  label?: string
  pendingLabel: string
  variant?: ButtonVariant
  size?: "sm"
  /** The id of the element that gets the focus when the action removes the button. */
  focusId?: string
  children: ReactNode
}

/** Renders a button that calls a server action without a confirmation. An error appears beside it. */
export function ActionButton<Input>(props: ActionButtonProps<Input>) {
  const { action, input, label, pendingLabel, variant = "secondary", size, focusId, children } = props
  const { run, error, pending } = useAction(action, () => focusId && document.getElementById(focusId)?.focus())
  return (
    <div className="inline-flex flex-wrap items-center justify-end gap-2">
      <FormError error={error} />
      <Button
        variant={variant}
        size={size}
        aria-label={label}
        pending={pending}
        pendingLabel={pendingLabel}
        onClick={() => run(input)}
      >
        {children}
      </Button>
    </div>
  )
}
