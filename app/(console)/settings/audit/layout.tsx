import type { ReactNode } from "react"
import { BackLink } from "@/components/ui/back-link"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"

/** Above the skeleton: who is not signed in is sent to sign-in by status, before anything is drawn. */
export default async function AuditLogLayout({ children }: { children: ReactNode }) {
  await requireSession("/settings/audit")
  return (
    <>
      <PageHeader back={<BackLink href="/settings">Settings</BackLink>} title="Audit log">
        What happened to the account's keys, billing and sign-ins, by whom and from where. Lines are added, never
        changed or removed.
      </PageHeader>
      {children}
    </>
  )
}
