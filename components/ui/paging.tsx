import { LinkButton } from "./link-button"

interface PagingProps {
  /** What the pages list: "accounts". */
  of: string
  /** The cursor of the shown page; null on the first one. */
  page: string | null
  /** The cursor of the next older page; null on the last one. */
  next: string | null
  hrefOf: (page: string | null) => string
}

/** Renders the links between the pages of a list, newest first. */
export function Paging({ of, page, next, hrefOf }: PagingProps) {
  if (page === null && next === null) return null
  return (
    <nav aria-label={`Pages of the ${of}`} className="flex flex-wrap gap-2">
      {page === null ? null : (
        <LinkButton href={hrefOf(null)} variant="secondary" size="sm">
          Newest {of}
        </LinkButton>
      )}
      {next === null ? null : (
        <LinkButton href={hrefOf(next)} variant="secondary" size="sm">
          Older {of}
        </LinkButton>
      )}
    </nav>
  )
}
