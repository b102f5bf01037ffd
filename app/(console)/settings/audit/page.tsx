import type { Metadata } from "next"
import { EmptyState } from "@/components/ui/empty-state"
import { Paging } from "@/components/ui/paging"
import { listAudit } from "@/lib/server/audit/list-audit"
import { ListAuditInput } from "@/lib/server/audit/schema"
import { requireSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { AuditTable, auditHref, TopicLinks } from "./_components/audit-log"

export const metadata: Metadata = { title: "Audit log" }

export default async function AuditLogPage({ searchParams }: PageProps<"/settings/audit">) {
  const actor = await requireSession("/settings/audit")
  const { topic, before } = ListAuditInput.parse(await searchParams)
  const { lines, next } = await listAudit(runtime(), actor, { topic, before })
  const empty = (
    <EmptyState title="No entries">
      {before === null ? "No entry matches this filter yet." : "There are no older entries."}
    </EmptyState>
  )
  return (
    <div className="flex flex-col gap-4">
      <TopicLinks topic={topic} />
      <AuditTable lines={lines} empty={empty} />
      <Paging of="entries" page={before} next={next} hrefOf={(page) => auditHref(topic, page)} />
    </div>
  )
}
