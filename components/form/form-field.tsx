import clsx from "clsx"
import type { ComponentProps, ReactNode } from "react"
import type { FieldValues, Path, UseFormReturn } from "react-hook-form"
import { DateInput } from "../ui/date-input"
import { Field } from "../ui/field"
import { Input } from "../ui/input"

interface FormFieldProps<Typed extends FieldValues, Parsed>
  extends Omit<ComponentProps<typeof Input>, "form" | "name"> {
  form: UseFormReturn<Typed, unknown, Parsed>
  /** The name of the value in the form. */
  name: Path<Typed> & keyof Typed
  label: ReactNode
  hint?: ReactNode
}

/** Renders a one-line text control of a form, with its label and its error. By default browsers do not complete it. */
export function FormField<Typed extends FieldValues, Parsed>(props: FormFieldProps<Typed, Parsed>) {
  const { form, name, label, hint, required, className, ...input } = props
  const error = form.formState.errors[name] as { message?: string } | undefined
  const isNumber = input.inputMode === "decimal" || input.inputMode === "numeric"
  const control = {
    ...form.register(name),
    autoComplete: "off",
    ...input,
    className: clsx(isNumber && "tabular-nums", className),
  }
  return (
    <Field label={label} hint={hint} error={error?.message} required={required}>
      {input.type === "date" ? <DateInput {...control} type="date" /> : <Input {...control} />}
    </Field>
  )
}
