import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"

/** The head of the usage page, on its way too. */
export function UsageHeader({ action }: { action: ReactNode }) {
  return (
    <PageHeader title="Usage" action={action}>
      What your keys asked, what it cost and how it went, by UTC day.
    </PageHeader>
  )
}
