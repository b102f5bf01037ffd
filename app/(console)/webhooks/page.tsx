import type { Metadata } from "next"
import { requireSession } from "@/lib/server/auth/session"
import { runtime } from "@/lib/server/platform/runtime"
import { listDeliveries } from "@/lib/server/webhooks/deliveries"
import { listEndpoints } from "@/lib/server/webhooks/endpoints"
import { DeliveryList } from "./_components/delivery-list"
import { Endpoints } from "./_components/endpoints"

export const metadata: Metadata = { title: "Webhooks" }

export default async function WebhooksPage() {
  const actor = await requireSession("/webhooks")
  const [endpoints, deliveries] = await Promise.all([listEndpoints(runtime(), actor), listDeliveries(runtime(), actor)])
  return (
    <div className="flex flex-col gap-10">
      <Endpoints endpoints={endpoints} />
      {endpoints.length > 0 ? <DeliveryList deliveries={deliveries} /> : null}
    </div>
  )
}
