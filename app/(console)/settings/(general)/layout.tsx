import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"

/** Runs above `loading.tsx`, so that the redirect to sign-in keeps its HTTP status. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  await requireSession("/settings")
  return (
    <>
      <PageHeader title="Settings">
        Your account, your rate limits, the theme of the console, and your sessions.
      </PageHeader>
      {children}
    </>
  )
}
