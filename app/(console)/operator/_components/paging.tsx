import { LinkButton } from "@/components/ui/link-button"

interface PagingProps {
  /** What the pages list, for assistive technology: "accounts". */
  of: string
  /** The address of the first page; null on it. */
  first: string | null
  /** The address of the next older page; null on the last one. */
  next: string | null
}

/** Renders the links between the pages of a list, newest first. */
export function Paging({ of, first, next }: PagingProps) {
  if (first === null && next === null) return null
  return (
    <nav aria-label={`Pages of the ${of}`} className="flex flex-wrap gap-2 pt-4">
      {first === null ? null : (
        <LinkButton href={first} variant="secondary">
          Newest {of}
        </LinkButton>
      )}
      {next === null ? null : (
        <LinkButton href={next} variant="secondary">
          Older {of}
        </LinkButton>
      )}
    </nav>
  )
}
