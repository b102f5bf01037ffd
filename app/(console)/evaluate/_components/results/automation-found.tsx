"use client"
import { memo } from "react"
import { Alert } from "@/components/ui/alert"
import { type Column, Table } from "@/components/ui/table"
import {
  type Automation,
  formatBound,
  type Goal,
  ONE_TARGET,
  type RuleCounts,
  type StatedClaim,
  statedClaims,
} from "@/lib/shared/evaluate/figures/automation"
import { NEEDS_NO_CALIBRATION } from "@/lib/shared/evaluate/figures/calibration-verdict"
import { formatFigure, formatShare, intervalText } from "@/lib/shared/evaluate/figures/figure-text"
import { countOf, formatCount } from "@/lib/shared/format"
import { wilsonInterval } from "@/lib/shared/statistics/binomial"

interface FoundAutomationProps {
  automation: Automation
  goal: Goal
  /** What keeps a claim from being confirmed. Null while that is not known. */
  doubts: string[] | null
  /** The probabilities are known to differ from how often they come true. */
  isMiscalibrated: boolean
  /** What the user corrected in the labels behind the rows. */
  corrections: string | null | undefined
}

/** Shows the rule and how it did. Memoized, so that moving the slider renders it only for a new result. */
export const FoundAutomation = memo(function FoundAutomation({
  automation,
  goal,
  doubts,
  isMiscalibrated,
  corrections,
}: FoundAutomationProps) {
  const { rule, claims, counts, halves, mistakes } = automation
  const share = wilsonInterval(counts.automatic, counts.rows)
  return (
    <div className="flex flex-col gap-3" aria-live="polite">
      <p className="font-semibold text-lg">{rule}</p>
      {goal.kind === "costs" && halves ? <Cost checked={halves.checked} goal={goal} /> : null}
      {statedClaims(claims).map((claim) => (
        <Verdict key={claim.text} {...{ claim, doubts, corrections }} />
      ))}
      {claims.length > 0 && isMiscalibrated ? (
        <p className="max-w-text">The probabilities are not calibrated. {NEEDS_NO_CALIBRATION}</p>
      ) : null}
      <p className="max-w-text">
        {automaticText(counts)} {formatShare(counts.automatic / counts.rows)} (95% interval{" "}
        {intervalText(share, formatShare)}). {mistakes}
      </p>
      {halves ? <HalvesTable halves={halves} hasCost={goal.kind === "costs"} /> : null}
      <p className="max-w-text text-ink-muted text-sm">{ONE_TARGET}</p>
    </div>
  )
})

/** Says how many rows are automatic. Their share follows. */
export const automaticText = ({ rows, automatic }: Pick<RuleCounts, "rows" | "automatic">): string =>
  `Of the ${countOf(rows, "row")}, ${formatCount(automatic)} ${automatic === 1 ? "is" : "are"} automatic:`

/** A claim is confirmed only if nothing else on the page speaks against the model or the rows. */
function Verdict({
  claim,
  doubts,
  corrections,
}: { claim: StatedClaim } & Pick<FoundAutomationProps, "doubts" | "corrections">) {
  const text = `${claim.text} ${claim.evidence}${corrections ? ` ${corrections}.` : ""}`
  const split =
    claim.method === "split"
      ? " The surest answers are the bad ones, so one half of the rows chose this threshold, and the other half checked it."
      : ""
  if (!doubts) return <Alert tone="info">{text + split}</Alert>
  if (doubts.length === 0)
    return (
      <Alert tone="ok">
        Confirmed: {text}
        {split}
      </Alert>
    )
  return (
    <Alert tone="warn">
      {text}
      {split} Do not rely on it yet. {doubts.join(" ")}
    </Alert>
  )
}

function Cost({ checked, goal: { costs } }: { checked: RuleCounts; goal: Goal }) {
  const saves = checked.cost < costs.review
  return (
    <Alert tone={saves ? "info" : "warn"}>
      {saves
        ? `A row costs ${formatFigure(checked.cost)} on average in the checking half. Reviewing every row costs ${formatFigure(costs.review)}.`
        : `No cheaper than reviewing every row, which costs ${formatFigure(costs.review)} per row.`}
      {checked.automatic > 0
        ? ` At most ${formatBound(checked.errorBound)} of the automatic answers are wrong (95% confidence, shown on the checking half).`
        : null}
    </Alert>
  )
}

type CountLine = [name: string, text: (half: RuleCounts) => string]

const COUNT_LINES: CountLine[] = [
  ["Rows", ({ rows }) => formatCount(rows)],
  ["Automatic", ({ automatic }) => formatCount(automatic)],
  ["Review", ({ review }) => formatCount(review)],
  ["Wrong among automatic", ({ wrong }) => formatCount(wrong)],
]

interface HalvesTableProps {
  halves: NonNullable<Automation["halves"]>
  hasCost: boolean
}

function HalvesTable({ halves: { chosen, checked }, hasCost }: HalvesTableProps) {
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
