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

/** Returns the attributes that tie a control to its `Field`; none outside a `Field`. */
export const useFieldControl = (): FieldControl => useContext(FieldContext)

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong, and how to fix it. */
  error?: ReactNode
  required?: boolean
  /** Puts the label before the control, in one line. */
  isInline?: boolean
  className?: string
  /** One `Input`, `Textarea` or `Select`. They read their attributes from the context. */
  children: ReactNode
}

export function Field({ label, hint, error, required, isInline = false, className, children }: FieldProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ")
  const control: FieldControl = {
    id,
    "aria-describedby": described || undefined,
    "aria-invalid": error ? true : undefined,
    "aria-required": required ? true : undefined,
  }
  return (
    <div className={clsx("flex gap-1.5", isInline ? "flex-wrap items-center gap-x-2.5" : "flex-col", className)}>
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

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  if (!children) return null
  return (
    <p id={id} className="font-medium text-danger text-sm">
      {children}
    </p>
  )
}
