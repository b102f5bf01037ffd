import type { ReactNode } from "react"
import { Badge, type BadgeTone } from "@/components/ui/badge"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { ListedAccount } from "@/lib/server/accounts/list-accounts"
import { usd12 } from "@/lib/shared/money"
import { AccountLink } from "../../_components/account-scope"

const STATUS: Record<string, { label: string; tone: BadgeTone }> = {
  active: { label: "Active", tone: "neutral" },
  suspended: { label: "Suspended", tone: "warn" },
  closed: { label: "Closed", tone: "danger" },
}

export function AccountBadge({ status }: { status: string }) {
  const { label, tone } = STATUS[status] ?? { label: status, tone: "neutral" as const }
  return <Badge tone={tone}>{label}</Badge>
}

const COLUMNS: readonly Column<ListedAccount>[] = [
  {
    head: "Account",
    phone: "title",
    className: "font-medium",
    cell: (account) => (
      <span className="flex min-w-0 flex-col">
        <AccountLink account={account} />
        {account.name === null ? null : (
          <span className="wrap-anywhere font-normal text-ink-muted text-sm">{account.name}</span>
        )}
      </span>
    ),
  },
  { head: "Status", phone: "end", cell: ({ status }) => <AccountBadge status={status} /> },
  { head: "Balance", phone: "value", as: "balance", usd: ({ balancePico }) => usd12(balancePico) },
  { head: "Spent in 30 days", usd: ({ spentPico }) => usd12(spentPico) },
  { head: "Created", phone: "line", phoneLabel: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  {
    head: "Id",
    wideOnly: true,
    cell: ({ id }) => <span className="break-all font-mono text-ink-muted text-xs lg:whitespace-nowrap">{id}</span>,
  },
]

export function AccountTable({ accounts, empty }: { accounts: ListedAccount[]; empty: ReactNode }) {
  return <Table caption="Accounts" columns={COLUMNS} rows={accounts} rowKey={({ id }) => id} empty={empty} />
}
