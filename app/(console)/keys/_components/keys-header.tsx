import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"

/** The head of the list of keys, on its way too. */
export function KeysHeader({ action }: { action: ReactNode }) {
  return (
    <PageHeader title="API keys" action={action}>
      Each key signs API requests and spends from your balance, up to its limit.
    </PageHeader>
  )
}
