import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { describeAction } from "@/lib/server/audit/actions"
import { listServiceAudit, type ServiceAuditLine } from "@/lib/server/audit/list-service-audit"
import { requireOperator } from "@/lib/server/auth/operator"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { formatExactTime } from "@/lib/shared/format"
import { AuditView, viewHref } from "@/lib/shared/operator/search"
import { AccountScope } from "../_components/account-scope"
import { type ShowLink, ShowLinks } from "../_components/list-filters"
import { operatorTitle } from "../_components/operator-title"
import { Paging } from "../_components/paging"

export const generateMetadata = () => operatorTitle("Audit")

const PATH = "/operator/audit"

const LINKS: readonly ShowLink<AuditView["show"]>[] = [
  { show: "all", label: "All" },
  { show: "operator", label: "By operators" },
  { show: "accounts", label: "Accounts" },
  { show: "billing", label: "Billing" },
  { show: "models", label: "Models" },
  { show: "keys", label: "Keys" },
  { show: "sign-ins", label: "Sign-ins" },
]

const COLUMNS: readonly Column<ServiceAuditLine>[] = [
  {
    head: "Time",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ at }) => <time dateTime={at}>{formatExactTime(new Date(at))}</time>,
  },
  {
    head: "What happened",
    className: "sm:w-1/3",
    cell: ({ action, detail, subject }) => (
      <span className="wrap-anywhere flex min-w-0 flex-col">
        <span className="font-medium">{describeAction(action)}</span>
        {detail ? <span className="text-sm">{detail}</span> : null}
        {subject ? <span className="font-mono text-ink-muted text-xs">{subject}</span> : null}
      </span>
    ),
  },
  {
    head: "Account",
    cell: ({ account }) =>
      account ? (
        <TextLink alone href={`/operator/accounts/${account.id}`} className="wrap-anywhere">
          {account.email ?? account.id}
        </TextLink>
      ) : (
        "–"
      ),
  },
  {
    head: "By",
    cell: ({ by, isByOperator }) => (
      <span className="wrap-anywhere min-w-0">
        {by}
        {isByOperator && by !== "Command line" ? <span className="text-ink-muted text-sm"> (operator)</span> : null}
      </span>
    ),
  },
  {
    head: "Client address",
    wideOnly: true,
    cell: ({ clientAddress }) => <span className="break-all font-mono text-sm">{clientAddress ?? "–"}</span>,
  },
]

interface AuditPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function ServiceAuditPage({ searchParams }: AuditPageProps) {
  const operator = await requireOperator(PATH)
  const view = AuditView.parse(await searchParams)
  const accountId = parsePublicId("acc", view.account)
  const shown = accountId ? view : { ...view, account: "" }
  const { lines, next } = await listServiceAudit(runtime(), operator, { accountId, show: view.show, after: view.after })
  return (
    <>
      <PageHeader title="Audit log">
        Changes by operators and by accounts, and sign-ins: who made them, when, and from where. Entries are never
        removed. Only client addresses and personal details are erased, when their user is deleted or their account is
        closed.
      </PageHeader>
      <div className="pb-3">
        <ShowLinks label="Filter entries" path={PATH} view={shown} links={LINKS} />
      </div>
      {accountId ? (
        <AccountScope of="entries" account={view.account} all={viewHref(PATH, { show: view.show })} />
      ) : null}
      {lines.length > 0 ? (
        <Table caption="Audit log" columns={COLUMNS} rows={lines} rowKey={({ id }) => id} />
      ) : (
        <EmptyState title="No entries">
          {view.after === null ? "No entry matches this filter yet." : "There are no older entries."}
        </EmptyState>
      )}
      <Paging
        of="entries"
        first={view.after === null ? null : viewHref(PATH, { ...shown, after: null })}
        next={next === null ? null : viewHref(PATH, { ...shown, after: next })}
      />
    </>
  )
}
