import clsx from "clsx"
import Link from "next/link"
import type { KeyView, ViewedKeys } from "@/lib/keys/key-view"
import { keyViewHref } from "@/lib/keys/key-view-href"

const LABELS: readonly { show: KeyView["show"]; label: string }[] = [
  { show: "active", label: "Active" },
  { show: "ended", label: "Ended" },
  { show: "all", label: "All" },
]

/** Keys that can be used, those that ended, or all. */
export function KeyFilter({ view, counts }: Pick<ViewedKeys, "view" | "counts">) {
  return (
    <nav aria-label="Which keys" className="flex gap-1">
      {LABELS.filter(({ show }) => show !== "ended" || counts.ended > 0).map(({ show, label }) => (
        <Link
          key={show}
          href={keyViewHref(view, { show })}
          scroll={false}
          aria-current={show === view.show ? "true" : undefined}
          className={clsx(
            "inline-flex h-8 items-center gap-1.5 rounded-md px-2.5 pointer-coarse:h-11",
            show === view.show
              ? "bg-accent-soft font-medium text-accent-strong"
              : "text-ink-muted hover:bg-sunken hover:text-ink",
          )}
        >
          {label} <span className="tabular-nums">{counts[show]}</span>
        </Link>
      ))}
    </nav>
  )
}
