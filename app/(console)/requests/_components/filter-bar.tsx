"use client"
import type { ComponentProps } from "react"
import { ApplyWithoutScript } from "@/components/form/filter-fields"
import { PhoneFilters } from "@/components/form/phone-filters"
import { type ChooseFilters, useAddressFilters } from "@/components/form/use-address-filters"
import { useAccountAddress } from "@/components/link/account-address"
import { DateInput } from "@/components/ui/date-input"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { LinkButton } from "@/components/ui/link-button"
import { type Option, SelectField } from "@/components/ui/select"
import { TAG_PATTERN } from "@/lib/shared/tags/tags"
import { viewHref } from "@/lib/shared/view-href"
import type { Filters } from "./filters"

export type Choices = Record<"key" | "model" | "result" | "type", readonly (Option | string)[]>

interface FilterBarProps {
  shown: Filters
  choices: Choices
}

/** Returns the address of the page with these filters. A range of times replaces the number of days. */
const hrefOf = ({ days, ...filters }: Filters): string =>
  viewHref("/requests", { ...filters, days: filters.from === "" ? days : "" })

const NO_FILTERS: Omit<Filters, "days" | "from" | "to"> = {
  ...{ key: "", model: "", result: "", type: "", tag: "" },
  ...{ min_ms: "", max_ms: "", min_usd: "", max_usd: "" },
}

const SELECTS = [
  { name: "key", label: "Key", none: "All keys" },
  { name: "model", label: "Model", none: "All models" },
  { name: "result", label: "Result", none: "All results" },
  { name: "type", label: "Question type", none: "All types" },
] as const

const BOUNDS = [
  { name: "min_ms", other: "max_ms", label: "Latency from (ms)", isMost: false, pattern: "\\d{1,7}" },
  { name: "max_ms", other: "min_ms", label: "Latency up to (ms)", isMost: true, pattern: "\\d{1,7}" },
  { name: "min_usd", other: "max_usd", label: "Cost from ($)", isMost: false, pattern: "\\d{1,7}(\\.\\d{1,12})?" },
  { name: "max_usd", other: "min_usd", label: "Cost up to ($)", isMost: true, pattern: "\\d{1,7}(\\.\\d{1,12})?" },
] as const

/**
 * Filters the log and its exports. Choices apply at once, typed values on Enter or when the field is left. A native form, so it also
 * works without JavaScript.
 */
export function FilterBar({ shown, choices }: FilterBarProps) {
  const { chosen, choose, isPending } = useAddressFilters(shown, hrefOf)
  const addressOf = useAccountAddress()
  const count = Object.keys(NO_FILTERS).filter((name) => shown[name as keyof typeof NO_FILTERS] !== "").length
  return (
    <PhoneFilters count={count + (shown.from === "" ? 0 : 1)}>
      <form
        action={addressOf("/requests")}
        aria-label="Filters"
        aria-busy={isPending}
        className="flex flex-wrap items-start gap-2"
      >
        {chosen.from === "" && chosen.days !== "" ? <input type="hidden" name="days" value={chosen.days} /> : null}
        <TimeFilters chosen={chosen} choose={choose} />
        {SELECTS.map(({ name, label, none }) => (
          <SelectField
            key={name}
            name={name}
            label={label}
            none={none}
            options={choices[name]}
            value={chosen[name]}
            onChoose={(value) => choose({ [name]: value })}
            className="w-44 max-sm:w-[calc(50%-0.25rem)]"
          />
        ))}
        <Field label="Tag" className="w-44 max-sm:w-[calc(50%-0.25rem)]">
          <TypedFilter
            name="tag"
            maxLength={129}
            pattern={TAG_PATTERN}
            title="A name and a value, such as team=search"
            shown={shown}
            chosen={chosen}
            choose={choose}
          />
        </Field>
        {BOUNDS.map(({ name, other, label, isMost, pattern }) => {
          const [own, opposite] = [chosen[name], chosen[other]]
          const isSwapped = isMost && own !== "" && opposite !== "" && Number(own) < Number(opposite)
          return (
            <Field
              key={name}
              label={label}
              error={isSwapped ? "It is below the lower bound." : undefined}
              className="w-36 max-sm:w-[calc(50%-0.25rem)]"
            >
              <TypedFilter
                name={name}
                inputMode="decimal"
                maxLength={20}
                pattern={pattern}
                shown={shown}
                chosen={chosen}
                choose={choose}
              />
            </Field>
          )
        })}
        <ApplyWithoutScript />
        {count > 0 ? (
          <LinkButton href={hrefOf({ ...shown, ...NO_FILTERS })} scroll={false} variant="quiet" className="self-end">
            Clear filters
          </LinkButton>
        ) : null}
      </form>
    </PhoneFilters>
  )
}

interface TypedFilterProps extends ComponentProps<typeof Input> {
  name: keyof Filters
  shown: Filters
  chosen: Filters
  choose: ChooseFilters<keyof Filters>
}

/** Renders a filter that applies on Enter, or when the field is left, if it is valid. */
function TypedFilter({ name, shown, chosen, choose, ...input }: TypedFilterProps) {
  const apply = (field: HTMLInputElement) => {
    if (field.value !== shown[name] && field.checkValidity()) choose({ [name]: field.value })
  }
  return (
    <Input
      {...input}
      name={name}
      autoComplete="off"
      value={chosen[name]}
      onChange={({ target }) => choose({ [name]: target.value }, { isValid: false })}
      onBlur={({ target }) => apply(target)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === "Enter") apply(currentTarget)
      }}
    />
  )
}

interface TimeFiltersProps {
  chosen: Filters
  choose: ChooseFilters<keyof Filters>
}

/** Renders the first and the last minute of a range, in UTC. An invalid range stays in the fields and is not applied. */
function TimeFilters({ chosen, choose }: TimeFiltersProps) {
  const { from, to } = chosen
  const error =
    from === "" && to !== ""
      ? { name: "from", text: "Choose a first minute too." }
      : from !== "" && to !== "" && from > to
        ? { name: "to", text: "It is before the first minute." }
        : null
  const time = (name: "from" | "to", label: string) => (
    <Field label={label} error={error?.name === name ? error.text : undefined} className="w-52 max-sm:w-full">
      <DateInput
        type="datetime-local"
        name={name}
        min="2020-01-01T00:00"
        max="2999-12-31T23:59"
        value={chosen[name]}
        onChange={({ target }) => {
          const times = { from, to, [name]: target.value }
          const isValid = times.from !== "" ? times.to === "" || times.from <= times.to : times.to === ""
          choose(times, { isValid: isValid && target.validity.valid, typedIn: name })
        }}
      />
    </Field>
  )
  return (
    <>
      {time("from", "From (UTC)")}
      {time("to", "To (UTC)")}
    </>
  )
}
