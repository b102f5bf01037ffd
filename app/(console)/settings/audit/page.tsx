import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { auditView } from "./_components/audit-view"

export const metadata: Metadata = { title: "Audit log" }

export default async function AuditLogPage({ searchParams }: PageProps<"/settings/audit">) {
  return auditView(await requireSession("/settings/audit"), await searchParams)
}
