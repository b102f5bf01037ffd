"use client"
import { type ComponentType, useMemo } from "react"
import type { AnsweredRows } from "@/lib/shared/evaluate/figures/answered-rows"
import { automatableThreshold, CHOICE_RULE, SCORE_RULE } from "@/lib/shared/evaluate/figures/automate-threshold"
import { automatableBand } from "@/lib/shared/evaluate/figures/automate-yes-no"
import type { Automatable } from "@/lib/shared/evaluate/figures/automation"
import { classified } from "@/lib/shared/evaluate/figures/nominal-figures"
import { scored } from "@/lib/shared/evaluate/figures/ordinal-figures"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import { roundedScores } from "@/lib/shared/statistics/classes"
import type { Scale } from "@/questions/question-type"
import { type CheckedQuestion, typeOf } from "@/questions/question-types"
import { AutomationPanel, OPTION_KINDS, SIDE_KINDS, useAutomation } from "./automation-panel"
import { CalibrationChart } from "./calibration-chart"
import { ClassTable } from "./class-table"
import { ConfusionTable } from "./confusion-table"
import { CoverageChart } from "./coverage-chart"
import { Later } from "./later"
import { OptionClaims } from "./option-claims"
import type { Figures } from "./use-figures"

interface ResultChartsProps {
  question: CheckedQuestion
  answered: AnsweredRows
  run: EvaluationRun
  figures: Figures
}

interface ResultsProps extends ResultChartsProps {
  automatable: Automatable
}

/** How rows are prepared for a threshold, and what is shown below the figures. */
const RESULTS: Record<Scale, { prepare: (answered: AnsweredRows) => Automatable; Shown: ComponentType<ResultsProps> }> =
  {
    binary: { prepare: automatableBand, Shown: BinaryResults },
    nominal: { prepare: (answered) => automatableThreshold(answered, CHOICE_RULE), Shown: NominalResults },
    ordinal: { prepare: (answered) => automatableThreshold(answered, SCORE_RULE), Shown: OrdinalResults },
  }

/** Prepares the rows. What is searched in them is the task of the component below. */
export function ResultCharts(props: ResultChartsProps) {
  const { question, answered } = props
  const { prepare, Shown } = RESULTS[typeOf(question).scale]
  const automatable = useMemo(() => prepare(answered), [prepare, answered])
  return <Shown {...props} automatable={automatable} />
}

function BinaryResults({ question, answered, run, figures, automatable }: ResultsProps) {
  const chosen = useAutomation(question, automatable)
  return (
    <>
      <AutomationPanel {...{ question, chosen, answered, run, figures }} kinds={SIDE_KINDS} />
      <CalibrationChart figures={figures} band={chosen.found.automation?.band ?? null} />
    </>
  )
}

function NominalResults({ question, answered, run, figures, automatable }: ResultsProps) {
  const data = useMemo(() => classified(answered), [answered])
  const chosen = useAutomation(question, automatable)
  const band = chosen.found.automation?.band ?? null
  const { kind, target } = chosen.wanted
  const claims = useMemo(
    () => (kind === "costs" ? [] : (automatable.optionClaims?.(target) ?? [])),
    [automatable, kind, target],
  )
  return (
    <>
      <AutomationPanel {...{ question, chosen, answered, run, figures }} kinds={OPTION_KINDS}>
        <OptionClaims claims={claims} target={target} isRule={kind === "options"} />
      </AutomationPanel>
      <Later>
        <CoverageChart answered={answered} confidencesOf={CHOICE_RULE.confidencesOf} band={band} />
        <CalibrationChart figures={figures} band={band} />
        <Later>
          <ConfusionTable names={answered.names} rows={data} />
          <ClassTable names={answered.names} rows={data} />
        </Later>
      </Later>
    </>
  )
}

function OrdinalResults({ question, answered, run, figures, automatable }: ResultsProps) {
  const rows = useMemo(() => roundedScores(scored(answered)), [answered])
  const names = useMemo(() => answered.names.map((name, level) => `${level} ${name}`), [answered])
  const chosen = useAutomation(question, automatable)
  const band = chosen.found.automation?.band ?? null
  return (
    <>
      <AutomationPanel {...{ question, chosen, answered, run, figures }} />
      <CoverageChart answered={answered} confidencesOf={SCORE_RULE.confidencesOf} band={band} />
      <CalibrationChart figures={figures} band={band} />
      <ConfusionTable names={names} rows={rows} isOrdered />
    </>
  )
}
