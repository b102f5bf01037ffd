"use client"
import { useId } from "react"

interface SegmentsProps<Value extends string> {
  /** For screen readers. */
  legend: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onValue: (value: Value) => void
  className?: string
}

export function Segments<Value extends string>({ legend, options, value, onValue, className }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className={className}>
      <legend className="sr-only">{legend}</legend>
      <div className="inline-flex rounded-md border border-line-strong text-sm">
        {options.map((option) => (
          <label
            key={option.value}
            className="inline-flex items-center rounded-[5px] px-2.5 py-px text-ink-muted has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent-strong has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11 pointer-coarse:px-4"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
