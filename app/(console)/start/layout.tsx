import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { requireSession } from "@/lib/server/auth/session"
import { VisibilityButton } from "./_components/progress"

/** Runs above `loading.tsx`, so that the redirect to sign-in keeps its HTTP status. */
export default async function StartLayout({ children }: { children: ReactNode }) {
  await requireSession("/start")
  return (
    <>
      <PageHeader title="First steps" action={<VisibilityButton />}>
        Get your first answer in three steps. Each step is ticked off when you complete it.
      </PageHeader>
      {children}
    </>
  )
}
