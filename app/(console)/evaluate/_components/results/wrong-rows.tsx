"use client"
import { useMemo } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Section } from "@/components/ui/section"
import { ShowMore, useShownRows } from "@/components/ui/show-more"
import { type AnsweredRows, type WrongRow, wrongRows } from "@/lib/shared/evaluate/figures/answered-rows"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import type { Correction } from "@/lib/shared/evaluate/rows/evaluation-set"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { countOf, formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import type { CheckedQuestion } from "@/questions/question-types"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { RowItem } from "../row-item"

interface WrongRowsProps {
  run: EvaluationRun
  question: CheckedQuestion
  answered: AnsweredRows
}

/** Lists wrong answers. Those that gave their label the lowest probability come first. The user can correct a label that is wrong. */
export function WrongRows({ run, question, answered }: WrongRowsProps) {
  const wrong = useMemo(() => wrongRows(question.type, answered), [question.type, answered])
  const list = useShownRows(wrong, { first: 10, more: 20 })
  const { getState, changeSet } = useOpenSetStore()
  const correct = (row: number, right: Pick<Correction, "label" | "outcome">) => {
    const { corrections } = getState().set
    const others = corrections.filter((each) => each.question !== question.name || each.row !== row)
    changeSet({ corrections: [...others, { question: question.name, row, ...right }] })
  }
  return (
    <Section id="wrong" title="Wrong answers" hint={wrongText(wrong.length)}>
      <Corrections question={question.name} />
      <ol className="flex flex-col">
        {list.rows.map((each) => (
          <WrongItem
            key={each.row.row}
            wrong={each}
            names={answered.names}
            run={run}
            onCorrect={() => correct(each.row.row, { label: each.answer, outcome: answered.names[each.answer] })}
            onLeaveOut={() => correct(each.row.row, { label: null })}
          />
        ))}
      </ol>
      <ShowMore list={list} />
    </Section>
  )
}

function wrongText(wrong: number): string {
  if (wrong === 0) return "Every answer equals its label."
  if (wrong === 1) return "1 answer differs from its label."
  return `${formatCount(wrong)} answers differ from their labels. Those that gave their label the lowest probability come first.`
}

function correctionsTitle(own: readonly Correction[]): string {
  const left = own.filter(({ label }) => label === null).length
  const changed = own.length - left
  const parts = [
    ...(changed > 0 ? [`corrected ${countOf(changed, "label")}`] : []),
    ...(left > 0 ? [`left out ${countOf(left, "row")}`] : []),
  ]
  return `You ${parts.join(" and ")}`
}

/** Explains how corrections change the figures, and offers to undo them. */
function Corrections({ question }: { question: string }) {
  const corrections = useOpenSet(({ set }) => set.corrections)
  const { getState, changeSet } = useOpenSetStore()
  const own = corrections.filter((each) => each.question === question)
  const last = own.at(-1)
  if (!last) return null
  const keep = (isKept: (correction: Correction) => boolean) =>
    changeSet({ corrections: getState().set.corrections.filter(isKept) })
  return (
    <Alert
      title={correctionsTitle(own)}
      action={
        <span className="flex flex-wrap gap-2 print:hidden">
          <Button variant="secondary" size="sm" onClick={() => keep((each) => each !== last)}>
            Undo the last
          </Button>
          <Button variant="secondary" size="sm" onClick={() => keep((each) => each.question !== question)}>
            Undo all
          </Button>
        </span>
      }
    >
      The figures use the corrected labels. Correcting only rows where the model is wrong favours the model. Check a
      random sample of the right ones too.
    </Alert>
  )
}

interface WrongItemProps {
  wrong: WrongRow
  names: readonly string[]
  run: EvaluationRun
  onCorrect: () => void
  onLeaveOut: () => void
}

function WrongItem({ wrong: { row, answer, confidence, loss }, names, run, onCorrect, onLeaveOut }: WrongItemProps) {
  return (
    <RowItem
      row={row}
      form={run.form}
      action={
        <span className="flex flex-wrap gap-2">
          <Button variant="secondary" size="sm" onClick={onCorrect}>
            Label was wrong<span className="sr-only"> on line {row.line}</span>
          </Button>
          <Button variant="secondary" size="sm" onClick={onLeaveOut}>
            Leave out<span className="sr-only"> line {row.line}</span>
          </Button>
        </span>
      }
    >
      <span>
        Label <bdi className="font-medium">{shortText(names[row.label])}</bdi>
      </span>
      <span>
        Answer <bdi className="font-medium">{shortText(names[answer])}</bdi> with {formatShare(confidence)}
      </span>
      <span className="text-ink-muted text-sm">label’s probability {formatShare(Math.exp(-loss))}</span>
    </RowItem>
  )
}
