import type { Heading } from "@/lib/server/docs/parse"

/** The sections of a page. */
export function Contents({ headings }: { headings: Heading[] }) {
  return (
    <ul className="flex flex-col gap-0.5 text-sm">
      {headings.map(({ id, text }) => (
        <li key={id}>
          <a href={`#${id}`} className="block rounded-sm py-1 text-ink-muted hover:text-ink pointer-coarse:py-2.5">
            {text.replaceAll("`", "")}
          </a>
        </li>
      ))}
    </ul>
  )
}
