"use client"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { formatCount } from "@/lib/shared/format"
import { useOpenSet } from "../../model/open-set"

const PAGE_ROWS = 50

/** Lists the rows that cannot be used, with the line of the file and the reason. */
export function FaultList() {
  const summary = useOpenSet((state) => state.summary)
  const [shown, setShown] = useState(PAGE_ROWS)
  if (!summary) return <p className="text-ink-muted">Reading the rows…</p>
  const { usable, faults } = summary
  return (
    <section aria-label="Rows that cannot be used" className="flex flex-col gap-2">
      <h2 className="font-medium">
        {formatCount(usable.length)} of {formatCount(usable.length + faults.length)} rows can be used
      </h2>
      {faults.length > 0 ? (
        <table className="w-full border-collapse text-left text-sm">
          <caption className="pb-2 text-left text-ink-muted">
            {formatCount(faults.length)} {faults.length === 1 ? "row is" : "rows are"} left out. Fix them in the file,
            or go on without them.
          </caption>
          <thead>
            <tr className="border-line border-b text-ink-muted">
              <th scope="col" className="py-1 pr-3 font-medium">
                Line
              </th>
              <th scope="col" className="py-1 font-medium">
                Reason
              </th>
            </tr>
          </thead>
          <tbody>
            {faults.slice(0, shown).map(({ line, reason }) => (
              <tr key={`${line} ${reason}`} className="border-line border-b align-top">
                <td className="py-1 pr-3 tabular-nums">{formatCount(line)}</td>
                <td className="wrap-anywhere py-1">{reason}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {faults.length > shown ? (
        <div>
          <Button variant="secondary" size="sm" onClick={() => setShown(shown + 10 * PAGE_ROWS)}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  )
}
