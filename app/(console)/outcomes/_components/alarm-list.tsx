import { Badge } from "@/components/ui/badge"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import type { WatchedQuestion } from "@/lib/server/outcomes/outcome-alarms"
import { type OutcomesSearch, outcomesHref } from "@/lib/server/outcomes/search"
import { formatCount, formatDate } from "@/lib/shared/format"
import { shortText } from "@/lib/shared/long-runs"
import { DEFAULT_TARGET } from "@/lib/shared/outcomes/outcomes-address"

/** Returns the part of the page's address that shows a question with the thresholds of its alarms. */
function addressOf({ question, type, model, alarms }: WatchedQuestion): Pick<OutcomesSearch, "chosen" | "rule"> {
  const [above, below] = (["above", "below"] as const).map((side) => alarms.find(({ claim }) => claim === side))
  return {
    chosen: { question, type, model },
    rule: {
      from: above?.threshold ?? null,
      below: below?.threshold ?? null,
      targetAbove: above?.target ?? DEFAULT_TARGET,
      targetBelow: below?.target ?? DEFAULT_TARGET,
    },
  }
}

const countedOf = ({ alarms }: WatchedQuestion): number => Math.max(...alarms.map(({ counted }) => counted))
const firedOf = ({ alarms }: WatchedQuestion): number => alarms.filter(({ firedAt }) => firedAt !== null).length

const columnsFor = (search: OutcomesSearch): readonly Column<WatchedQuestion>[] => [
  {
    head: "Question",
    phone: "title",
    cell: (watched) => (
      <TextLink alone href={outcomesHref(search, addressOf(watched))} scroll={false}>
        <span className="wrap-anywhere">{shortText(watched.question, 60)}</span>
      </TextLink>
    ),
  },
  { head: "Model", phone: "end", cell: ({ model }) => <span className="break-all font-mono text-xs">{model}</span> },
  { head: "Set", phone: "line", phoneLabel: true, cell: ({ setAt }) => formatDate(new Date(setAt)) },
  { head: "Outcomes since", align: "right", cell: (watched) => formatCount(countedOf(watched)) },
  {
    head: "State",
    phone: "value",
    cell: (watched) =>
      firedOf(watched) > 0 ? (
        <Badge tone="danger">{`${firedOf(watched)} of ${watched.alarms.length} fired`}</Badge>
      ) : (
        "None fired"
      ),
  },
]

interface AlarmListProps {
  questions: readonly WatchedQuestion[]
  search: OutcomesSearch
}

/** Lists the questions that have alarms, with those first of which one fired. */
export function AlarmList({ questions, search }: AlarmListProps) {
  return (
    <Table
      caption="Questions with alarms"
      columns={columnsFor(search)}
      rows={questions.toSorted((a, b) => firedOf(b) - firedOf(a))}
      rowKey={({ question, type, model }) => JSON.stringify([question, type, model])}
      empty={null}
    />
  )
}
