"use client"
import { type ComponentType, useMemo } from "react"
import { type AnsweredRows, halfOf } from "@/lib/shared/evaluate/figures/answered-rows"
import { automatableBand, automatableThreshold } from "@/lib/shared/evaluate/figures/automation"
import { binaryFigures } from "@/lib/shared/evaluate/figures/binary-figures"
import { classified } from "@/lib/shared/evaluate/figures/nominal-figures"
import { scored } from "@/lib/shared/evaluate/figures/ordinal-figures"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { roundedScores } from "@/lib/shared/statistics/classes"
import type { Scale } from "@/questions/question-type"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import { AutomationPanel, useAutomation } from "./automation-panel"
import { ClassTable } from "./class-table"
import { ConfusionTable } from "./confusion-table"
import { CoverageChart } from "./coverage-chart"
import { ReliabilityChart } from "./reliability-chart"

interface ResultChartsProps {
  question: CheckedQuestion
  answered: AnsweredRows
  run: EvaluationRun
}

/** What is shown below the figures. */
const RESULTS: Record<Scale, ComponentType<ResultChartsProps>> = {
  binary: BinaryResults,
  nominal: NominalResults,
  ordinal: OrdinalResults,
}

export function ResultCharts(props: ResultChartsProps) {
  const Shown = RESULTS[typeOf(props.question).scale]
  return <Shown {...props} />
}

function BinaryResults({ question, answered, run }: ResultChartsProps) {
  const automatable = useMemo(() => automatableBand(halfOf(answered, "choose"), halfOf(answered, "check")), [answered])
  const forecasts = useMemo(() => binaryFigures.read(answered), [answered])
  const chosen = useAutomation(automatable)
  return (
    <>
      <AutomationPanel question={question} chosen={chosen} run={run} corrections={answered.corrections} hasSides />
      <ReliabilityChart forecasts={forecasts} band={chosen.automation?.band ?? null} />
    </>
  )
}

function NominalResults({ question, answered, run }: ResultChartsProps) {
  const automatable = useMemo(
    () => automatableThreshold(halfOf(answered, "choose"), halfOf(answered, "check")),
    [answered],
  )
  const data = useMemo(() => classified(answered), [answered])
  const chosen = useAutomation(automatable)
  return (
    <>
      <AutomationPanel question={question} chosen={chosen} run={run} corrections={answered.corrections} />
      <CoverageChart answered={answered} band={chosen.automation?.band ?? null} />
      <ConfusionTable names={answered.names} rows={data} />
      <ClassTable names={answered.names} rows={data} />
    </>
  )
}

function OrdinalResults({ answered }: ResultChartsProps) {
  const rows = useMemo(() => roundedScores(scored(answered)), [answered])
  const names = useMemo(() => answered.names.map((name, level) => `${level} ${name}`), [answered])
  return <ConfusionTable names={names} rows={rows} isOrdered />
}
