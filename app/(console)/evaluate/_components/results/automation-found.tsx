"use client"
import { memo } from "react"
import { Alert } from "@/components/ui/alert"
import { type Column, Table } from "@/components/ui/table"
import {
  type Automation,
  formatBound,
  type Goal,
  type HalfCounts,
  verdictOf,
} from "@/lib/shared/evaluate/figures/automation"
import { formatFigure, formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { countOf, formatCount } from "@/lib/shared/format"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"

/** Shows the chosen rule and how it did. Memoized, so that moving the slider renders it only for a new result. */
export const FoundAutomation = memo(function FoundAutomation({
  automation,
  goal,
  corrections,
}: {
  automation: Automation
  goal: Goal
  corrections: string | null | undefined
}) {
  const { rule, checked, mistakes } = automation
  const share = wilsonInterval(checked.automatic, checked.rows)
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      <p className="font-semibold text-lg">{rule}</p>
      {goal.kind === "target" ? (
        <Verdict checked={checked} target={goal.target} corrections={corrections} />
      ) : (
        <Cost checked={checked} goal={goal} />
      )}
      <p className="max-w-text">
        {automaticText(checked)} {formatShare(checked.automatic / checked.rows)} (95% interval{" "}
        {intervalText(share, formatShare)}). {mistakes}
      </p>
      <HalvesTable automation={automation} hasCost={goal.kind === "costs"} />
      <p className="max-w-text text-ink-muted text-sm">
        The check is valid for one setting. If you try several, confirm the one you choose with rows that were not used
        here.
      </p>
    </div>
  )
})

/** Says how many rows of the checking half are automatic. Their share follows. */
export const automaticText = ({ rows, automatic }: Pick<HalfCounts, "rows" | "automatic">): string =>
  `Of the ${countOf(rows, "row")} in the checking half, ${formatCount(automatic)} ${automatic === 1 ? "is" : "are"} automatic:`

interface VerdictProps {
  checked: HalfCounts
  target: number
  corrections: string | null | undefined
}

function Verdict({ checked, target, corrections }: VerdictProps) {
  const { holds, text } = verdictOf(checked, target)
  return (
    <Alert tone={holds ? "ok" : "warn"}>
      {text}
      {corrections ? ` ${corrections}.` : null}
      {holds ? null : " Raise the target, or label more rows. More rows make the range narrower."}
    </Alert>
  )
}

function Cost({ checked, goal: { costs } }: { checked: HalfCounts; goal: Goal }) {
  const saves = checked.cost < costs.review
  return (
    <Alert tone={saves ? "ok" : "warn"}>
      {saves
        ? `A row costs ${formatFigure(checked.cost)} on average in the checking half. Reviewing every row costs ${formatFigure(costs.review)}.`
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
  const columns: Column<CountLine>[] = [
    { head: "Rows", cell: ([name]) => name },
    { head: "Choosing half", align: "right", cell: ([, text]) => text(chosen) },
    { head: "Checking half", align: "right", cell: ([, text]) => text(checked) },
  ]
  return (
    <Table
      caption="Automatic answers on both halves"
      columns={columns}
      rows={hasCost ? [...COUNT_LINES, costLine] : COUNT_LINES}
      rowKey={([name]) => name}
      className="max-w-xl"
    />
  )
}
