import { Link } from "@/components/link/link"
import { Button } from "@/components/ui/button"
import { SearchInput } from "@/components/ui/search-input"
import type { DocsHit } from "@/lib/shared/search/search-docs"

interface SearchProps {
  query: string
  hits: DocsHit[]
}

/** Renders the search of the docs. It is a native GET form, so it works without JavaScript. */
export function Search({ query, hits }: SearchProps) {
  return (
    <search className="flex flex-col gap-4">
      <form action="/docs" className="flex max-w-text gap-2">
        <SearchInput name="q" defaultValue={query} maxLength={100} aria-label="Search the docs" boxClassName="flex-1" />
        <Button type="submit" variant="secondary">
          Search
        </Button>
      </form>
      {query ? <Hits query={query} hits={hits} /> : null}
    </search>
  )
}

function Hits({ query, hits }: SearchProps) {
  if (hits.length === 0)
    return (
      <p className="max-w-text text-md">
        No section contains all words of “<span className="wrap-anywhere">{query}</span>”. Try fewer words, or an error
        code.
      </p>
    )
  return (
    <ol aria-label="Search results" className="flex flex-col gap-3 border-line border-b pb-6">
      {hits.map(({ path, title, excerpt }) => (
        <li key={path}>
          <Link
            href={path}
            className="font-medium text-accent text-md underline underline-offset-2 pointer-coarse:py-3"
          >
            {title}
          </Link>
          <p className="max-w-text break-words text-ink-muted">{excerpt}</p>
        </li>
      ))}
    </ol>
  )
}
