import clsx from "clsx"
import { Link } from "@/components/link/link"
import type { GuidePage } from "@/lib/server/docs/guide"
import type { Heading } from "@/lib/server/docs/parse"

interface PageLinksProps {
  pages: GuidePage[]
  current: GuidePage
}

export function PageLinks({ pages, current }: PageLinksProps) {
  return (
    <ul className="flex flex-col gap-0.5">
      {pages.map((page) => (
        <li key={page.slug}>
          <Link
            href={page.path}
            aria-current={page === current ? "page" : undefined}
            className={clsx(
              "flex min-h-8 items-center rounded-md px-2.5 py-1 text-sm pointer-coarse:min-h-11",
              page === current ? "bg-sunken font-medium text-ink" : "text-ink-muted hover:bg-sunken hover:text-ink",
            )}
          >
            {page.slug === "index" ? "Overview" : page.title}
          </Link>
        </li>
      ))}
    </ul>
  )
}

export function Neighbours({ pages, current }: PageLinksProps) {
  const index = pages.indexOf(current)
  const [before, after] = [pages[index - 1], pages[index + 1]]
  return (
    <nav aria-label="Next and previous page" className="mt-6 grid gap-3 border-line border-t pt-6 sm:grid-cols-2">
      {before ? <Neighbour page={before} label="Previous" /> : null}
      {after ? <Neighbour page={after} label="Next" className="sm:col-start-2 sm:text-right" /> : null}
    </nav>
  )
}

function Neighbour({ page, label, className }: { page: GuidePage; label: string; className?: string }) {
  return (
    <Link
      href={page.path}
      className={clsx("flex flex-col rounded-md border border-line px-4 py-3 hover:border-line-strong", className)}
    >
      <span className="text-ink-muted text-sm">{label}</span>
      <span className="font-medium text-accent">{page.slug === "index" ? "Overview" : page.title}</span>
    </Link>
  )
}

export function Contents({ headings }: { headings: Heading[] }) {
  return (
    <ul className="flex flex-col gap-0.5 text-sm">
      {headings.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`} className="block rounded-sm py-1 text-ink-muted hover:text-ink pointer-coarse:py-3">
            {text.replaceAll("`", "")}
          </a>
        </li>
      ))}
    </ul>
  )
}
