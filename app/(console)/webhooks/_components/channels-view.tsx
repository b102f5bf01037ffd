import type { ReactNode } from "react"
import { type AccountReader, hasRight } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { listDeliveries } from "@/lib/server/webhooks/deliveries"
import { listEndpoints } from "@/lib/server/webhooks/endpoints"
import { DeliveryList } from "./delivery-list"
import { EndpointList, ManagedEndpoints } from "./endpoints"

/** Renders the webhooks and Slack addresses of the actor's account, and what was sent to them. */
export async function channelsView(actor: AccountReader): Promise<ReactNode> {
  const [endpoints, deliveries] = await Promise.all([listEndpoints(runtime(), actor), listDeliveries(runtime(), actor)])
  const mayManage = hasRight(actor, "webhooks.manage")
  return (
    <>
      {mayManage ? <ManagedEndpoints endpoints={endpoints} /> : <EndpointList endpoints={endpoints} />}
      {endpoints.length > 0 ? <DeliveryList deliveries={deliveries} mayManage={mayManage} /> : null}
    </>
  )
}
