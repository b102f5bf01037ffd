"use client"
import clsx from "clsx"
import { createContext, type ReactNode, useContext, useId } from "react"

interface FieldControl {
  id?: string
  "aria-describedby"?: string
  "aria-invalid"?: true
  "aria-required"?: true
}

const FieldContext = createContext<FieldControl>({})

/** What the control inside a `Field` must carry; nothing outside one. */
export const useFieldControl = (): FieldControl => useContext(FieldContext)

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong and how to put it right. */
  error?: ReactNode
  required?: boolean
  className?: string
  /** One control: `Input`, `Textarea` or `Select`, which find their wiring by themselves. */
  children: ReactNode
}

/** A label, a control, a hint and an error, tied together for assistive technology. */
export function Field({ label, hint, error, required, className, children }: FieldProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ")
  const control: FieldControl = {
    id,
    "aria-describedby": described || undefined,
    "aria-invalid": error ? true : undefined,
    "aria-required": required ? true : undefined,
  }
  return (
    <div className={clsx("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <FieldContext value={control}>{children}</FieldContext>
      {hint ? (
        <p id={`${id}-hint`} className="text-ink-muted text-sm">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </div>
  )
}

/** What is wrong with one field; nothing when nothing is. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p id={id} className="font-medium text-danger text-sm">
      {children}
    </p>
  )
}
