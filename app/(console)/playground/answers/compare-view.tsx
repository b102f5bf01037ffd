"use client"
import clsx from "clsx"
import type { ReactNode } from "react"
import { Badge } from "@/components/ui/badge"
import { formatDateTime } from "@/lib/shared/format"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import { compareAnswers, compareFigures, type Line } from "./compare-runs"
import type { StoredRun } from "./run-history"

interface Side {
  run: StoredRun
  outcome: Outcome
}

export function CompareView({ left, right, back }: { left: Side; right: Side; back: ReactNode }) {
  const compared = compareAnswers(left.outcome, right.outcome)
  const [first, second] = [left, right].map(({ run }) => `${formatDateTime(new Date(run.at))} UTC`)
  const when: Line = { label: "When", left: first ?? "", right: second ?? "", difference: null, changed: false }
  const changed = compared.filter((answer) => answer.changed).length
  return (
    <div className="flex flex-col gap-4">
      {back}
      <p role="status">
        {changed === 0 ? "No answer differs." : `${changed} of ${compared.length} answers differ.`}{" "}
        {left.outcome.kind === "answered" &&
        right.outcome.kind === "answered" &&
        left.outcome.model !== right.outcome.model
          ? "Different models answered. Their probabilities are not comparable."
          : null}
      </p>
      <Lines title="Runs" changed={false} lines={[when, ...compareFigures(left.outcome, right.outcome)]} />
      {compared.map(({ name, changed: differs, lines }) => (
        <Lines key={name} title={name} mono changed={differs} lines={lines} />
      ))}
    </div>
  )
}

interface LinesProps {
  title: string
  mono?: boolean
  changed: boolean
  lines: Line[]
}

function Lines({ title, mono, changed, lines }: LinesProps) {
  return (
    <table className="w-full table-fixed border-collapse border-line border-t text-left text-sm">
      <caption className="py-2 text-left text-base">
        <span className="flex items-baseline justify-between gap-2">
          <span className={clsx("min-w-0 break-all font-medium", mono && "font-mono text-sm")}>{title}</span>
          {changed ? <Badge tone="warn">Differs</Badge> : null}
        </span>
      </caption>
      <thead>
        <tr className="border-line border-b text-ink-muted">
          <th scope="col" className="w-[34%] py-1 pr-2 font-medium">
            <span className="sr-only">Value</span>
          </th>
          {["Earlier", "Later"].map((side) => (
            <th key={side} scope="col" className="py-1 pr-2 text-right font-medium">
              {side}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.label} className={clsx("border-line border-b align-top", line.changed && "bg-warn-soft")}>
            <th scope="row" className="break-words py-1 pr-2 font-normal">
              {line.label}
            </th>
            <td className="break-words py-1 pr-2 text-right tabular-nums">{line.left}</td>
            <td className={clsx("break-words py-1 pr-2 text-right tabular-nums", line.changed && "font-semibold")}>
              {line.right}
              {line.difference ? <span className="block font-normal text-xs">{line.difference}</span> : null}
              {line.changed && !line.difference ? <span className="sr-only"> differs</span> : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
