import Form from "next/form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { LinkButton } from "@/components/ui/link-button"
import { Select } from "@/components/ui/select"
import { today, type UsageSearch, usageHref } from "@/lib/server/usage/search"
import { HiddenSearch } from "./hidden-search"

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

/** Which days of one's own choice, key and model the page is about, and by what its charts are grouped. */
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
