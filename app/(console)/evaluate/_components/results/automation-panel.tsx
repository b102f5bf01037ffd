"use client"
import { Slider } from "@base-ui/react/slider"
import { type ReactNode, useDeferredValue, useMemo } from "react"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Section } from "@/components/ui/section"
import { Segments } from "@/components/ui/segments"
import { type AnsweredRows, SPLIT_SEED } from "@/lib/shared/evaluate/figures/answered-rows"
import { type Automatable, type Found, type Goal, goalOf, TARGETS } from "@/lib/shared/evaluate/figures/automation"
import type { EvaluationRun } from "@/lib/shared/evaluate/run/evaluation-run"
import type { CheckedQuestion } from "@/questions/question-types"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"
import { AcceptButton } from "./accept-button"
import { FoundAutomation } from "./automation-found"
import { NotProved } from "./not-proved"
import type { Figures } from "./use-figures"

/** What the user asks for, and what was found for it. */
export interface ChosenAutomation {
  automatable: Automatable
  goal: Goal
  setGoal: (goal: Goal) => void
  /** The goal that `found` is for. It follows `goal`. */
  wanted: Goal
  found: Found
}

/** Keeps the goal of a question's automatic answers with the set, and finds the threshold for it. */
export function useAutomation(question: CheckedQuestion, automatable: Automatable): ChosenAutomation {
  const { getState, changeSet } = useOpenSetStore()
  const goals = useOpenSet(({ set }) => set.goals)
  const goal = useMemo(() => goalOf(goals, question), [goals, question])
  const setGoal = (next: Goal) => {
    const others = getState().set.goals?.filter((each) => each.question !== question.name) ?? []
    changeSet({ goals: [...others, { question: question.name, goal: next }] })
  }
  // The slider moves at once; the search of thresholds follows.
  const wanted = useDeferredValue(goal)
  const found = useMemo(() => automatable.find(wanted), [automatable, wanted])
  return { automatable, goal, setGoal, wanted, found }
}

interface AutomationPanelProps {
  question: CheckedQuestion
  chosen: ChosenAutomation
  answered: AnsweredRows
  run: EvaluationRun
  figures: Figures
  /** How the threshold can be chosen. */
  kinds?: readonly { value: Goal["kind"]; label: string }[]
  children?: ReactNode
}

const COSTS = { value: "costs", label: "Costs" } as const
const ONE_TARGET = { value: "target", label: "One error target" } as const
const KINDS = [{ value: "target", label: "Error target" }, COSTS] as const
export const SIDE_KINDS = [{ value: "sides", label: "Error target per answer" }, ONE_TARGET, COSTS] as const
export const OPTION_KINDS = [ONE_TARGET, { value: "options", label: "Error target per option" }, COSTS] as const

const HINTS: Record<Goal["kind"], string> = {
  sides: "All rows choose and prove the thresholds, the surest answers first.",
  options:
    "The rows of each option choose and prove its threshold, the surest answers first. All options share the risk.",
  target: "All rows choose and prove the threshold, the surest answers first.",
  costs: `One half of the rows chooses the threshold, the other half checks it. The halves are drawn by seed ${SPLIT_SEED}, evenly for each label.`,
}

/** Finds the threshold for automatic answers: for error targets, or for what mistakes and reviews cost. */
export function AutomationPanel(props: AutomationPanelProps) {
  const { question, chosen, answered, run, figures, kinds = KINDS, children } = props
  const hasSides = kinds.some(({ value }) => value === "sides")
  const { automatable, goal, setGoal, wanted, found } = chosen
  const { automation, unproved } = found
  return (
    <Section id="automation" title="What can be automatic?" hint={HINTS[goal.kind]}>
      <div className="flex flex-col gap-4 print:hidden">
        <Segments<Goal["kind"]>
          legend="Choose the threshold by"
          options={kinds}
          value={goal.kind}
          onValue={(kind) => setGoal({ ...goal, kind })}
        />
        <GoalFields goal={goal} hasSides={hasSides} onGoal={setGoal} />
      </div>
      {automation ? (
        <FoundAutomation
          {...{ automation, goal: wanted, doubts: figures.doubts, corrections: answered.corrections }}
          isMiscalibrated={figures.verdict?.kind === "off"}
        />
      ) : null}
      {unproved.length > 0 ? (
        <NotProved {...{ automatable, goal: wanted, unproved }} rows={answered.labels.length} onGoal={setGoal} />
      ) : null}
      {children}
      <AcceptButton {...{ question, run, automation, answered, doubts: figures.doubts }} />
    </Section>
  )
}

interface GoalFieldsProps {
  goal: Goal
  hasSides: boolean
  onGoal: (goal: Goal) => void
}

function GoalFields({ goal, hasSides, onGoal }: GoalFieldsProps) {
  const { kind, target, targets } = goal
  if (kind === "costs") return <CostFields goal={goal} hasSides={hasSides} onGoal={onGoal} />
  if (kind !== "sides")
    return (
      <TargetSlider
        label={kind === "options" ? "Wrong automatic answers of each option" : "Wrong automatic answers"}
        target={target}
        onTarget={(next) => onGoal({ ...goal, target: next })}
      />
    )
  return (
    <>
      {(["yes", "no"] as const).map((side) => (
        <TargetSlider
          key={side}
          label={`Wrong among automatic ${side}`}
          target={targets[side]}
          onTarget={(next) => onGoal({ ...goal, targets: { ...targets, [side]: next } })}
        />
      ))}
    </>
  )
}

interface TargetSliderProps {
  label: string
  target: number
  onTarget: (target: number) => void
}

function TargetSlider({ label, target, onTarget }: TargetSliderProps) {
  const percent = Math.round(target * 1_000) / 10
  return (
    <Slider.Root
      value={percent}
      onValueChange={(value) => onTarget(Math.round(value * 10) / 1_000)}
      min={TARGETS.least * 100}
      max={TARGETS.most * 100}
      step={TARGETS.step * 100}
      largeStep={2}
      className="max-w-xl"
    >
      <p className="flex justify-between gap-3">
        <span className="font-medium">{label}</span>
        <span className="tabular-nums">at most {percent}%</span>
      </p>
      <Slider.Control className="flex h-6 touch-none select-none items-center pointer-coarse:h-11">
        <Slider.Track className="h-1 w-full rounded-full bg-line">
          <Slider.Indicator className="rounded-full bg-line-strong" />
          <Slider.Thumb
            getAriaLabel={() => label}
            getAriaValueText={() => `at most ${percent}%`}
            className="size-4 rounded-full border-2 border-accent bg-surface shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          />
        </Slider.Track>
      </Slider.Control>
    </Slider.Root>
  )
}

function CostFields({ goal, hasSides, onGoal }: GoalFieldsProps) {
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
