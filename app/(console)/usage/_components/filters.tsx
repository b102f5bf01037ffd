import Form from "next/form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { FilterLink } from "@/components/ui/filter-link"
import { Input } from "@/components/ui/input"
import { LinkButton } from "@/components/ui/link-button"
import { Select } from "@/components/ui/select"
import { today, type UsageSearch, usageHref, usageParams } from "@/lib/server/usage/search"
import { type ErrorCode, errorTable } from "@/lib/shared/errors"

// These forms only navigate, so they are native GET forms and work without JavaScript.

const RANGES = [
  { days: 1, label: "Today" },
  { days: 7, label: "7 days" },
  { days: 30, label: "30 days" },
  { days: 90, label: "90 days" },
]

export function RangeBar({ search }: { search: UsageSearch }) {
  const current = "days" in search.range ? search.range.days : null
  return (
    <nav aria-label="Range" className="flex gap-1">
      {RANGES.map(({ days, label }) => (
        <FilterLink key={days} href={usageHref(search, { range: { days } })} isCurrent={days === current}>
          {label}
        </FilterLink>
      ))}
    </nav>
  )
}

function HiddenSearch({ search, without }: { search: UsageSearch; without: readonly string[] }) {
  return usageParams(search)
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => <input key={name} type="hidden" name={name} value={value} />)
}

interface Option {
  id: string
  name: string
}

interface FilterBarProps {
  search: UsageSearch
  keys: readonly Option[]
  models: readonly Option[]
}

const options = (list: readonly Option[]) =>
  list.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ))

export function FilterBar({ search, keys, models }: FilterBarProps) {
  const { keyId = "", model = "", by = "" } = search
  const { from = "", to = "" } = "from" in search.range ? search.range : {}
  const isNarrowed = keyId !== "" || model !== "" || by !== "" || from !== ""
  return (
    <Form action="/usage" scroll={false} aria-label="Filters" className="flex flex-wrap items-end gap-2">
      <HiddenSearch search={search} without={["from", "to", "key", "model", "by", "before", "request"]} />
      <Field label="From" className="w-36 max-sm:grow">
        <Input type="date" name="from" max={today()} defaultValue={from} key={`from ${from}`} />
      </Field>
      <Field label="To" className="w-36 max-sm:grow">
        <Input type="date" name="to" max={today()} defaultValue={to} key={`to ${to}`} />
      </Field>
      <Field label="Key" className="w-44 max-sm:grow">
        <Select name="key" defaultValue={keyId} key={keyId}>
          <option value="">All keys</option>
          {options(keys)}
        </Select>
      </Field>
      <Field label="Model" className="w-56 max-sm:grow">
        <Select name="model" defaultValue={model} key={model}>
          <option value="">All models</option>
          {options(models)}
        </Select>
      </Field>
      <Field label="Group by" className="w-36 max-sm:grow">
        <Select name="by" defaultValue={by} key={by}>
          <option value="">Nothing</option>
          <option value="key">Key</option>
          <option value="model">Model</option>
        </Select>
      </Field>
      <Button type="submit" variant="secondary">
        Apply
      </Button>
      {isNarrowed ? (
        <LinkButton
          href={usageHref(search, { range: { days: 30 }, keyId: undefined, model: undefined, by: undefined })}
          variant="quiet"
        >
          Clear
        </LinkButton>
      ) : null}
    </Form>
  )
}

/** Errors that no account's log contains: only the console returns them, or no account is known. */
const NOT_LOGGED: readonly ErrorCode[] = [
  "invalid_api_key",
  "not_found",
  "method_not_allowed",
  "signed_out",
  "confirmation_required",
  "forbidden",
]

const CODES = (Object.keys(errorTable) as ErrorCode[]).filter((code) => !NOT_LOGGED.includes(code))

export function RequestFilters({ search }: { search: UsageSearch }) {
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
      <ResultFilter search={search} />
      <RequestSearch search={search} />
    </div>
  )
}

function ResultFilter({ search }: { search: UsageSearch }) {
  const { result = "" } = search
  return (
    <Form action="/usage" scroll={false} aria-label="Results" className="flex flex-wrap items-end gap-2 max-sm:w-full">
      <HiddenSearch search={search} without={["result", "before", "request"]} />
      <Field label="Result" className="w-52 max-sm:grow">
        <Select name="result" defaultValue={result} key={result}>
          <option value="">All results</option>
          <option value="answered">200 answered</option>
          <option value="refused">Not answered</option>
          {CODES.map((code) => (
            <option key={code} value={code}>
              {errorTable[code].status} {code}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" variant="secondary">
        Filter
      </Button>
    </Form>
  )
}

function RequestSearch({ search }: { search: UsageSearch }) {
  const { request = "" } = search
  return (
    <Form
      action="/usage"
      scroll={false}
      aria-label="Find a request"
      className="flex flex-wrap items-end gap-2 max-sm:w-full"
    >
      <HiddenSearch search={search} without={["before", "request"]} />
      <Field label="Request id" className="w-72 max-sm:grow">
        <Input
          type="search"
          name="request"
          mono
          required
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          defaultValue={request}
          key={request}
        />
      </Field>
      <Button type="submit" variant="secondary">
        Find
      </Button>
    </Form>
  )
}
