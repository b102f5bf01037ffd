import { Button } from "../ui/button"
import { Field } from "../ui/field"
import { Input } from "../ui/input"
import { Select } from "../ui/select"

const EARLIEST_DAY = "2020-01-01"

export interface FilterOption {
  value: string
  label: string
}

interface FilterSelectProps {
  label: string
  name: string
  value: string
  /** The text of the first option, which sets no filter. Without it, one of the options is always chosen. */
  none?: string
  options: readonly FilterOption[]
  onChoose: (value: string) => void
  className: string
}

/** Renders one filter with a list of values. */
export function FilterSelect({ label, name, value, none, options, onChoose, className }: FilterSelectProps) {
  return (
    <Field label={label} className={className}>
      <Select name={name} value={value} onChange={({ target }) => onChoose(target.value)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    </Field>
  )
}

type Days = { from: string; to: string }

interface DayFiltersProps {
  chosen: Days
  /** The latest day that can be chosen. */
  today: string
  choose: (change: Partial<Days>, isValid: boolean) => void
}

/** Renders the first and the last day of a range. */
export function DayFilters({ chosen, today, choose }: DayFiltersProps) {
  const day = (name: keyof Days) => (
    <Input
      type="date"
      name={name}
      min={EARLIEST_DAY}
      max={today}
      value={chosen[name]}
      onChange={({ target }) => choose({ [name]: target.value }, target.validity.valid)}
    />
  )
  return (
    <>
      <Field label="From" className="w-36 max-sm:grow">
        {day("from")}
      </Field>
      <Field label="To" className="w-36 max-sm:grow">
        {day("to")}
      </Field>
    </>
  )
}

/** Renders the button that applies filters where JavaScript is off. */
export const ApplyWithoutScript = ({ label = "Apply" }: { label?: string }) => (
  <noscript>
    <Button type="submit" variant="secondary">
      {label}
    </Button>
  </noscript>
)
