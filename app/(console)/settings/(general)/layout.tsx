import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"

export default function SettingsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title="Settings">
        Your account, its mails and tokens, the theme of the console, and your sessions.
      </PageHeader>
      {children}
    </>
  )
}
