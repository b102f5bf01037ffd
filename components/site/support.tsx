"use client"
import { supportHref } from "@/lib/shared/site/site"
import { useSite } from "./site-context"

/** Renders whom a user asks for help, within a sentence: a link to support, or "the operator" when no contact is set. */
export function Support() {
  const { support } = useSite()
  const href = supportHref(support)
  if (href === null) return "the operator"
  return (
    <a
      href={href}
      title={support.email ?? undefined}
      className="text-accent underline decoration-1 underline-offset-2 hover:text-accent-strong"
    >
      support
    </a>
  )
}
