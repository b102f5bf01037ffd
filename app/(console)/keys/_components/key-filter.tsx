import clsx from "clsx"
import Link from "next/link"

interface KeyFilterProps {
  showsAll: boolean
  usable: number
  all: number
}

/** Active keys, or all with the expired and revoked ones. */
export function KeyFilter({ showsAll, usable, all }: KeyFilterProps) {
  const choices = [
    { href: "/keys", label: "Active", count: usable, current: !showsAll },
    { href: "/keys?show=all", label: "All", count: all, current: showsAll },
  ]
  return (
    <nav aria-label="Which keys" className="flex gap-1 pb-3">
      {choices.map(({ href, label, count, current }) => (
        <Link
          key={href}
          href={href}
          aria-current={current ? "true" : undefined}
          className={clsx(
            "inline-flex h-8 items-center gap-1.5 rounded-md px-2.5 pointer-coarse:h-11",
            current ? "bg-accent-soft font-medium text-accent-strong" : "text-ink-muted hover:bg-sunken hover:text-ink",
          )}
        >
          {label} <span className="tabular-nums">{count}</span>
        </Link>
      ))}
    </nav>
  )
}
