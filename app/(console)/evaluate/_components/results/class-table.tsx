"use client"
import { useMemo } from "react"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { MIN_CLASS_ROWS } from "@/lib/shared/evaluate/figures/answered-rows"
import { formatFigure, formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { type ClassFigures, type Classified, classFigures, confusionOf } from "@/lib/shared/statistics/classes"

interface Line extends ClassFigures {
  name: string
}

function WithInterval({ successes, trials }: { successes: number; trials: number }) {
  if (trials === 0) return "–"
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-2">
      {formatShare(successes / trials)}
      <span className="whitespace-nowrap text-ink-muted text-sm">
        {intervalText(wilsonInterval(successes, trials), formatShare)}
      </span>
    </span>
  )
}

const COLUMNS: Column<Line>[] = [
  { head: "Option", className: "wrap-anywhere font-medium", cell: ({ name }) => shortText(name) },
  {
    head: "Labels",
    align: "right",
    cell: ({ labels }) => `${formatCount(labels)}${labels < MIN_CLASS_ROWS ? " (few)" : ""}`,
  },
  { head: "Answers", align: "right", cell: ({ predicted }) => formatCount(predicted) },
  {
    head: "Right when answered",
    align: "right",
    cell: ({ right, predicted }) => <WithInterval successes={right} trials={predicted} />,
  },
  {
    head: "Found",
    align: "right",
    cell: ({ right, labels }) => <WithInterval successes={right} trials={labels} />,
  },
  { head: "F1", align: "right", cell: ({ f1 }) => formatFigure(f1) },
]

/** Lists precision, recall and F1 of each option that occurs, most frequent first. */
export function ClassTable({ names, rows }: { names: readonly string[]; rows: Classified }) {
  const lines = useMemo(
    () =>
      classFigures(confusionOf(rows))
        .map((figures, at) => ({ ...figures, name: names[at] ?? "" }))
        .filter(({ labels, predicted }) => labels + predicted > 0)
        .sort((a, b) => b.labels - a.labels),
    [names, rows],
  )
  return (
    <Section
      id="classes"
      title="Which options are found?"
      hint="“Right when answered” is precision: how many of an option’s answers have that label. “Found” is recall: how many of its labels got that answer. 95% intervals are beside them."
    >
      <Table caption="Options" columns={COLUMNS} rows={lines} rowKey={({ name }) => name} />
    </Section>
  )
}
