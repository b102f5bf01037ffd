import { DAY_MS } from "@/lib/shared/time"
import { Button } from "../ui/button"
import { DateInput } from "../ui/date-input"
import { Field } from "../ui/field"
import type { ChooseFilters } from "./use-address-filters"

const EARLIEST_DAY = "2020-01-01"

/** Days such as "2026-11-20"; empty for an end that is not chosen. */
type Days = { from: string; to: string }

interface DayFiltersProps {
  chosen: Days
  /** The latest day that can be chosen. */
  today: string
  /** The longest range, in days. With it, a range needs a first day. */
  maxDays?: number
  choose: ChooseFilters<keyof Days>
}

/** Returns what is wrong with the first or the last day of a range, or null. A range without a last day ends today. */
function rangeProblem({ from, to }: Days, { today, maxDays }: Pick<DayFiltersProps, "today" | "maxDays">) {
  if (from !== "" && to !== "" && from > to) return { at: "to", text: "It is before the first day." } as const
  if (maxDays === undefined || (from === "" && to === "")) return null
  if (from === "") return { at: "from", text: "Choose a first day too." } as const
  const days = (Date.parse(to || today) - Date.parse(from)) / DAY_MS + 1
  return days > maxDays ? ({ at: "from", text: `Choose at most ${maxDays} days.` } as const) : null
}

/** Renders the first and the last day of a range. An invalid range stays in the fields and is not applied. */
export function DayFilters({ chosen, today, maxDays, choose }: DayFiltersProps) {
  const problem = rangeProblem(chosen, { today, maxDays })
  const day = (name: keyof Days, label: string) => (
    <Field label={label} error={problem?.at === name ? problem.text : undefined} className="w-36 max-sm:grow">
      <DateInput
        type="date"
        name={name}
        min={EARLIEST_DAY}
        max={today}
        value={chosen[name]}
        onChange={({ target }) => {
          const range = { from: chosen.from, to: chosen.to, [name]: target.value }
          const isValid = rangeProblem(range, { today, maxDays }) === null && target.validity.valid
          choose(range, { isValid, typedIn: name })
        }}
      />
    </Field>
  )
  return (
    <>
      {day("from", "From")}
      {day("to", "To")}
    </>
  )
}

/** Renders the button that applies filters where JavaScript is off. */
export const ApplyWithoutScript = ({ label = "Apply" }: { label?: string }) => (
  <noscript className="self-end">
    <Button type="submit" variant="secondary">
      {label}
    </Button>
  </noscript>
)
