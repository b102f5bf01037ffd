import type { ReactNode } from "react"
import { BackLink, PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"

export default async function AuditLogLayout({ children }: { children: ReactNode }) {
  await requireSession("/settings/audit")
  return (
    <>
      <PageHeader back={<BackLink href="/settings">Settings</BackLink>} title="Audit log">
        Sign-ins, and changes to this account, its members, keys and billing: who made them, when, and from where.
        Entries are never removed. Client addresses and personal details of a user are erased when the user is deleted.
      </PageHeader>
      {children}
    </>
  )
}
