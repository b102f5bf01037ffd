import { LinkButton } from "@/components/ui/link-button"

const SPANS = [7, 30, 90]

/** How many days the page looks back. */
export function RangeLinks({ days }: { days: number }) {
  return (
    <nav aria-label="Span" className="flex gap-1">
      {SPANS.map((span) => (
        <LinkButton
          key={span}
          href={`/usage?days=${span}`}
          size="sm"
          variant={span === days ? "secondary" : "quiet"}
          aria-current={span === days ? "page" : undefined}
        >
          {span} days
        </LinkButton>
      ))}
    </nav>
  )
}
