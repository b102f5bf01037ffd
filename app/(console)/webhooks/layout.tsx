import type { ReactNode } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { requireSession } from "@/lib/server/auth/session"

export default async function WebhooksLayout({ children }: { children: ReactNode }) {
  await requireSession("/webhooks")
  return (
    <>
      <PageHeader title="Alerts">
        Choose by mail, webhook or Slack what you hear about this account.{" "}
        <TextLink href="/docs/webhooks">How to receive a webhook</TextLink>
      </PageHeader>
      {children}
    </>
  )
}
