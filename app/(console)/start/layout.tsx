import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { VisibilityButton } from "../_components/first-steps/visibility-button"

/** Above the skeleton: who is not signed in is sent to sign-in by status, before anything is drawn. */
export default async function StartLayout({ children }: { children: ReactNode }) {
  await requireSession("/start")
  return (
    <>
      <PageHeader title="First steps" action={<VisibilityButton />}>
        From nothing to an answer in three steps. They tick themselves off as they happen.
      </PageHeader>
      {children}
    </>
  )
}
