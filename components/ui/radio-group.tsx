"use client"
import { type ComponentProps, type ReactNode, useId } from "react"
import { FieldError } from "./field"

interface RadioOption {
  value: string
  label: ReactNode
  hint?: ReactNode
}

interface RadioGroupProps extends Omit<ComponentProps<"input">, "type" | "value" | "defaultValue"> {
  label: ReactNode
  hint?: ReactNode
  error?: ReactNode
  options: readonly RadioOption[]
  value?: string
  defaultValue?: string
}

/** Lets the user choose one of a few visible options. Further props, such as those of a form's `register`, go to every button. */
export function RadioGroup({ label, hint, error, options, value, defaultValue, ...rest }: RadioGroupProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ")
  return (
    <fieldset aria-describedby={described || undefined} aria-invalid={error ? true : undefined}>
      <legend className="mb-1.5 font-medium">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-w-24 flex-1 items-start gap-2 rounded-md border border-line-strong bg-surface px-2.5 py-2 pointer-coarse:py-3 hover:bg-sunken has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          >
            <input
              name={id}
              {...rest}
              type="radio"
              value={option.value}
              checked={value === undefined ? undefined : option.value === value}
              defaultChecked={defaultValue === undefined ? undefined : option.value === defaultValue}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span>
              {option.label}
              {option.hint ? <span className="block text-ink-muted text-sm">{option.hint}</span> : null}
            </span>
          </label>
        ))}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className="mt-1.5 text-ink-muted text-sm">
          {hint}
        </p>
      ) : null}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  )
}
