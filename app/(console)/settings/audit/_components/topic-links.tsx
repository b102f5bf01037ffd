import clsx from "clsx"
import Link from "next/link"
import type { AuditTopic } from "@/lib/audit/schema"

const TOPICS: readonly { topic: AuditTopic; label: string }[] = [
  { topic: "all", label: "All" },
  { topic: "sign-ins", label: "Sign-ins" },
  { topic: "keys", label: "Keys" },
  { topic: "billing", label: "Billing" },
]

/** The address of a page of the log. */
export function auditHref(topic: AuditTopic, before: string | null = null): string {
  const query = new URLSearchParams()
  if (topic !== "all") query.set("topic", topic)
  if (before !== null) query.set("before", before)
  return query.size ? `/settings/audit?${query}` : "/settings/audit"
}

/** Which part of the log to show. */
export function TopicLinks({ topic: current }: { topic: AuditTopic }) {
  return (
    <nav aria-label="Which lines" className="flex flex-wrap gap-1 pb-3">
      {TOPICS.map(({ topic, label }) => (
        <Link
          key={topic}
          href={auditHref(topic)}
          aria-current={topic === current ? "true" : undefined}
          className={clsx(
            "inline-flex h-8 items-center rounded-md px-2.5 pointer-coarse:h-11",
            topic === current
              ? "bg-accent-soft font-medium text-accent-strong"
              : "text-ink-muted hover:bg-sunken hover:text-ink",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  )
}
