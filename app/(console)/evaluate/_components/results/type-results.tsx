"use client"
import { type ComponentType, useMemo } from "react"
import { type AnsweredRows, halfOf } from "@/lib/shared/evaluate/figures/answered-rows"
import { automatableBand, automatableThreshold } from "@/lib/shared/evaluate/figures/automation"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { roundedScores } from "@/lib/shared/statistics/classes"
import { classified } from "@/questions/choice/figures"
import { noulFigures } from "@/questions/noul/figures"
import type { CheckedQuestion, QuestionTypeName } from "@/questions/question-types"
import { scored } from "@/questions/score/figures"
import { AutomationPanel, useAutomation } from "./automation-panel"
import { ClassTable } from "./class-table"
import { ConfusionTable } from "./confusion-table"
import { CoverageChart } from "./coverage-chart"
import { ReliabilityChart } from "./reliability-chart"

interface TypeResultsProps {
  question: CheckedQuestion
  answered: AnsweredRows
  run: EvaluationRun
}

/** What each question type shows below its figures. */
const RESULTS: Record<QuestionTypeName, ComponentType<TypeResultsProps>> = {
  noul: NoulResults,
  choice: ChoiceResults,
  score: ScoreResults,
}

export function ResultCharts(props: TypeResultsProps) {
  const Shown = RESULTS[props.question.type]
  return <Shown {...props} />
}

function NoulResults({ question, answered, run }: TypeResultsProps) {
  const automatable = useMemo(() => automatableBand(halfOf(answered, "choose"), halfOf(answered, "check")), [answered])
  const forecasts = useMemo(() => noulFigures.read(answered), [answered])
  const chosen = useAutomation(automatable)
  return (
    <>
      <AutomationPanel question={question} chosen={chosen} run={run} hasSides />
      <ReliabilityChart forecasts={forecasts} band={chosen.automation?.band ?? null} />
    </>
  )
}

function ChoiceResults({ question, answered, run }: TypeResultsProps) {
  const automatable = useMemo(
    () => automatableThreshold(halfOf(answered, "choose"), halfOf(answered, "check")),
    [answered],
  )
  const data = useMemo(() => classified(answered), [answered])
  const chosen = useAutomation(automatable)
  return (
    <>
      <AutomationPanel question={question} chosen={chosen} run={run} />
      <CoverageChart answered={answered} band={chosen.automation?.band ?? null} />
      <ConfusionTable names={answered.names} rows={data} />
      <ClassTable names={answered.names} rows={data} />
    </>
  )
}

function ScoreResults({ answered }: TypeResultsProps) {
  const rows = useMemo(() => roundedScores(scored(answered)), [answered])
  const names = useMemo(() => answered.names.map((name, level) => `${level} ${name}`), [answered])
  return <ConfusionTable names={names} rows={rows} isOrdered />
}
