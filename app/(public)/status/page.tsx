import type { Metadata } from "next"
import { Alert, type AlertTone } from "@/components/ui/alert"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text-link"
import { runtime } from "@/lib/server/platform/runtime"
import { prepareStatus } from "@/lib/server/status/prepare-status"
import type { State } from "@/lib/server/status/read-status"
import { formatExactTime } from "@/lib/shared/format"
import { AutoRefresh } from "./_components/auto-refresh"
import { Parts } from "./_components/parts"

export const metadata: Metadata = { title: "Status", description: "Which parts of the service work now." }

const TONES: Record<State, AlertTone> = { up: "ok", degraded: "warn", down: "danger", unknown: "info" }

/** Shows the report of `/status.json`. It opens without a session, and while the database is down. */
export default function StatusPage() {
  const report = runtime().statusReports.current(runtime())
  const view = prepareStatus(report)
  return (
    <>
      <PageHeader title="Status">
        Which parts of this service work now, and how they worked in the last 24 hours and 90 days.
      </PageHeader>
      <div className="flex flex-col gap-6">
        {/* Announced only when its text changes: a refresh without news stays silent. */}
        <div role="status">
          <Alert tone={TONES[view.state]} title={view.headline}>
            {view.parts.length === 0 ? "No part was checked yet. The first checks follow within a minute." : null}
          </Alert>
        </div>
        {view.parts.length > 0 ? <Parts parts={view.parts} /> : null}
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-ink-muted text-sm">
          <p>
            As of {formatExactTime(new Date(report.at))}. Every server checks each part once a minute. Programs read{" "}
            <TextLink href="/status.json" prefetch={false}>
              /status.json
            </TextLink>
            .
          </p>
          <AutoRefresh />
        </div>
      </div>
    </>
  )
}
