import Form from "next/form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { LinkButton } from "@/components/ui/link-button"
import { Select } from "@/components/ui/select"
import { type UsageSearch, usageHref } from "@/lib/usage/search"
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

/** Which key and model the page is about, and by what its charts are told apart. */
export function FilterBar({ search, keys, models }: FilterBarProps) {
  const { keyId = "", model = "", by = "" } = search
  const isNarrowed = keyId !== "" || model !== "" || by !== ""
  return (
    <Form action="/usage" aria-label="Filters" className="flex flex-wrap items-end gap-2">
      <HiddenSearch search={search} without={["key", "model", "by", "before", "request"]} />
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
      <Field label="Told apart by" className="w-36 max-sm:grow">
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
        <LinkButton href={usageHref(search, { keyId: undefined, model: undefined, by: undefined })} variant="quiet">
          Clear
        </LinkButton>
      ) : null}
    </Form>
  )
}
