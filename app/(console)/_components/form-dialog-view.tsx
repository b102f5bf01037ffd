"use client"
import { type ReactNode, useState } from "react"
import type { DefaultValues, FieldValues, UseFormReturn } from "react-hook-form"
import type { ZodType } from "zod"
import type { ActionResult } from "@/components/form/call-action"
import { useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { Dialog, DialogActions, DialogCancel } from "@/components/ui/dialog"
import { FieldError } from "@/components/ui/field"
import { ConfirmOrError } from "./confirm/confirm-or-error"

/** One change as a form in a dialog. Input is kept after an error. */
export interface DialogForm<Typed extends FieldValues, Parsed, Data> {
  title: ReactNode
  description?: ReactNode
  /** Loads the schema of the action's input. Without fields, only the action checks it. */
  schema?: () => Promise<ZodType<Parsed, Typed>>
  defaultValues: DefaultValues<Typed>
  action: (input: Typed) => Promise<ActionResult<Data>>
  /** What was done, in one sentence. */
  done?: string | ((data: Data) => string)
  onDone?: (data: Data) => void
  /** Shows what the action returned. The dialog then stays open. */
  result?: (data: Data) => ReactNode
  submitLabel: string
  pendingLabel: string
  /** The label of the button that closes the dialog. The default is "Cancel". */
  dismissLabel?: string
  /** Whether the change cannot be undone. The user must then select a box first. */
  isFinal?: boolean
  /** The label of that box. */
  finalLabel?: string
  /** Whether the submit button is red without the box, because the user types a confirmation. */
  isDanger?: boolean
  /** Receives the focus after the change, which may remove the element that opened the dialog. */
  focusAfter?: () => HTMLElement | null
  /** The controls of the form; none when there is nothing to enter. */
  fields?: (form: UseFormReturn<Typed, unknown, Parsed>) => ReactNode
}

interface FormDialogViewProps<Typed extends FieldValues, Parsed, Data> extends DialogForm<Typed, Parsed, Data> {
  open: boolean
  onClose: () => void
  onDone: (data: Data) => void
  finalFocus: () => HTMLElement | null
}

/** Renders the dialog of `useFormDialog`, which loads this module on demand. */
export function FormDialogView<Typed extends FieldValues, Parsed, Data>({
  open,
  onClose,
  title,
  description,
  finalFocus,
  ...form
}: FormDialogViewProps<Typed, Parsed, Data>) {
  const [pending, setPending] = useState(false)
  const close = () => (pending ? undefined : onClose())
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => (next ? undefined : close())}
      title={title}
      description={description}
      finalFocus={finalFocus}
    >
      <ActionForm {...form} onPending={setPending} />
    </Dialog>
  )
}

type ActionFormProps<Typed extends FieldValues, Parsed, Data> = Omit<
  FormDialogViewProps<Typed, Parsed, Data>,
  "open" | "onClose" | "title" | "description" | "finalFocus"
> & { onPending: (pending: boolean) => void }

function ActionForm<Typed extends FieldValues, Parsed, Data>(props: ActionFormProps<Typed, Parsed, Data>) {
  const { schema, submitLabel, pendingLabel, dismissLabel = "Cancel", isFinal = false, isDanger = isFinal } = props
  const { fields, result, onPending } = props
  const { finalLabel = "I understand this can't be undone." } = props
  const [isUnderstood, setUnderstood] = useState(!isFinal)
  const [problem, setProblem] = useState("")
  const [shown, setShown] = useState<ReactNode>(null)
  const { form, submit, formError, pending } = useActionForm({
    schema,
    defaultValues: props.defaultValues,
    action: async (input: Typed) => {
      onPending(true)
      return props.action(input).finally(() => onPending(false))
    },
    onDone: (data) => (result ? setShown(result(data)) : props.onDone(data)),
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        if (isUnderstood) return void submit(event)
        event.preventDefault()
        setProblem("Select the box to continue.")
      }}
    >
      {fields?.(form)}
      {isFinal ? (
        <Understood
          label={finalLabel}
          problem={problem}
          onChange={(next) => {
            setUnderstood(next)
            setProblem("")
          }}
        />
      ) : null}
      <div role="status" className="empty:hidden">
        {shown}
      </div>
      <ConfirmOrError error={formError} submitLabel={submitLabel} />
      <DialogActions>
        <DialogCancel>{dismissLabel}</DialogCancel>
        <Button type="submit" variant={isDanger ? "danger" : "primary"} pending={pending} pendingLabel={pendingLabel}>
          {shown ? `${submitLabel} again` : submitLabel}
        </Button>
      </DialogActions>
    </form>
  )
}

interface UnderstoodProps {
  label: string
  problem: string
  onChange: (isUnderstood: boolean) => void
}

function Understood({ label, problem, onChange }: UnderstoodProps) {
  return (
    <div className="flex flex-col gap-1.5">
      <Checkbox
        label={label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? "understood-problem" : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <div role="alert">
        <FieldError id="understood-problem">{problem}</FieldError>
      </div>
    </div>
  )
}
