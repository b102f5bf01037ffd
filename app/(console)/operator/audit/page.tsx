import { EmptyState } from "@/components/ui/empty-state"
import { PageHeader } from "@/components/ui/page-header"
import { Paging } from "@/components/ui/paging"
import { type Column, Table } from "@/components/ui/table"
import { describeAction } from "@/lib/server/audit/actions"
import { listServiceAudit, type ServiceAuditLine } from "@/lib/server/audit/list-service-audit"
import { requireOperator } from "@/lib/server/auth/operator"
import { parsePublicId } from "@/lib/server/platform/ids"
import { runtime } from "@/lib/server/platform/runtime"
import { formatExactTime } from "@/lib/shared/format"
import { AuditView } from "@/lib/shared/operator/search"
import { viewHref } from "@/lib/shared/view-href"
import { AccountLink, AccountScope } from "../_components/account-scope"
import { lookAtListOf } from "../_components/look-at"
import { operatorTitle } from "../_components/operator-title"
import { type ShowLink, ShowLinks } from "../_components/show-links"

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
    phone: "end",
    className: "whitespace-nowrap tabular-nums",
    cell: ({ at }) => <time dateTime={at}>{formatExactTime(new Date(at))}</time>,
  },
  {
    head: "What happened",
    phone: "title",
    className: "sm:w-1/3",
    cell: ({ action, detail, subject }) => (
      <span className="wrap-anywhere flex min-w-0 flex-col">
        <span className="font-medium">{describeAction(action)}</span>
        {detail ? <span className="text-sm">{detail}</span> : null}
        {subject ? <span className="font-mono text-ink-muted text-xs">{subject}</span> : null}
      </span>
    ),
  },
  { head: "Account", phone: "line", cell: ({ account }) => (account ? <AccountLink account={account} /> : "–") },
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

export default async function ServiceAuditPage({ searchParams }: PageProps<"/operator/audit">) {
  const operator = await requireOperator(PATH)
  const view = AuditView.parse(await searchParams)
  const accountId = parsePublicId("acc", view.account)
  if (accountId) await lookAtListOf(view.account, operator, PATH)
  const shown = accountId ? view : { ...view, account: "" }
  const { lines, next } = await listServiceAudit(runtime(), operator, { accountId, show: view.show, after: view.after })
  return (
    <>
      <PageHeader title="Audit log">
        Changes by operators and by accounts, and sign-ins: who made them, when, and from where. Entries are never
        removed. Only client addresses and personal details are erased, when their user is deleted or their account is
        closed.
      </PageHeader>
      <div className="flex flex-col gap-4">
        <ShowLinks label="Filter entries" path={PATH} view={shown} links={LINKS} />
        {accountId ? (
          <AccountScope of="entries" account={view.account} all={viewHref(PATH, { show: view.show })} />
        ) : null}
        <Table
          caption="Audit log"
          columns={COLUMNS}
          rows={lines}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No entries">
              {view.after === null ? "No entry matches this filter yet." : "There are no older entries."}
            </EmptyState>
          }
        />
        <Paging of="entries" page={view.after} next={next} hrefOf={(after) => viewHref(PATH, { ...shown, after })} />
      </div>
    </>
  )
}
