"use client"
import { useState } from "react"
import { Button } from "@/components/ui/button"
import { labelledQuestionsOf, readRows } from "@/lib/shared/evaluate/rows/read-rows"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { outcomesOf } from "@/questions/question-types"
import { useOpenSet } from "../../model/open-set"
import { stateText } from "../state-text"

const SHOWN_LENGTH = 1_500

/** Shows one row as the model gets it, with its labels. */
export function RowPreview() {
  const set = useOpenSet((state) => state.set)
  const rows = useOpenSet((state) => state.rows)
  const [at, setAt] = useState(0)
  const row = rows[Math.min(at, rows.length - 1)]
  if (!row) return null
  const questions = labelledQuestionsOf(set.form)
  const { usable, faults } = readRows(set, [row], questions)
  const [shown] = usable
  return (
    <section aria-label="Preview" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto font-semibold text-lg">
          Row {formatCount(row.index + 1)}{" "}
          <span className="font-normal text-ink-muted text-sm">line {formatCount(row.line)}</span>
        </h2>
        <Button variant="secondary" size="sm" disabled={at === 0} onClick={() => setAt(at - 1)}>
          Previous row
        </Button>
        <Button variant="secondary" size="sm" disabled={at >= rows.length - 1} onClick={() => setAt(at + 1)}>
          Next row
        </Button>
      </div>
      {shown ? (
        <>
          <pre
            dir="auto"
            className="wrap-anywhere whitespace-pre-wrap rounded-md border border-line bg-sunken p-3 font-mono text-sm"
          >
            {stateText(shown.state, SHOWN_LENGTH)}
          </pre>
          <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
            {questions.map((question, index) => {
              const label = shown.labels[index]
              const name =
                label === null || label === undefined ? "no label" : outcomesOf(question).names(question)[label]
              return (
                <div key={question.name} className="flex gap-1.5">
                  <dt className="font-mono text-ink-muted">{question.name}</dt>
                  <dd dir="auto" className="wrap-anywhere">
                    {shortText(name)}
                  </dd>
                </div>
              )
            })}
          </dl>
        </>
      ) : (
        <p className="text-ink-muted">This row cannot be used. {faults[0]?.reason}</p>
      )}
    </section>
  )
}
