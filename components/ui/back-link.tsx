import Link from "next/link"

/** Above the title of a page within another, back to that one. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="rounded-sm text-ink-muted text-sm hover:text-ink print:hidden pointer-coarse:py-3.5">
      ← {children}
    </Link>
  )
}
