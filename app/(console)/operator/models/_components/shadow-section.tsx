import { Section } from "@/components/ui/section"
import { countOf, formatDate, formatExactUsd, formatMs } from "@/lib/shared/format"
import type { ShadowReport } from "@/lib/shared/shadows/shadow-report"
import { takenText } from "@/lib/shared/shadows/shadow-texts"
import { ShadowTable } from "../../../_components/shadow-table"

const day = (at: string) => `${formatDate(new Date(at))} (UTC)`

function stateOf({ startedAt, endedAt, until }: ShadowReport): string {
  if (endedAt) return `It ran from ${day(startedAt)} to ${day(endedAt)}.`
  return `It has run since ${day(startedAt)}${until ? `, and ends on ${day(until)}` : ""}.`
}

function costOf({ spentUsd, budgetUsd, to }: ShadowReport): string {
  const budget = budgetUsd === null ? "" : ` of a budget of ${formatExactUsd(budgetUsd)}`
  return `The tokens cost ${formatExactUsd(spentUsd)}${budget} at the price of ${to}. No account pays for them.`
}

const meanMs = (ms: number | null) => formatMs(ms === null ? null : Math.round(ms))

/** Shows how the candidate of the alias's latest shadow compares, over all accounts. */
export function ShadowSection({ shadow }: { shadow: ShadowReport }) {
  const { alias, from, to, share, answered, failed, skipped, accounts, questions } = shadow
  return (
    <Section
      id="shadow"
      title="Shadow of the alias"
      hint={`${takenText(share)} of the answered requests to ${alias} ${shadow.endedAt ? "were" : "are"} also asked of ${to}. ${stateOf(shadow)}`}
    >
      <ul className="list-disc pl-5">
        <li>
          {countOf(answered, "request")} of {countOf(accounts, "account")} answered, {failed} failed, {skipped} not
          asked.
        </li>
        <li>
          Mean time without waiting for a place: {meanMs(shadow.servedMs)} for {from}, {meanMs(shadow.candidateMs)} for{" "}
          {to}.
        </li>
        <li>{costOf(shadow)}</li>
      </ul>
      {questions.length > 0 ? <ShadowTable questions={questions} /> : null}
    </Section>
  )
}
