import Form from "next/form"
import { Button } from "@/components/ui/button"
import { FilterLink } from "@/components/ui/filter-link"
import { SearchInput } from "@/components/ui/search-input"
import { viewHref } from "@/lib/shared/operator/search"

export interface ShowLink<Show extends string> {
  show: Show
  label: string
}

interface ShowLinksProps<Show extends string> {
  /** For assistive technology: "Filter accounts". */
  label: string
  path: string
  /** The query of the list's address. */
  view: Record<string, string | null> & { show: Show }
  links: readonly ShowLink<Show>[]
}

/** Renders the links that choose which rows a list shows. They lead to its first page. */
export function ShowLinks<Show extends string>({ label, path, view, links }: ShowLinksProps<Show>) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1">
      {links.map(({ show, label: text }) => (
        <FilterLink
          key={show}
          href={viewHref(path, { ...view, show, after: null })}
          scroll={false}
          isCurrent={show === view.show}
        >
          {text}
        </FilterLink>
      ))}
    </nav>
  )
}

interface ListSearchProps {
  path: string
  /** The name of the query parameter. */
  name: string
  label: string
  value: string
  show: string
  placeholder: string
}

/** Renders the search of a list. It only navigates, so it is a native form and works without JavaScript. */
export function ListSearch({ path, name, label, value, show, placeholder }: ListSearchProps) {
  return (
    <search className="w-full sm:w-96">
      <Form action={path} scroll={false} prefetch={false} className="flex gap-2">
        {show === "all" ? null : <input type="hidden" name="show" value={show} />}
        <SearchInput
          key={value}
          name={name}
          aria-label={label}
          defaultValue={value}
          placeholder={placeholder}
          maxLength={254}
          autoCapitalize="none"
          boxClassName="flex-1"
        />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </Form>
    </search>
  )
}
