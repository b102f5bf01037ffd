"use client"
import clsx from "clsx"
import { ChevronDown } from "lucide-react"
import type { ComponentProps, ReactNode } from "react"
import { Field, useFieldControl } from "./field"
import { controlClass } from "./input"

export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={clsx("relative block", className)}>
      <select
        {...useFieldControl()}
        {...rest}
        className={clsx(controlClass, "h-9 appearance-none truncate pr-9 pointer-coarse:min-h-11")}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-ink-muted"
      />
    </span>
  )
}

export interface Option {
  value: string
  label: string
}

interface SelectFieldProps {
  label: ReactNode
  hint?: ReactNode
  name?: string
  value: string
  /** The text of the first option, whose value is empty. Without it, one of the others is always chosen. */
  none?: string
  /** A text is its own value. */
  options: readonly (Option | string)[]
  error?: string | undefined
  disabled?: boolean
  /** Puts the label before the control, in one line. */
  isInline?: boolean
  className?: string
  onChoose: (value: string) => void
}

/** Renders a labelled choice of one value from a list. */
export function SelectField(props: SelectFieldProps) {
  const { label, hint, error, isInline, className, none, options, onChoose, ...select } = props
  return (
    <Field label={label} hint={hint} error={error} isInline={isInline} className={clsx("min-w-0", className)}>
      <Select {...select} className="min-w-0 flex-1" onChange={({ target }) => onChoose(target.value)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {options.map((option) => {
          const { value, label: text } = typeof option === "string" ? { value: option, label: option } : option
          return (
            <option key={value} value={value}>
              {text}
            </option>
          )
        })}
      </Select>
    </Field>
  )
}
