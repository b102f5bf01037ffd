import type { Metadata } from "next"
import { EmptyState } from "@/components/ui/empty-state"
import { requireSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { listDeliveries } from "@/lib/server/webhooks/deliveries"
import { listEndpoints } from "@/lib/server/webhooks/endpoints"
import { DeliveryList } from "./_components/delivery-list"
import { Endpoints } from "./_components/endpoints"

export const metadata: Metadata = { title: "Webhooks" }

export default async function WebhooksPage() {
  const actor = await requireSession("/settings/webhooks")
  const [endpoints, deliveries] = await Promise.all([listEndpoints(runtime(), actor), listDeliveries(runtime(), actor)])
  return (
    <div className="flex flex-col gap-10">
      <Endpoints endpoints={endpoints} />
      {endpoints.length > 0 ? (
        <section aria-labelledby="deliveries" className="flex flex-col gap-4">
          <div>
            <h2 id="deliveries" tabIndex={-1} className="font-semibold text-md">
              Messages
            </h2>
            <p className="mt-1 max-w-text text-ink-muted">
              The latest 50 of the last 30 days. A failed message is retried for about two days.
            </p>
          </div>
          {deliveries.length > 0 ? (
            <DeliveryList deliveries={deliveries} />
          ) : (
            <EmptyState title="No messages yet">Choose “Send a test” in the menu of a webhook above.</EmptyState>
          )}
        </section>
      ) : null}
    </div>
  )
}
