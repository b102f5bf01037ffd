"use client"
import { Slider } from "@base-ui/react/slider"
import { useDeferredValue, useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Section } from "@/components/ui/section"
import { Segments } from "@/components/ui/segments"
import { SPLIT_SEED } from "@/lib/shared/evaluate/figures/answered-rows"
import {
  type Automatable,
  type Automation,
  FIRST_GOAL,
  type Goal,
  reachableTarget,
  TARGETS,
  whyNone,
} from "@/lib/shared/evaluate/figures/automation"
import { formatShare } from "@/lib/shared/evaluate/figures/figure-text"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import type { CheckedQuestion } from "@/questions/question-types"
import { AcceptButton } from "./accept-button"
import { FoundAutomation } from "./automation-found"

/** What the user asks for, and what was found for it. */
export interface ChosenAutomation {
  automatable: Automatable
  goal: Goal
  setGoal: (goal: Goal) => void
  /** The goal that `automation` was found for. It follows `goal`. */
  wanted: Goal
  automation: Automation | null
}

/** Holds the goal of automatic answers, and finds the threshold for it. */
export function useAutomation(automatable: Automatable): ChosenAutomation {
  const [goal, setGoal] = useState(FIRST_GOAL)
  // The slider moves at once; the search of thresholds follows.
  const wanted = useDeferredValue(goal)
  const automation = useMemo(() => automatable.automate(wanted), [automatable, wanted])
  return { automatable, goal, setGoal, wanted, automation }
}

interface AutomationPanelProps {
  question: CheckedQuestion
  chosen: ChosenAutomation
  run: EvaluationRun
  /** What the user corrected in the labels behind the rows. */
  corrections: string | null | undefined
  /** Present for yes/no questions: a false yes and a false no may cost differently. */
  hasSides?: boolean
}

const KINDS = [
  { value: "target", label: "Error target" },
  { value: "costs", label: "Costs" },
] as const

/** Finds the threshold for automatic answers: for an error target, or for what mistakes and reviews cost. */
export function AutomationPanel({ question, chosen, run, corrections, hasSides = false }: AutomationPanelProps) {
  const { automatable, goal, setGoal, wanted, automation } = chosen
  return (
    <Section
      id="automation"
      title="What can be automatic?"
      hint={`One half of the rows chooses the threshold, the other half checks it. The halves are drawn by seed ${SPLIT_SEED}, evenly for each label.`}
    >
      <div className="flex flex-col gap-4 print:hidden">
        <Segments
          legend="Choose the threshold by"
          options={KINDS}
          value={goal.kind}
          onValue={(kind) => setGoal({ ...goal, kind })}
        />
        {goal.kind === "target" ? (
          <TargetSlider target={goal.target} onTarget={(target) => setGoal({ ...goal, target })} />
        ) : (
          <CostFields goal={goal} hasSides={hasSides} onGoal={setGoal} />
        )}
      </div>
      {automation ? (
        <FoundAutomation automation={automation} goal={wanted} corrections={corrections} />
      ) : (
        <NoThreshold automatable={automatable} goal={wanted} onTarget={(target) => setGoal({ ...goal, target })} />
      )}
      {automation ? <AcceptButton question={question.name} run={run} automation={automation} /> : null}
    </Section>
  )
}

interface NoThresholdProps {
  automatable: Automatable
  goal: Goal
  onTarget: (target: number) => void
}

/** Explains why no threshold is good enough, and offers the nearest target that these rows reach. */
function NoThreshold({ automatable, goal, onTarget }: NoThresholdProps) {
  const reachable = useMemo(() => reachableTarget(automatable, goal), [automatable, goal])
  return (
    <Alert
      tone="warn"
      title={`No threshold keeps automatic answers within ${formatShare(goal.target)} wrong`}
      action={
        reachable === null ? null : (
          <Button variant="secondary" size="sm" className="print:hidden" onClick={() => onTarget(reachable)}>
            Use {formatShare(reachable)}
          </Button>
        )
      }
    >
      {whyNone(automatable.rows, goal.target)}{" "}
      {reachable === null
        ? `No target up to ${formatShare(TARGETS.most)} is reached: review every row.`
        : `The lowest target that these rows reach is ${formatShare(reachable)}.`}
    </Alert>
  )
}

function TargetSlider({ target, onTarget }: { target: number; onTarget: (target: number) => void }) {
  const percent = Math.round(target * 1_000) / 10
  return (
    <Slider.Root
      value={percent}
      onValueChange={(value) => onTarget(value / 100)}
      min={TARGETS.least * 100}
      max={TARGETS.most * 100}
      step={TARGETS.step * 100}
      largeStep={2}
      className="max-w-xl"
    >
      <p className="flex justify-between gap-3">
        <span className="font-medium">Wrong automatic answers</span>
        <span className="tabular-nums">at most {percent}%</span>
      </p>
      <Slider.Control className="flex h-6 touch-none select-none items-center pointer-coarse:h-11">
        <Slider.Track className="h-1 w-full rounded-full bg-line">
          <Slider.Indicator className="rounded-full bg-line-strong" />
          <Slider.Thumb
            getAriaLabel={() => "Wrong automatic answers"}
            getAriaValueText={() => `at most ${percent}%`}
            className="size-4 rounded-full border-2 border-accent bg-surface shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          />
        </Slider.Track>
      </Slider.Control>
    </Slider.Root>
  )
}

interface CostFieldsProps {
  goal: Goal
  hasSides: boolean
  onGoal: (goal: Goal) => void
}

function CostFields({ goal, hasSides, onGoal }: CostFieldsProps) {
  const fields = [
    { name: "falseYes", label: hasSides ? "A false yes costs" : "A wrong answer costs" },
    ...(hasSides ? [{ name: "falseNo", label: "A false no costs" } as const] : []),
    { name: "review", label: "A review costs" },
  ] as const
  return (
    <div className="flex max-w-xl flex-col gap-2">
      <div className="grid gap-4 sm:grid-cols-3">
        {fields.map(({ name, label }) => (
          <Field key={name} label={label}>
            <Input
              type="number"
              min={0}
              step="any"
              inputMode="decimal"
              defaultValue={goal.costs[name]}
              onChange={({ target }) => {
                const value = target.valueAsNumber
                if (value >= 0) onGoal({ ...goal, costs: { ...goal.costs, [name]: value } })
              }}
            />
          </Field>
        ))}
      </div>
      <p className="text-ink-muted text-sm">Use any unit, such as USD or minutes. A right automatic answer costs 0.</p>
    </div>
  )
}
