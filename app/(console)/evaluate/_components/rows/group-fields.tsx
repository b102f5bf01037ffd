"use client"
import { Alert } from "@/components/ui/alert"
import { SelectField } from "@/components/ui/select"
import type { Leak } from "@/lib/shared/evaluate/rows/find-leaks"
import { countOf } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { formatPercent } from "@/questions/display"
import { useOpenSet, useOpenSetStore } from "../../model/open-set"

/** Lets the user say which rows belong together, and names what gives the right answers away. */
export function GroupFields() {
  const { getState, changeSet } = useOpenSetStore()
  const columns = useOpenSet(({ set }) => set.columns)
  const group = useOpenSet(({ set }) => set.mapping.group)
  const summary = useOpenSet((state) => state.summary)
  const choose = (column: string) => {
    const { group: _, ...mapping } = getState().set.mapping
    changeSet({ mapping: column === "" ? mapping : { ...mapping, group: column } })
  }
  return (
    <section aria-label="Groups" className="flex flex-col gap-3">
      <h2 className="font-semibold text-lg">Which rows belong together</h2>
      <SelectField
        label="Rows belong together when they share"
        hint="For example a customer, a thread or a template. Such rows are not independent, so one row of each group counts in the figures."
        value={group ?? ""}
        none="The state"
        options={columns}
        onChoose={choose}
      />
      {summary && summary.usable.length > 0 ? (
        <p className="text-sm tabular-nums">
          {countOf(summary.usable.length, "row")}, {countOf(summary.distinct.length, "different state")},{" "}
          {countOf(summary.groups, "group")}.
          {summary.conflicts > 0
            ? ` ${countOf(summary.conflicts, "state")} ${summary.conflicts === 1 ? "has" : "have"} copies with different right answers.`
            : null}
        </p>
      ) : null}
      {summary?.leaks.map((leak) => (
        <LeakAlert key={JSON.stringify(leak)} leak={leak} />
      ))}
    </section>
  )
}

function LeakAlert({ leak }: { leak: Leak }) {
  const question = shortText(leak.question)
  if (leak.kind === "state")
    return (
      <Alert tone="warn" title={`The state contains the right answer of “${question}”`}>
        The text of the label, and of no other label, is in {formatPercent(leak.share)} of the states. A model that
        reads the answer proves nothing. Take it out of the state.
      </Alert>
    )
  const column = shortText(leak.column)
  if (leak.isRead)
    return (
      <Alert tone="warn" title={`The model reads a column that gives away the right answer of “${question}”`}>
        The value of “{column}” determines the label. A model that reads the answer proves nothing. Leave the column out
        of the state, unless you have its value before you ask.
      </Alert>
    )
  return (
    <Alert title={`“${column}” determines the right answer of “${question}”`}>
      The model does not read this column. If its rows belong together, choose it above. Otherwise check that the labels
      were not derived from it.
    </Alert>
  )
}
