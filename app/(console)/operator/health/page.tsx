import { Suspense } from "react"
import { PageHeader } from "@/components/ui/page-header"
import { Skeleton } from "@/components/ui/skeleton"
import { requireOperator } from "@/lib/server/auth/operator"
import { getHealth } from "@/lib/server/health/get-health"
import type { OperatorActor } from "@/lib/server/platform/actor"
import { runtime } from "@/lib/server/platform/runtime"
import { operatorTitle } from "../_components/operator-title"
import { ServerHealth } from "./_components/server-health"
import { SharedHealth } from "./_components/shared-health"

export const generateMetadata = () => operatorTitle("Health")

export default async function HealthPage() {
  const operator = await requireOperator("/operator/health")
  return (
    <>
      <PageHeader title="Health">
        The current state of this server, its engines, the database, mail and backups. Reload the page to update it.
      </PageHeader>
      <Suspense fallback={<Skeleton className="h-96" />}>
        <HealthNow operator={operator} />
      </Suspense>
    </>
  )
}

/** Streams after the page's head, because a broken part takes up to 4 s. */
async function HealthNow({ operator }: { operator: OperatorActor }) {
  const health = await getHealth(runtime(), operator)
  return (
    <div className="flex flex-col gap-10">
      <ServerHealth server={health.server} />
      <SharedHealth health={health} />
    </div>
  )
}
