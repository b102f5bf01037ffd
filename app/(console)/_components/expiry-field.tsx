import type { ComponentProps } from "react"
import { DateInput } from "@/components/ui/date-input"
import { Field } from "@/components/ui/field"
import { formatExactTime } from "@/lib/shared/format"

/** How a form registers the day: an empty control means never. */
export const DAY_OR_NEVER = { setValueAs: (value: string | null) => value || null }

/** Returns the hint on when it stops working: at the end of the chosen day in UTC. */
function hintOf(what: string, day: string | null): string {
  const end = new Date(`${day}T23:59:59Z`)
  const until = Number.isNaN(end.getTime())
    ? `Without a day, the ${what} never expires.`
    : `The ${what} stops working on ${formatExactTime(end)}.`
  return `${until} You cannot change this later.`
}

interface ExpiryFieldProps extends Omit<ComponentProps<typeof DateInput>, "type"> {
  what: "key" | "token"
  /** The chosen day; null for never. */
  day: string | null
  error: string | undefined
}

/** Renders the control of the day at whose end a new key or token expires. */
export function ExpiryField({ what, day, error, ...input }: ExpiryFieldProps) {
  return (
    <Field label="Expires on (optional)" hint={hintOf(what, day)} error={error}>
      <DateInput type="date" {...input} />
    </Field>
  )
}
