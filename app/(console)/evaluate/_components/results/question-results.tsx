"use client"
import { startTransition, useDeferredValue, useEffect, useMemo, useState } from "react"
import { afterPaint } from "@/components/timing/after-paint"
import { Alert } from "@/components/ui/alert"
import { Section } from "@/components/ui/section"
import { Skeleton } from "@/components/ui/skeleton"
import { type AnsweredRows, correctRows, splitRows } from "@/lib/shared/evaluate/figures/answered-rows"
import { correctionsText, countCorrections } from "@/lib/shared/evaluate/figures/correction-counts"
import { correctedLabels } from "@/lib/shared/evaluate/figures/corrections"
import { figuresOf } from "@/lib/shared/evaluate/figures/figures-of"
import { groupsText, type JudgedGroups, type JudgedRow, judgedGroups } from "@/lib/shared/evaluate/figures/judged-rows"
import type { LabelMapping } from "@/lib/shared/evaluate/rows/evaluation-set"
import { questionsOf } from "@/lib/shared/evaluate/rows/read-rows"
import { labelsOf } from "@/lib/shared/evaluate/run/asked-rows"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { countOf } from "@/lib/shared/format"
import { type CheckedQuestion, outcomesOf, typeOf } from "@/questions/question-types"
import { IntervalsFailed } from "../../figures/intervals-failed"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { QuestionChoice } from "../question-choice"
import { FigureTable } from "./figure-table"
import { Later } from "./later"
import { LaterLabels } from "./later-labels"
import { ResultCharts } from "./result-charts"
import { SliceTable } from "./slice-table"
import { useFigures } from "./use-figures"
import { WrongRows } from "./wrong-rows"

/** The label columns as text, which stays the same until one of them changes. */
const useLabelsText = (): string => useOpenSet(({ set, run }) => (run ? JSON.stringify(labelsOf(set, run)) : "[]"))

/** Shows how accurate the shown run's answers are, one question at a time. */
export function QuestionResults() {
  const run = useOpenSet((state) => state.run)
  const form = useOpenSet((state) => state.run?.form)
  const labelsText = useLabelsText()
  const [name, setName] = useState<string | null>(null)
  // The same questions, so that the figures are not computed again when anything else changes.
  const questions = useMemo(() => {
    const labels: LabelMapping[] = JSON.parse(labelsText)
    return form ? questionsOf(form).filter((each) => labels.some((label) => label.question === each.name)) : []
  }, [form, labelsText])
  if (!run) return null
  const question = questions.find((each) => each.name === name) ?? questions[0]
  return (
    <div className="flex flex-col gap-8">
      {question ? (
        <>
          <QuestionChoice
            names={questions.map((each) => each.name)}
            chosen={question.name}
            prefix="Results of"
            onChoose={setName}
          />
          <Judged key={`${run.id} ${question.name}`} run={run} question={question} labelsText={labelsText} />
        </>
      ) : null}
      <LaterLabels run={run} labelled={questions.map((each) => each.name)} />
    </div>
  )
}

interface Base {
  groups: JudgedGroups
  rows: JudgedRow[]
  split: Uint8Array
}

/**
 * Reads the shown run's rows after the page has painted, in two tasks: 20,000 rows take a while. Null until then. Changes of the run other
 * than its results change no row.
 */
function useBase(question: string, labelsText: string): Base | null {
  const { getState, askedBy } = useOpenSetStore()
  const results = useOpenSet((state) => state.results)
  const group = useOpenSet(({ set }) => set.mapping.group)
  const [base, setBase] = useState<Base | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads again when the columns of labels or groups change
  useEffect(() => {
    let isCurrent = true
    afterPaint(() => {
      if (!isCurrent) return
      const { run } = getState()
      if (!run) return
      const asked = askedBy(run)
      afterPaint(() => {
        if (!isCurrent) return
        const groups = judgedGroups(asked, results, [], question)
        const split = splitRows(groups.judged)
        // A transition renders each component below in a task of its own.
        startTransition(() => setBase({ groups, rows: groups.judged, split }))
      })
    })
    return () => {
      isCurrent = false
    }
  }, [question, labelsText, group, results, getState, askedBy])
  return base
}

interface JudgedProps {
  run: EvaluationRun
  question: CheckedQuestion
  labelsText: string
}

function Judged({ run, question, labelsText }: JudgedProps) {
  const base = useBase(question.name, labelsText)
  // The button that corrects a label reacts at once; the figures of up to 20,000 rows follow.
  const corrections = useDeferredValue(useOpenSet(({ set }) => set.corrections))
  const names = useMemo(() => outcomesOf(question).names(question), [question])
  const answered = useMemo((): AnsweredRows | null => {
    if (!base) return null
    const corrected = correctedLabels(corrections, question.name, names)
    const counts = countCorrections(question.type, base.rows, corrected)
    return { ...correctRows(names, base.rows, base.split, corrected), corrections: correctionsText(counts) }
  }, [base, names, corrections, question])
  if (!base || !answered) return <Skeleton className="h-96" />
  if (answered.labels.length === 0)
    return (
      <Alert title="No row of this question has both an answer and a label">
        Run the set to the end, or choose another column of right answers on the Rows tab.
      </Alert>
    )
  return <Results run={run} question={question} answered={answered} groups={groupsText(question.type, base.groups)} />
}

interface ResultsProps {
  run: EvaluationRun
  question: CheckedQuestion
  answered: AnsweredRows
  groups: string | null
}

/** Reads the answers. Their figures are the task of the component below. */
function Results(props: ResultsProps) {
  const { question, answered } = props
  const { scale } = typeOf(question)
  const data = useMemo(() => figuresOf(scale).read(answered), [scale, answered])
  return <ReadResults {...props} data={data} />
}

function ReadResults({ run, question, answered, groups, data }: ResultsProps & { data: unknown }) {
  const figures = useFigures(typeOf(question).scale, answered, data)
  const { lines, weak, retry } = figures
  return (
    <>
      {weak.length > 0 ? (
        <Alert tone="warn" title="These figures are not reliable enough for a decision">
          {weak.join(" ")} Use them to find mistakes, and label more rows before you rely on them.
        </Alert>
      ) : null}
      <Section
        id="figures"
        title="How accurate are the answers?"
        hint={`${countOf(answered.labels.length, "answer")} with labels. Each figure has the range that is plausible with this many rows (95% interval), and the value without a model.`}
      >
        {groups ? <p className="max-w-text">{groups}</p> : null}
        <FigureTable lines={lines} />
        {retry ? (
          <IntervalsFailed onRetry={retry}>
            You can accept a threshold without them. The record then says that its claims are not checked against them.
          </IntervalsFailed>
        ) : null}
      </Section>
      <Later>
        <ResultCharts question={question} answered={answered} run={run} figures={figures} />
        <Later>
          <SliceTable run={run} question={question} answered={answered} figures={figures} />
          <WrongRows run={run} question={question} answered={answered} />
        </Later>
      </Later>
    </>
  )
}
