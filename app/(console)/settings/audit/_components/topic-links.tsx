import { FilterLink } from "@/components/ui/filter-link"
import type { AuditTopic } from "@/lib/server/audit/schema"

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
        <FilterLink key={topic} href={auditHref(topic)} isCurrent={topic === current}>
          {label}
        </FilterLink>
      ))}
    </nav>
  )
}
