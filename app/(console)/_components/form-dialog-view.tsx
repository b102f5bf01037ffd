"use client"
import { type ReactNode, useState } from "react"
import type { DefaultValues, FieldValues, UseFormReturn } from "react-hook-form"
import type { ZodType } from "zod"
import { type ActionResult, useActionForm } from "@/components/form/use-action-form"
import { Button } from "@/components/ui/button"
import { Checkbox } from "@/components/ui/checkbox"
import { Dialog, DialogActions, DialogCancel } from "@/components/ui/dialog"
import { FieldError } from "@/components/ui/field"
import { ConfirmOrError } from "./confirm/confirm-or-error"

interface ActionFormProps<Typed extends FieldValues, Parsed, Data> {
  /** Loads the schema of the action's input. */
  schema: () => Promise<ZodType<Parsed, Typed>>
  /** Called when the dialog opens. */
  defaultValues: () => DefaultValues<Typed>
  action: (input: Typed) => Promise<ActionResult<Data>>
  onDone: (data: Data) => void
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
  /** Why the change may need a confirmation by e-mail. */
  confirmReason?: string
  /** The controls of the form; none when there is nothing to enter. */
  fields?: (form: UseFormReturn<Typed, unknown, Parsed>) => ReactNode
}

export interface FormDialogProps<Typed extends FieldValues, Parsed, Data> extends ActionFormProps<Typed, Parsed, Data> {
  open: boolean
  onClose: () => void
  title: ReactNode
  description?: ReactNode
  /** Receives the focus when the dialog closes. By default, the element that has it when the dialog opens. */
  opener?: HTMLElement | null | undefined
}

interface FormDialogViewProps<Typed extends FieldValues, Parsed, Data>
  extends Omit<FormDialogProps<Typed, Parsed, Data>, "opener"> {
  finalFocus: () => HTMLElement | null
}

/** Renders a `FormDialog`, which loads this module on demand. */
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

interface OpenFormProps<Typed extends FieldValues, Parsed, Data> extends ActionFormProps<Typed, Parsed, Data> {
  onPending: (pending: boolean) => void
}

function ActionForm<Typed extends FieldValues, Parsed, Data>(props: OpenFormProps<Typed, Parsed, Data>) {
  const { schema, submitLabel, pendingLabel, dismissLabel = "Cancel", isFinal = false, isDanger = isFinal } = props
  const { fields, onPending, confirmReason = "Changes by an operator need a recent sign-in." } = props
  const { finalLabel = "I understand this can't be undone." } = props
  const [isUnderstood, setUnderstood] = useState(!isFinal)
  const [problem, setProblem] = useState("")
  const [initial] = useState(props.defaultValues)
  const { form, submit, formError, pending } = useActionForm({
    schema,
    defaultValues: initial,
    action: async (input: Typed) => {
      onPending(true)
      return props.action(input).finally(() => onPending(false))
    },
    onDone: props.onDone,
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
      <ConfirmOrError
        error={formError}
        reason={confirmReason}
        submitLabel={submitLabel}
        returnTo={() => window.location.pathname}
      />
      <DialogActions>
        <DialogCancel>{dismissLabel}</DialogCancel>
        <Button type="submit" variant={isDanger ? "danger" : "primary"} pending={pending} pendingLabel={pendingLabel}>
          {submitLabel}
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
