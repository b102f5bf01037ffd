import type { Metadata } from "next"
import { EmptyState } from "@/components/ui/empty-state"
import { Section } from "@/components/ui/section"
import { readAlerts } from "@/lib/server/accounts/alerts"
import { requireSession } from "@/lib/server/auth/session"
import { hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { AlertChoice } from "./_components/alert-choice"
import { channelsView } from "./_components/channels-view"

export const metadata: Metadata = { title: "Alerts" }

export default async function AlertsPage() {
  const actor = await requireSession("/webhooks")
  const choice = await readAlerts(runtime(), actor)
  const channels = hasRight(actor, "webhooks.read") ? await channelsView(actor) : null
  return (
    <div className="flex flex-col gap-10">
      {choice.alerts.length > 0 ? (
        <Section
          id="alerts"
          title="Where each alert goes"
          hint="Mails go to you only. Webhooks and Slack belong to the account."
        >
          <AlertChoice {...choice} />
        </Section>
      ) : (
        <EmptyState title="No alerts for your role">
          Owners, developers and billing members get alerts of this account. Ask an owner to change your role.
        </EmptyState>
      )}
      {channels}
    </div>
  )
}
