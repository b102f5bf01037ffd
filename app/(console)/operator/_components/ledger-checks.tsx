"use client"
import { useRouter } from "next/navigation"
import { useState } from "react"
import { FormError } from "@/components/form/form-error"
import type { ActionError } from "@/components/form/use-action-form"
import { UNREACHABLE } from "@/components/form/use-action-form"
import { usePoll } from "@/components/timing/use-poll"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { LedgerCheckRun } from "@/lib/server/ledger/check-runs"
import { formatMs } from "@/lib/shared/format"
import { verifyLedgerAction } from "../actions"

const POLL_MS = 2_000
const POLL_FOR_MS = 10 * 60_000

function Result({ run: { finishedAt, ok, checks } }: { run: LedgerCheckRun }) {
  if (finishedAt === null) return <Badge tone="accent">Running</Badge>
  if (ok === null) return <Badge tone="warn">Not completed</Badge>
  if (ok) return <Badge tone="ok">All invariants hold</Badge>
  return (
    <span className="flex flex-col items-start gap-1 max-sm:items-end">
      <Badge tone="danger">Violated</Badge>
      {checks
        .filter((check) => !check.ok)
        .map(({ name, violations }) => (
          <span key={name} className="text-sm">
            {name} ({violations})
          </span>
        ))}
    </span>
  )
}

const COLUMNS: readonly Column<LedgerCheckRun>[] = [
  { head: "Started (UTC)", cell: ({ requestedAt }) => <Time at={requestedAt} as="minute" /> },
  { head: "Result", className: "sm:w-1/2", cell: (run) => <Result run={run} /> },
  { head: "Invariants", align: "right", cell: ({ checks }) => (checks.length > 0 ? checks.length : "–") },
  { head: "Took", align: "right", cell: ({ tookMs }) => formatMs(tookMs) },
]

/** Shows the last checks of the whole ledger and can start one. The page refreshes for at most 10 minutes while one runs. */
export function LedgerChecks({ checks }: { checks: LedgerCheckRun[] }) {
  const router = useRouter()
  const [error, setError] = useState<ActionError | null>(null)
  const [pending, setPending] = useState(false)
  const isRunning = checks.some(({ finishedAt }) => finishedAt === null)
  usePoll(
    isRunning,
    (elapsedMs) => (elapsedMs < POLL_FOR_MS ? POLL_MS : null),
    async () => router.refresh(),
  )
  const verify = async () => {
    setPending(true)
    const result = await verifyLedgerAction({}).catch(() => ({ ok: false as const, error: UNREACHABLE }))
    setPending(false)
    setError(result.ok ? null : result.error)
  }
  return (
    <section aria-labelledby="ledger" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="ledger" className="font-semibold text-md">
            Ledger
          </h2>
          <p className="mt-1 max-w-text text-ink-muted">
            A check reads the whole ledger and compares every balance, charge and limit. It runs in the background and
            blocks nothing.
          </p>
        </div>
        <Button variant="secondary" onClick={verify} pending={pending || isRunning} pendingLabel="Verifying…">
          Verify ledger
        </Button>
      </div>
      <FormError error={error} />
      <p role="status" className="sr-only">
        {isRunning ? "The ledger is being verified." : ""}
      </p>
      {checks.length > 0 ? (
        <Table caption="Checks of the ledger" columns={COLUMNS} rows={checks} rowKey={({ id }) => id} />
      ) : (
        <EmptyState title="Not verified yet">Select “Verify ledger”. The result is kept here.</EmptyState>
      )}
    </section>
  )
}
