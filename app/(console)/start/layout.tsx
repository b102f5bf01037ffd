import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { VisibilityButton } from "./_components/progress"

export default function StartLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <PageHeader title="First steps" action={<VisibilityButton />}>
        Get your first answer in three steps. Each step is ticked off when you complete it.
      </PageHeader>
      {children}
    </>
  )
}
