import { Fragment, type ReactNode } from "react"
import { Badge } from "@/components/ui/badge"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import type { LoggedRequest } from "@/lib/server/usage/request-row"
import { countOf, formatCount, formatMs } from "@/lib/shared/format"
import { countQuestions } from "./count-questions"

/** In a narrow window, a code breaks after its underscores, so that the table needs no scroll bar of its own. */
function Result({ request: { status, code } }: { request: LoggedRequest }) {
  if (!code) return <Badge>{status}</Badge>
  return (
    <Badge tone="warn">
      <span className="sm:max-xl:whitespace-normal">
        {status}{" "}
        {code.split("_").map((word, i) => (
          <Fragment key={word}>
            {i === 0 ? null : (
              <>
                _<wbr />
              </>
            )}
            {word}
          </Fragment>
        ))}
      </span>
    </Badge>
  )
}

const columnsFor = (labels: ReadonlyMap<string, string>): readonly Column<LoggedRequest>[] => [
  {
    head: "Request",
    phone: "title",
    cell: ({ id, at }) => (
      <span className="flex flex-col">
        <Time at={at} as="minute" className="self-start" />
        <TextLink alone href={`/requests/${id}`} className="break-all font-mono text-xs xl:whitespace-nowrap">
          {id}
        </TextLink>
      </span>
    ),
  },
  {
    head: "Key and model",
    phone: "line",
    className: "sm:min-w-28 xl:min-w-40",
    cell: ({ keyId, keyName, model }) => (
      <span className="flex min-w-0 flex-col">
        <span className="wrap-anywhere">{labels.get(keyId) ?? keyName}</span>
        <span className="break-all font-mono text-ink-muted text-xs">{model}</span>
      </span>
    ),
  },
  {
    head: "Questions",
    cell: ({ charge }) =>
      charge ? (
        <>
          {countQuestions(charge.questionCounts)}
          <span className="hidden text-ink-muted text-sm sm:max-xl:block">{countOf(charge.tokens, "token")}</span>
        </>
      ) : (
        "–"
      ),
  },
  {
    head: "Tokens",
    align: "right",
    wideOnly: true,
    cell: ({ charge }) => (charge ? formatCount(charge.tokens) : "–"),
  },
  {
    head: "Cost",
    phone: "end",
    usd: ({ charge }) => charge?.costUsd ?? null,
    none: <span className="text-ink-muted">not charged</span>,
  },
  {
    head: "Result",
    phone: "value",
    cell: (request) => <Result request={request} />,
  },
  { head: "Latency", align: "right", cell: ({ latencyMs }) => formatMs(latencyMs) },
]

interface RequestTableProps {
  requests: LoggedRequest[]
  /** Key names by key id, unique within the account. */
  labels: ReadonlyMap<string, string>
  empty: ReactNode
}

/** Lists requests without their content, which is never stored. Each id leads to the request's page. */
export function RequestTable({ requests, labels, empty }: RequestTableProps) {
  return <Table caption="Requests" columns={columnsFor(labels)} rows={requests} rowKey={({ id }) => id} empty={empty} />
}
