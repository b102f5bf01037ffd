"use client"
import { useMemo } from "react"
import { Section } from "@/components/ui/section"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { type Column, Table } from "@/components/ui/table"
import { formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { predictedOf } from "@/lib/shared/evaluate/figures/judged-rows"
import { type CheckFigures, type RowStability, stabilityOf } from "@/lib/shared/evaluate/figures/stability"
import type { EvaluationRun, StabilityCheck } from "@/lib/shared/evaluate/run/evaluation-run"
import { appliesTo } from "@/lib/shared/evaluate/run/rewordings"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import { RowItem } from "../row-item"
import { CHECK_NAMES, type VariantsOfQuestion } from "./check-names"

/** Returns the checks of a run in their order, with null for those that say nothing about a question. */
function countedChecks({ form, robustness }: EvaluationRun, { name }: CheckedQuestion): (StabilityCheck | null)[] {
  const question = form.questions.find((each) => each.name === name)
  const checks = robustness?.kind === "stability" ? robustness.checks : []
  return checks.map((check) => (question && appliesTo(check, question) ? check : null))
}

const flipsText = ({ flips, rows }: CheckFigures): string =>
  rows === 0 ? "–" : `${formatCount(flips)} (${formatShare(flips / rows)})`

const COLUMNS: Column<CheckFigures>[] = [
  { head: "Asked again", className: "font-medium", cell: ({ check }) => CHECK_NAMES[check].label },
  { head: "Rows", align: "right", cell: ({ rows }) => formatCount(rows) },
  { head: "Answers that flip", align: "right", cell: flipsText },
  {
    head: "95% interval",
    align: "right",
    className: "whitespace-nowrap",
    cell: ({ flips, rows }) => intervalText(wilsonInterval(flips, rows), formatShare) ?? "–",
  },
  { head: "Mean change", align: "right", cell: ({ meanChange }) => formatShare(meanChange) },
  { head: "Largest change", align: "right", cell: ({ largestChange }) => formatShare(largestChange) },
]

/** Says how many answers change in other words. */
export function flippedText(flipped: number, answers: number): string {
  if (answers === 1) return flipped === 0 ? "Other words do not change the answer." : "Other words change the answer."
  const become = flipped === 1 ? "becomes" : "become"
  return `${formatCount(flipped)} of ${formatCount(answers)} answers (${formatShare(flipped / answers)}) ${become} another one in at least one wording.`
}

/** Shows how often other words change the answers to a question. */
export function StabilityResults({ run, question, rows }: VariantsOfQuestion) {
  const checks = useMemo(() => countedChecks(run, question), [run, question])
  const stability = useMemo(() => stabilityOf(question.type, checks, rows), [question, checks, rows])
  const list = useShownRows(stability.rows, { first: 10, more: 20 })
  const { flipped, meanSpread } = stability
  return (
    <>
      <Section id="stability" title="How stable are the answers?">
        <p className="max-w-text">
          {flippedText(flipped, rows.length)} The probability of the answer varies by {formatShare(meanSpread)}
          {rows.length === 1 ? "" : " on average, from the lowest wording to the highest"}.
        </p>
        <Table caption="Checks" columns={COLUMNS} rows={stability.checks} rowKey={({ check }) => check} />
      </Section>
      <Section id="unstable" title="Least stable rows">
        <ol className="flex flex-col">
          {list.rows.map((each) => (
            <StabilityItem key={each.row.row} stable={each} question={question} run={run} checks={checks} />
          ))}
        </ol>
        <ShowMore list={list} />
      </Section>
    </>
  )
}

interface StabilityItemProps {
  stable: RowStability
  question: CheckedQuestion
  run: EvaluationRun
  checks: (StabilityCheck | null)[]
}

function StabilityItem({ stable: { row, answer, spread, flippedBy }, question, run, checks }: StabilityItemProps) {
  const names = outcomesOf(question).names(question)
  const answers = checks.flatMap((check, at) => {
    const variant = row.variants[at]
    return check && variant ? [{ name: CHECK_NAMES[check].label, variant, isFlip: flippedBy.includes(check) }] : []
  })
  const all = [{ name: "As it is", variant: row.whole, isFlip: false }, ...answers]
  return (
    <RowItem
      row={row}
      form={run.form}
      more={
        <ul className="flex flex-wrap gap-x-6 gap-y-1 text-sm tabular-nums">
          {all.map(({ name, variant, isFlip }) => {
            const given = predictedOf(question.type, variant)
            return (
              <li key={name}>
                <span className="text-ink-muted">{name}:</span>{" "}
                <span className={isFlip ? "font-semibold" : undefined}>
                  {shortText(names[given])} {formatShare(variant[given] ?? 0)}
                </span>
              </li>
            )
          })}
        </ul>
      }
    >
      <span>
        Answer <span className="font-medium">{shortText(names[answer])}</span>, varies by {formatShare(spread)}
      </span>
      {flippedBy.length > 0 ? <span className="font-medium text-warn">flips</span> : null}
    </RowItem>
  )
}
