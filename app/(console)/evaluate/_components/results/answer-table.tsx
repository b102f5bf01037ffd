"use client"
import { useMemo, useState } from "react"
import { Button } from "@/components/ui/button"
import { type Column, Table } from "@/components/ui/table"
import { formatCount } from "@/lib/shared/format"
import { formatPercent } from "@/questions/display"
import { mostLikely } from "@/questions/probabilities"
import { type CheckedQuestion, outcomesOf } from "@/questions/question-types"
import { type JudgedRow, judgedRows } from "../../model/judged-rows"
import { useOpenSet } from "../../model/open-set"
import { questionsOf } from "../../model/read-rows"

const PAGE_ROWS = 20

interface AnsweredQuestion {
  question: CheckedQuestion
  names: string[]
  judged: JudgedRow[]
}

/** Lists the answers beside the labels, wrong ones first, the most confident of them at the top. */
export function AnswerTable() {
  const set = useOpenSet((state) => state.set)
  const run = useOpenSet((state) => state.run)
  const rows = useOpenSet((state) => state.rows)
  const results = useOpenSet((state) => state.results)
  const answered = useMemo(
    () =>
      run
        ? questionsOf(run.form).map((question): AnsweredQuestion => {
            const judged = judgedRows(set, run, { rows, results }, question.name)
            return { question, names: outcomesOf(question).names(question), judged: judged.toSorted(byLoss) }
          })
        : [],
    [set, run, rows, results],
  )
  return answered.map((each) => <Answers key={each.question.name} {...each} />)
}

const byLoss = (a: JudgedRow, b: JudgedRow): number => (a.probabilities[a.label] ?? 0) - (b.probabilities[b.label] ?? 0)

function Answers({ question, names, judged }: AnsweredQuestion) {
  const [shown, setShown] = useState(PAGE_ROWS)
  const columns: Column<JudgedRow>[] = [
    { head: "Line", align: "right", cell: ({ line }) => formatCount(line) },
    { head: "Answer", cell: ({ probabilities }) => names[mostLikely(probabilities)] },
    {
      head: "Probability",
      align: "right",
      cell: ({ probabilities }) => formatPercent(probabilities[mostLikely(probabilities)] ?? 0),
    },
    { head: "Label", cell: ({ label }) => names[label] },
    {
      head: "Of the label",
      align: "right",
      cell: ({ label, probabilities }) => formatPercent(probabilities[label] ?? 0),
    },
  ]
  return (
    <section aria-label={`Answers of ${question.name}`} className="flex flex-col gap-2">
      <h2 className="font-medium font-mono text-md">{question.name}</h2>
      <p className="text-ink-muted text-sm">
        {formatCount(judged.length)} answered rows with a label, the most wrong ones first.
      </p>
      <Table
        caption={`Answers of ${question.name} beside the labels`}
        columns={columns}
        rows={judged.slice(0, shown)}
        rowKey={({ row }) => String(row)}
      />
      {judged.length > shown ? (
        <div className="print:hidden">
          <Button variant="secondary" size="sm" onClick={() => setShown(shown + 5 * PAGE_ROWS)}>
            Show more
          </Button>
        </div>
      ) : null}
    </section>
  )
}
