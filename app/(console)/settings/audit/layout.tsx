import type { ReactNode } from "react"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"

export default async function AuditLogLayout({ children }: { children: ReactNode }) {
  await requireSession("/settings/audit", "audit.read")
  return (
    <>
      <PageHeader back={<BackLink href="/settings">Settings</BackLink>} title="Audit log">
        Changes to the keys and billing of this account, and sign-ins: who made them, when, and from where. Entries are
        never changed or removed.
      </PageHeader>
      {children}
    </>
  )
}
