import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"

/** Above the skeleton: who is not signed in is sent to sign-in by status, before anything is drawn. */
export default async function SettingsLayout({ children }: { children: ReactNode }) {
  await requireSession("/settings")
  return (
    <>
      <PageHeader title="Settings">Who you are here, how fast you may send, and how the console looks.</PageHeader>
      {children}
    </>
  )
}
