"use client"
import { useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import {
  acceptedEffect,
  type ComparedData,
  type ComparedLine,
  compareAnswers,
} from "@/lib/shared/evaluate/figures/comparison"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import {
  type PairedAnswers,
  type PairedRow,
  pairedAnswers,
  pairedRows,
  type RunWithResults,
  sharedQuestions,
} from "@/lib/shared/evaluate/figures/paired-rows"
import { countOf, formatCount } from "@/lib/shared/format"
import type { RightOrWrong } from "@/lib/shared/statistics/paired"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import { IntervalsFailed } from "../../figures/intervals-failed"
import { useIntervals } from "../../figures/use-intervals"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { QuestionChoice } from "../question-choice"
import { ChangedRows } from "./changed-rows"

interface ComparisonProps {
  first: RunWithResults
  second: RunWithResults
}

/** Shows how two runs of the set differ, one question at a time. */
export function Comparison({ first, second }: ComparisonProps) {
  const questions = useMemo(() => sharedQuestions(first.run, second.run), [first, second])
  const [name, setName] = useState<string | null>(null)
  const question = questions.find((each) => each.name === name) ?? questions[0]
  if (!question)
    return (
      <Alert title="These runs share no question">
        Questions are compared when name, type and possible answers are the same.
      </Alert>
    )
  return (
    <div className="flex flex-col gap-8">
      <QuestionChoice
        names={questions.map((each) => each.name)}
        chosen={question.name}
        prefix="Comparison of"
        onChoose={setName}
      />
      <Compared key={question.name} first={first} second={second} question={question} />
    </div>
  )
}

function Compared({ first, second, question }: ComparisonProps & { question: CheckedQuestion }) {
  const { askedBy } = useOpenSetStore()
  const corrections = useOpenSet(({ set }) => set.corrections)
  const paired = useMemo(
    () => pairedRows(askedBy(second.run), first, second, corrections, question),
    [askedBy, first, second, corrections, question],
  )
  const answers = useMemo(() => pairedAnswers(question, paired), [question, paired])
  if (paired.length === 0)
    return <Alert title="No row has an answer of both runs">Run the set to the end with both.</Alert>
  return (
    <>
      {answers.first.labels.length > 0 ? (
        <Figures first={first} second={second} question={question} answers={answers} paired={paired} />
      ) : (
        <Alert>The rows have no labels for this question, so no run can be called better.</Alert>
      )}
      <ChangedRows question={question} rows={paired} second={second} />
    </>
  )
}

interface FiguresProps extends ComparisonProps {
  question: CheckedQuestion
  answers: PairedAnswers
  paired: PairedRow[]
}

function Figures({ first, second, question, answers, paired }: FiguresProps) {
  const data = useMemo(() => compareAnswers(question.type, answers), [question, answers])
  return (
    <Section id="differences" title="Which run is better?">
      <p className="max-w-text">{rightText(data.right)}</p>
      <p className="max-w-text text-ink-muted">
        {labelledText(data.rows, paired.length)} A difference is clear when its 95% interval does not contain 0. Both
        runs answered the same rows, so hard rows weigh on neither.
      </p>
      <FigureLines question={question} data={data} />
      <AcceptedThreshold first={first} second={second} question={question} answers={answers} />
    </Section>
  )
}

/** Says how many of the rows that both runs answered have a label. */
export const labelledText = (labelled: number, rows: number): string =>
  `${formatCount(labelled)} of ${countOf(rows, "row")} with both answers ${labelled === 1 ? "has" : "have"} a label.`

/** Says whether one run is right more often than chance explains. */
function rightText({ bothRight, onlyFirst, onlySecond, bothWrong, p }: RightOrWrong): string {
  const counts = `Both runs are right in ${countOf(bothRight, "row")} and wrong in ${formatCount(bothWrong)}. Only the first is right in ${formatCount(onlyFirst)}, only the second in ${formatCount(onlySecond)}.`
  if (onlyFirst + onlySecond === 0) return counts
  const text = p < 0.001 ? "below 0.001" : p.toFixed(3)
  const verdict =
    p < 0.05
      ? `The ${onlyFirst > onlySecond ? "first" : "second"} run is better; a difference this large by chance is unlikely`
      : "Chance can explain that difference"
  return `${counts} ${verdict} (McNemar’s exact test, p ${p < 0.001 ? "" : "= "}${text}).`
}

const COLUMNS: Column<ComparedLine>[] = [
  { head: "Figure", className: "font-medium", cell: ({ name }) => name },
  { head: "First run", align: "right", cell: ({ first }) => first },
  { head: "Second run", align: "right", cell: ({ second }) => second },
  { head: "Difference", align: "right", cell: ({ difference }) => difference },
  { head: "95% interval", align: "right", className: "whitespace-nowrap", cell: ({ interval }) => interval ?? "–" },
  { head: "What it means", cell: ({ meaning }) => meaning },
]

function FigureLines({ question, data }: { question: CheckedQuestion; data: ComparedData }) {
  const { intervals, state, retry } = useIntervals({
    scale: typeOf(question).scale,
    data: data.first,
    second: data.second,
  })
  return (
    <>
      <Table
        caption="Differences"
        columns={COLUMNS}
        rows={data.lines(state === "failed" ? null : intervals)}
        rowKey={({ name }) => name}
      />
      {state === "failed" ? <IntervalsFailed onRetry={retry} /> : null}
    </>
  )
}

/** Says what the threshold that was accepted for the first run would do with the answers of the second. */
function AcceptedThreshold({ first, second, question, answers }: Omit<FiguresProps, "paired">) {
  const band = first.run.acceptances.find((each) => each.question === question.name)?.band
  const [before, after] = [answers.first, answers.second].map((each) =>
    band ? acceptedEffect(question.type, each, band) : null,
  )
  if (!before || !after || first.run.pinnedId === second.run.pinnedId) return null
  const share = (part: number, whole: number) => (whole === 0 ? "none" : formatShare(part / whole))
  return (
    <Alert tone="warn" title="The threshold that you accepted is for the first run’s model">
      With it, {share(before.automatic, before.rows)} of the first run’s answers are automatic and{" "}
      {share(before.wrong, before.automatic)} of these wrong. Of the second run’s answers,{" "}
      {share(after.automatic, after.rows)} would be automatic and {share(after.wrong, after.automatic)} of these wrong.
      Choose a threshold of its own for the second model before you use it.
    </Alert>
  )
}
