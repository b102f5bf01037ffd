import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { requireSession } from "@/lib/server/auth/session"

export default async function WebhooksLayout({ children }: { children: ReactNode }) {
  await requireSession("/webhooks")
  return (
    <>
      <PageHeader title="Webhooks">
        Your own programs get a signed message when something happens to this account.{" "}
        <TextLink href="/docs/webhooks">How to receive one</TextLink>
      </PageHeader>
      {children}
    </>
  )
}
