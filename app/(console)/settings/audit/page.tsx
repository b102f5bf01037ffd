import type { Metadata } from "next"
import { EmptyState } from "@/components/ui/empty-state"
import { LinkButton } from "@/components/ui/link-button"
import { listAudit } from "@/lib/server/audit/list-audit"
import { ListAuditInput } from "@/lib/server/audit/schema"
import { requireSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { AuditTable, auditHref, TopicLinks } from "./_components/audit-log"

export const metadata: Metadata = { title: "Audit log" }

interface AuditPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function AuditLogPage({ searchParams }: AuditPageProps) {
  const actor = await requireSession("/settings/audit")
  const { topic, before } = ListAuditInput.parse(await searchParams)
  const { lines, next } = await listAudit(runtime(), actor, { topic, before })
  return (
    <>
      <TopicLinks topic={topic} />
      {lines.length > 0 ? (
        <AuditTable lines={lines} />
      ) : (
        <EmptyState title="No entries">
          {before === null ? "No entry matches this filter yet." : "There are no older entries."}
        </EmptyState>
      )}
      <div className="flex flex-wrap gap-2 pt-4">
        {before === null ? null : (
          <LinkButton href={auditHref(topic)} variant="secondary">
            Newest entries
          </LinkButton>
        )}
        {next === null ? null : (
          <LinkButton href={auditHref(topic, next)} variant="secondary">
            Older entries
          </LinkButton>
        )}
      </div>
    </>
  )
}
