import type { ReactNode } from "react"
import { ClientText } from "@/components/ui/client-text"
import { LazyDetails } from "@/components/ui/lazy-details"

/** A table has as many names as a question has options. */
const SHOWN_LENGTH = 1_000

interface DataTableProps {
  caption: string
  head: readonly [string, string]
  /** `value` is the number as text, with all of its digits. */
  rows: readonly { key: string; name: string; value: string }[]
  /** Further `<details>` in the same line. Each takes a line of its own while it is open. */
  children?: ReactNode
}

/** Renders a chart's values as a table of two columns that the user can open. */
export function DataTable({ caption, head, rows, children }: DataTableProps) {
  return (
    <div className="flex flex-wrap gap-x-4 gap-y-1 *:open:basis-full">
      <LazyDetails
        summary="Show as a table"
        summaryClassName="inline-block rounded-sm text-ink-muted text-sm underline decoration-line-strong underline-offset-2 hover:text-ink pointer-coarse:py-3"
      >
        <table className="mt-2 w-full border-collapse text-left text-sm">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-line border-b text-ink-muted">
              <th scope="col" className="py-1 pr-3 font-medium">
                {head[0]}
              </th>
              <th scope="col" className="py-1 text-right font-medium">
                {head[1]}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key} className="border-line border-b align-top">
                <th scope="row" dir="auto" className="wrap-anywhere py-1 pr-3 font-normal">
                  <ClientText text={row.name} maxLength={SHOWN_LENGTH} />
                </th>
                <td className="whitespace-nowrap py-1 text-right font-mono tabular-nums">{row.value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </LazyDetails>
      {children}
    </div>
  )
}
