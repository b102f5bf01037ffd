"use client"
import { Slider } from "@base-ui/react/slider"
import { memo, useDeferredValue, useMemo, useState } from "react"
import { Alert } from "@/components/ui/alert"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Segments } from "@/components/ui/segments"
import { formatCount } from "@/lib/shared/format"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"
import type { CheckedQuestion } from "@/questions/question-types"
import { SPLIT_SEED } from "../../figures/answered-rows"
import {
  type Automatable,
  type Automation,
  FIRST_GOAL,
  formatBound,
  type Goal,
  type HalfCounts,
  verdictOf,
  whyNone,
} from "../../figures/automation"
import { formatFigure, formatShare, intervalText } from "../../figures/figure-text"
import type { EvaluationRun } from "../../model/evaluation-run"
import { AcceptButton } from "./accept-button"

interface AutomationPanelProps {
  question: CheckedQuestion
  automatable: Automatable
  run: EvaluationRun
  /** Present for yes/no questions: a false yes and a false no may cost differently. */
  hasSides?: boolean
}

const KINDS = [
  { value: "target", label: "Error target" },
  { value: "costs", label: "Costs" },
] as const

/** Finds the threshold for automatic answers: for an error target, or for what mistakes and reviews cost. */
export function AutomationPanel({ question, automatable, run, hasSides = false }: AutomationPanelProps) {
  const [goal, setGoal] = useState(FIRST_GOAL)
  // The slider moves at once; the search of thresholds follows.
  const wanted = useDeferredValue(goal)
  const automation = useMemo(() => automatable.automate(wanted), [automatable, wanted])
  return (
    <section aria-labelledby="automation" className="flex flex-col gap-4">
      <h2 id="automation" className="font-semibold text-md">
        What can be automatic?
      </h2>
      <p className="max-w-text text-ink-muted">
        One half of the rows chooses the threshold, the other half checks it. The halves are drawn by seed {SPLIT_SEED},
        evenly for each label.
      </p>
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
        <Found automation={automation} goal={wanted} />
      ) : (
        <Alert tone="warn" title={`No threshold keeps automatic answers within ${formatShare(wanted.target)} wrong`}>
          {whyNone(automatable.rows, wanted.target)}
        </Alert>
      )}
      {automation ? <AcceptButton question={question.name} run={run} automation={automation} /> : null}
    </section>
  )
}

function TargetSlider({ target, onTarget }: { target: number; onTarget: (target: number) => void }) {
  const percent = Math.round(target * 1_000) / 10
  return (
    <Slider.Root
      value={percent}
      onValueChange={(value) => onTarget(value / 100)}
      min={0.5}
      max={20}
      step={0.5}
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

/** Memoized: while the slider moves, the result stays until the next one is found. */
const Found = memo(function Found({ automation, goal }: { automation: Automation; goal: Goal }) {
  const { rule, checked, mistakes } = automation
  const share = wilsonInterval(checked.automatic, checked.rows)
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      <p className="font-semibold text-lg">{rule}</p>
      {goal.kind === "target" ? (
        <Verdict checked={checked} target={goal.target} />
      ) : (
        <Cost checked={checked} goal={goal} />
      )}
      <p className="max-w-text">
        On the {formatCount(checked.rows)} rows that check, {formatCount(checked.automatic)} are automatic:{" "}
        {formatShare(checked.automatic / checked.rows)} (95% interval {intervalText(share, formatShare)}). {mistakes}
      </p>
      <HalvesTable automation={automation} hasCost={goal.kind === "costs"} />
      <p className="max-w-text text-ink-muted text-sm">
        The check counts for one setting. If you try several until one passes, confirm it with rows that were not used
        here.
      </p>
    </div>
  )
})

function Verdict({ checked, target }: { checked: HalfCounts; target: number }) {
  const { holds, text } = verdictOf(checked, target)
  return (
    <Alert tone={holds ? "ok" : "warn"}>
      {text}
      {holds ? null : " Raise the target, or label more rows: the range narrows with their number."}
    </Alert>
  )
}

function Cost({ checked, goal: { costs } }: { checked: HalfCounts; goal: Goal }) {
  const saves = checked.cost < costs.review
  return (
    <Alert tone={saves ? "ok" : "warn"}>
      {saves
        ? `A row costs ${formatFigure(checked.cost)} on average on the half that checks. Reviewing every row costs ${formatFigure(costs.review)}.`
        : `No cheaper than reviewing every row, which costs ${formatFigure(costs.review)} per row.`}
      {checked.automatic > 0
        ? ` At most ${formatBound(checked.errorBound)} of the automatic answers are wrong (95% confidence).`
        : null}
    </Alert>
  )
}

type CountLine = [name: string, text: (half: HalfCounts) => string]

const COUNT_LINES: CountLine[] = [
  ["Rows", ({ rows }) => formatCount(rows)],
  ["Automatic", ({ automatic }) => formatCount(automatic)],
  ["Review", ({ review }) => formatCount(review)],
  ["Wrong among automatic", ({ wrong }) => formatCount(wrong)],
]

function HalvesTable({ automation: { chosen, checked }, hasCost }: { automation: Automation; hasCost: boolean }) {
  const costLine: CountLine = ["Cost per row", ({ cost }) => formatFigure(cost)]
  const lines = hasCost ? [...COUNT_LINES, costLine] : COUNT_LINES
  return (
    <table className="w-full max-w-xl border-collapse text-left">
      <caption className="sr-only">Automatic answers on both halves</caption>
      <thead>
        <tr className="border-line border-b text-ink-muted text-sm">
          <th scope="col" className="py-1.5 pr-3 font-medium">
            Rows
          </th>
          <th scope="col" className="py-1.5 pl-3 text-right font-medium">
            Half that chose
          </th>
          <th scope="col" className="py-1.5 pl-3 text-right font-medium">
            Half that checks
          </th>
        </tr>
      </thead>
      <tbody>
        {lines.map(([name, text]) => (
          <tr key={name} className="border-line border-b">
            <th scope="row" className="py-1.5 pr-3 font-normal">
              {name}
            </th>
            <td className="py-1.5 pl-3 text-right tabular-nums">{text(chosen)}</td>
            <td className="py-1.5 pl-3 text-right tabular-nums">{text(checked)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
