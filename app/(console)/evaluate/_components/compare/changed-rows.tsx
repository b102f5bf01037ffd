"use client"
import { useMemo } from "react"
import { Section } from "@/components/ui/section"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import {
  type ChangedRow,
  changedRows,
  type PairedRow,
  type RunWithResults,
} from "@/lib/shared/evaluate/figures/paired-rows"
import { countOf, formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import { RowItem } from "../row-item"

interface ChangedRowsProps {
  question: CheckedQuestion
  rows: PairedRow[]
  second: RunWithResults
}

/** Lists the rows whose answers differ between two runs, flipped ones first. */
export function ChangedRows({ question, rows, second }: ChangedRowsProps) {
  const changed = useMemo(() => changedRows(question, rows).filter(({ change }) => change > 0), [question, rows])
  const names = useMemo(() => outcomesOf(question).names(question), [question])
  const list = useShownRows(changed, { first: 10, more: 20 })
  const flipped = changed.filter(({ before, after }) => before !== after).length
  return (
    <Section id="changed" title="Which answers changed?" hint={changesText(rows.length, changed.length, flipped)}>
      <ol className="flex flex-col">
        {list.rows.map((each) => (
          <ChangedItem key={each.row.row} changed={each} names={names} second={second} />
        ))}
      </ol>
      <ShowMore list={list} />
    </Section>
  )
}

/** Says how many answers became another one or, when none did, whether any of their probabilities changed. */
export function changesText(rows: number, changed: number, flipped: number): string {
  if (changed === 0)
    return rows === 1
      ? "None: the answer has the same probabilities in both runs."
      : `None: all ${formatCount(rows)} answers have the same probabilities in both runs.`
  if (flipped > 0)
    return `${formatCount(flipped)} of ${countOf(rows, "answer")} became another one. ${flipped === 1 ? "It comes" : "They come"} first.`
  return rows === 1
    ? "The answer stayed the same, but its probabilities changed."
    : `No answer of ${formatCount(rows)} became another one. The rows whose probabilities changed most come first.`
}

interface ChangedItemProps {
  changed: ChangedRow
  names: readonly string[]
  second: RunWithResults
}

/** Returns whether the new answer to a row is right, as text. Null without a label or without a change. */
function effectOf({ row: { label }, before, after }: ChangedRow): string | null {
  if (label === null || before === after) return null
  if (after === label) return "Now right"
  return before === label ? "Now wrong" : "Still wrong"
}

function ChangedItem({ changed, names, second }: ChangedItemProps) {
  const { row, before, after } = changed
  const effect = effectOf(changed)
  return (
    <RowItem row={row} form={second.run.form}>
      {row.label === null ? null : (
        <span>
          Label <bdi className="font-medium">{shortText(names[row.label])}</bdi>
        </span>
      )}
      <span>
        First <bdi className="font-medium">{shortText(names[before])}</bdi> with {formatShare(row.first[before] ?? 0)}
      </span>
      <span>
        Second <bdi className="font-medium">{shortText(names[after])}</bdi> with {formatShare(row.second[after] ?? 0)}
      </span>
      {effect ? <span className="text-ink-muted text-sm">{effect}</span> : null}
    </RowItem>
  )
}
