import type { Metadata } from "next"
import { EmptyState } from "@/components/ui/empty-state"
import { Section } from "@/components/ui/section"
import { readAlerts } from "@/lib/server/accounts/alerts"
import { requireSession } from "@/lib/server/auth/session"
import { hasRight, type UserActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { listDeliveries } from "@/lib/server/webhooks/deliveries"
import { listEndpoints } from "@/lib/server/webhooks/endpoints"
import { AlertChoice } from "./_components/alert-choice"
import { DeliveryList } from "./_components/delivery-list"
import { Endpoints } from "./_components/endpoints"

export const metadata: Metadata = { title: "Alerts" }

async function Channels({ actor }: { actor: UserActor }) {
  const [endpoints, deliveries] = await Promise.all([listEndpoints(runtime(), actor), listDeliveries(runtime(), actor)])
  return (
    <>
      <Endpoints endpoints={endpoints} />
      {endpoints.length > 0 ? <DeliveryList deliveries={deliveries} /> : null}
    </>
  )
}

export default async function AlertsPage() {
  const actor = await requireSession("/webhooks")
  const choice = await readAlerts(runtime(), actor)
  const mayManage = hasRight(actor, "webhooks.manage")
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
      {mayManage ? <Channels actor={actor} /> : null}
    </div>
  )
}
