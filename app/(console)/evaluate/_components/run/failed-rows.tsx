"use client"
import { useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { formatCount } from "@/lib/shared/format"
import type { EvaluationRun } from "../../model/evaluation-run"
import { useOpenSet } from "../../model/open-set"
import type { RunControl } from "../../run/use-runner"

const PAGE_ROWS = 20

interface FailedRowsProps {
  run: EvaluationRun
  control: RunControl
}

/** Lists rows without an answer, and offers to send them again. */
export function FailedRows({ run, control }: FailedRowsProps) {
  if (run.status === "running") return null
  const { failed, inDoubt } = run.totals
  return (
    <>
      {inDoubt > 0 ? (
        <Alert
          tone="warn"
          title={`${formatCount(inDoubt)} ${inDoubt === 1 ? "row" : "rows"} may have been charged`}
          action={
            <Button variant="secondary" size="sm" onClick={() => control.resume("in_doubt")}>
              Send again
            </Button>
          }
        >
          Their requests were under way when the page closed or the connection broke. Within 24 hours, a row that was
          charged is not charged again. Later it may be. Usage shows every charge.
        </Alert>
      ) : null}
      {failed > 0 ? <Failures failed={failed} onRetry={() => control.resume("failed")} /> : null}
    </>
  )
}

function Failures({ failed, onRetry }: { failed: number; onRetry: () => void }) {
  const results = useOpenSet((state) => state.results)
  const rows = useOpenSet((state) => state.rows)
  const [shown, setShown] = useState(PAGE_ROWS)
  const failures = results.flatMap((result) => (result.status === "failed" ? [result] : []))
  return (
    <section aria-label="Failed rows" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">
          {formatCount(failed)} {failed === 1 ? "row" : "rows"} failed, free of charge
        </h3>
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Send failed rows again
        </Button>
      </div>
      <table className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">Failed rows</caption>
        <thead>
          <tr className="border-line border-b text-ink-muted">
            <th scope="col" className="py-1 pr-3 font-medium">
              Line
            </th>
            <th scope="col" className="py-1 pr-3 font-medium">
              Error
            </th>
            <th scope="col" className="py-1 font-medium">
              Request id
            </th>
          </tr>
        </thead>
        <tbody>
          {failures.slice(0, shown).map(({ row, message, requestId }) => (
            <tr key={row} className="border-line border-b align-top">
              <td className="py-1 pr-3 tabular-nums">{formatCount(rows[row]?.line ?? 0)}</td>
              <td className="wrap-anywhere py-1 pr-3">{message}</td>
              <td className="wrap-anywhere py-1 font-mono text-ink-muted">{requestId ?? "–"}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {failures.length > shown ? (
        <div>
          <Button variant="secondary" size="sm" onClick={() => setShown(shown + 10 * PAGE_ROWS)}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  )
}
