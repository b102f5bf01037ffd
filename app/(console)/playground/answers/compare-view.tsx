"use client"
import clsx from "clsx"
import { type ReactNode, useMemo } from "react"
import { Badge } from "@/components/ui/badge"
import { ClientText } from "@/components/ui/client-text"
import { countOf, formatDateTime } from "@/lib/shared/format"
import type { Outcome } from "@/lib/shared/runs/read-outcome"
import type { StoredRun } from "../model/run-history"
import { compareAnswers, compareFigures, type Line } from "./compare-runs"
import { type ComparedText, compareRequests, type Piece } from "./compare-texts"

interface Side {
  run: StoredRun
  outcome: Outcome
}

/** Says how many of two runs' answers differ. */
export const changedText = (changed: number, answers: number): string =>
  changed === 0
    ? "No answer differs."
    : `${changed} of ${countOf(answers, "answer")} ${changed === 1 ? "differs" : "differ"}.`

export function CompareView({ left, right, back }: { left: Side; right: Side; back: ReactNode }) {
  const compared = compareAnswers(left.outcome, right.outcome)
  const [first, second] = [left, right].map(({ run }) => `${formatDateTime(new Date(run.at))} UTC`)
  const when: Line = { label: "When", left: first ?? "", right: second ?? "", difference: null, changed: false }
  const changed = compared.filter((answer) => answer.changed).length
  const texts = useMemo(() => compareRequests(left.outcome, right.outcome), [left.outcome, right.outcome])
  return (
    <div className="flex flex-col gap-4">
      {back}
      <p role="status">
        {changedText(changed, compared.length)}{" "}
        {left.outcome.kind === "answered" &&
        right.outcome.kind === "answered" &&
        left.outcome.model !== right.outcome.model
          ? "Different models answered. Their probabilities are not comparable."
          : null}
      </p>
      <Lines title="Runs" changed={false} lines={[when, ...compareFigures(left.outcome, right.outcome)]} />
      {texts.map((text) => (
        <TextDifference key={text.title} {...text} />
      ))}
      {compared.map(({ name, changed: differs, lines }) => (
        <Lines key={name} title={name} mono changed={differs} lines={lines} />
      ))}
    </div>
  )
}

function TextDifference({ title, pieces }: ComparedText) {
  return (
    <section aria-label={`Differences: ${title}`} className="flex flex-col gap-2 border-line border-t pt-2">
      <h3 className="flex items-baseline justify-between font-medium">
        {title}
        <Badge tone="warn">Differs</Badge>
      </h3>
      {pieces ? (
        <p
          dir="auto"
          className="max-h-80 overflow-y-auto whitespace-pre-wrap break-words rounded-md bg-sunken px-3 py-2"
        >
          {pieces.map((piece, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces never change
            <Changed key={at} {...piece} />
          ))}
        </p>
      ) : (
        <p className="text-ink-muted">The texts are too long or too different to compare word by word.</p>
      )}
    </section>
  )
}

function Changed({ kind, text }: Piece) {
  if (kind === "same") return <ClientText text={text} />
  const Element = kind === "added" ? "ins" : "del"
  const look = kind === "added" ? "bg-ok-soft text-ok underline" : "bg-danger-soft text-danger line-through"
  return (
    <Element className={clsx("rounded-sm", look)}>
      <span className="sr-only">{kind}: </span>
      <ClientText text={text} />
    </Element>
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
          <th scope="col" className="w-[34%] px-2 py-1 font-medium">
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
            <th scope="row" className="break-words px-2 py-1 font-normal">
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
