import { type Column, Table } from "@/components/ui/table"
import type { ShadowQuestions } from "@/lib/shared/shadows/shadow-report"
import { questionsText } from "@/lib/shared/shadows/shadow-texts"

const COLUMNS: readonly Column<ShadowQuestions>[] = [
  {
    head: "Question type",
    phone: "title",
    cell: ({ type, options }) => (
      <>
        <code className="font-mono text-sm">{type}</code>, {options} possible answers
      </>
    ),
  },
  { head: "Would change", phone: "value", align: "right", cell: (row) => questionsText(row).changed },
  {
    head: "95% interval (Wilson)",
    phone: "line",
    phoneLabel: true,
    align: "right",
    cell: (row) => questionsText(row).interval,
  },
  { head: "Compared", phone: "end", phoneLabel: true, align: "right", cell: (row) => questionsText(row).compared },
  { head: "Mean distance", align: "right", cell: (row) => questionsText(row).mean },
]

/** Shows how two models' answers compare, by question type and number of possible answers. */
export function ShadowTable({ questions }: { questions: readonly ShadowQuestions[] }) {
  return (
    <>
      <Table
        caption="How the answers compare"
        columns={COLUMNS}
        rows={questions}
        rowKey={({ type, options }) => `${type} ${options}`}
      />
      <p className="max-w-text text-ink-muted text-sm">
        An answer would change when its probability of yes is on the other side of 0.5, or when another option or level
        is the most likely. The intervals take the questions as independent. The distance is the total variation
        distance of the probabilities: 0 if they are equal, 1 if they have nothing in common.
      </p>
    </>
  )
}
