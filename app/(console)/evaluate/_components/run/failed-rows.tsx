"use client"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { type Column, Table } from "@/components/ui/table"
import { type EvaluationRun, type RowResult, variantOf } from "@/lib/shared/evaluate/run/evaluation-run"
import { countOf, formatCount } from "@/lib/shared/format"
import { useOpenSet } from "../../model/open-set"
import type { RunControl } from "../../run/use-runner"

interface FailedRowsProps {
  run: EvaluationRun
  control: RunControl
}

/** Lists failed rows, counts those that may have been charged, and offers to send either again. */
export function FailedRows({ run, control }: FailedRowsProps) {
  if (run.status === "running") return null
  const { failed, inDoubt } = run.totals
  return (
    <>
      {inDoubt > 0 ? (
        <Alert
          tone="warn"
          title={`${countOf(inDoubt, "row")} may have been charged`}
          action={
            <Button variant="secondary" size="sm" onClick={() => control.resume("in_doubt")}>
              Send again
            </Button>
          }
        >
          Their requests were under way when the page closed, or when the connection or a proxy failed. If you send them
          again within 24 hours, a row that was charged is not charged twice. After 24 hours it may be. Usage shows
          every charge.
        </Alert>
      ) : null}
      {failed > 0 ? <Failures run={run} onRetry={() => control.resume("failed")} /> : null}
    </>
  )
}

type Failure = Extract<RowResult, { status: "failed" }>

function Failures({ run, onRetry }: { run: EvaluationRun; onRetry: () => void }) {
  const { failed } = run.totals
  const results = useOpenSet((state) => state.results)
  const rows = useOpenSet((state) => state.rows)
  const lineOf = ({ row }: Failure) => rows[variantOf(run, row).row]?.line ?? 0
  const columns: Column<Failure>[] = [
    { head: "Line", align: "right", cell: (failure) => formatCount(lineOf(failure)) },
    { head: "Error", className: "wrap-anywhere", cell: ({ message }) => message },
    {
      head: "Request id",
      className: "wrap-anywhere font-mono text-ink-muted text-sm",
      cell: ({ requestId }) => requestId ?? "–",
    },
  ]
  const failures = results.flatMap((result) => (result.status === "failed" ? [result] : []))
  const list = useShownRows(failures, { first: 20, more: 200 })
  return (
    <section aria-label="Failed rows" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">
          {countOf(failed, "row")} failed and {failed === 1 ? "was" : "were"} not charged
        </h3>
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Send failed rows again
        </Button>
      </div>
      <Table caption="Failed rows" columns={columns} rows={list.rows} rowKey={({ row }) => String(row)} />
      <ShowMore list={list} />
    </section>
  )
}
