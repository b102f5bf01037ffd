"use client"
import { useRouter } from "next/navigation"
import { useAction } from "@/components/form/call-action"
import { FormError } from "@/components/form/form-error"
import { usePoll } from "@/components/timing/use-poll"
import { Badge } from "@/components/ui/badge"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { Section } from "@/components/ui/section"
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
  const violated = checks.filter((check) => !check.ok).map(({ name, violations }) => `${name} (${violations})`)
  return (
    <Badge tone="danger" note={violated.join(", ")}>
      Violated
    </Badge>
  )
}

const COLUMNS: readonly Column<LedgerCheckRun>[] = [
  { head: "Started (UTC)", phone: "title", cell: ({ requestedAt }) => <Time at={requestedAt} as="minute" /> },
  { head: "Result", phone: "value", className: "sm:w-1/2", cell: (run) => <Result run={run} /> },
  {
    head: "Invariants",
    phone: "line",
    phoneLabel: true,
    align: "right",
    cell: ({ checks }) => (checks.length > 0 ? checks.length : "–"),
  },
  { head: "Took", phone: "end", phoneLabel: true, align: "right", cell: ({ tookMs }) => formatMs(tookMs) },
]

/** Shows the last checks of the whole ledger. With `mayVerify`, a button starts one. The page refreshes for at most 10 minutes while one runs. */
export function LedgerChecks({ checks, mayVerify }: { checks: LedgerCheckRun[]; mayVerify: boolean }) {
  const router = useRouter()
  const { run, error, pending } = useAction(verifyLedgerAction)
  const isRunning = checks.some(({ finishedAt }) => finishedAt === null)
  usePoll(
    isRunning,
    (elapsedMs) => (elapsedMs < POLL_FOR_MS ? POLL_MS : null),
    async () => router.refresh(),
  )
  return (
    <Section
      id="ledger"
      title="Ledger"
      hint="A check reads the whole ledger and compares every balance, charge and limit. It runs in the background and blocks nothing."
      action={
        mayVerify ? (
          <Button variant="secondary" onClick={() => run({})} pending={pending || isRunning} pendingLabel="Verifying…">
            Verify ledger
          </Button>
        ) : null
      }
    >
      <FormError error={error} />
      <p role="status" className="sr-only">
        {isRunning ? "The ledger is being verified." : ""}
      </p>
      <Table
        caption="Checks of the ledger"
        columns={COLUMNS}
        rows={checks}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="Not verified yet">
            {mayVerify
              ? "Select “Verify ledger”. The result is kept here."
              : "A finance operator or an admin can verify the ledger. The result is kept here."}
          </EmptyState>
        }
      />
    </Section>
  )
}
