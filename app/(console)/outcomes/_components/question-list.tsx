import { EmptyState } from "@/components/ui/empty-state"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import type { OutcomeQuestion } from "@/lib/server/outcomes/schema"
import { type OutcomesSearch, outcomesHref } from "@/lib/server/outcomes/search"
import { formatCount } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"

type Listed = OutcomeQuestion & { outcomes: number }

const columnsFor = (search: OutcomesSearch): readonly Column<Listed>[] => [
  {
    head: "Question",
    phone: "title",
    cell: ({ question, type, model }) => (
      <TextLink alone href={outcomesHref(search, { chosen: { question, type, model } })} scroll={false}>
        <span className="wrap-anywhere">{shortText(question, 60)}</span>
      </TextLink>
    ),
  },
  { head: "Type", phone: "line", cell: ({ type }) => type },
  { head: "Model", phone: "end", cell: ({ model }) => <span className="break-all font-mono text-xs">{model}</span> },
  { head: "Outcomes", phone: "value", align: "right", cell: ({ outcomes }) => formatCount(outcomes) },
]

interface QuestionListProps {
  questions: readonly Listed[]
  search: OutcomesSearch
  /** Whether the account keeps outcomes. */
  isOn: boolean
}

/** Lists the questions that have outcomes, with links to their figures. */
export function QuestionList({ questions, search, isOn }: QuestionListProps) {
  return (
    <Table
      caption="Questions with outcomes"
      columns={columnsFor(search)}
      rows={questions}
      rowKey={({ question, type, model }) => JSON.stringify([question, type, model])}
      empty={
        isOn ? (
          <EmptyState title="No outcomes in these days">
            Your programs report them to <code>POST /v1/outcomes</code>, or you upload a file.{" "}
            <TextLink href="/docs/outcomes">How to report outcomes</TextLink>
          </EmptyState>
        ) : (
          <EmptyState title="This account keeps no outcomes">
            An owner turns on “Keep outcomes” under <TextLink href="/settings">Settings</TextLink>. Your programs then
            report what really happened, as numbers without any text.{" "}
            <TextLink href="/docs/outcomes">How to report outcomes</TextLink>
          </EmptyState>
        )
      }
    />
  )
}
