import { Badge, type BadgeTone } from "@/components/ui/badge"
import { Money, mostDecimals } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import type { ListedAccount } from "@/lib/server/accounts/list-accounts"
import { usd12 } from "@/lib/shared/money"

const STATUS: Record<string, { label: string; tone: BadgeTone }> = {
  active: { label: "Active", tone: "neutral" },
  suspended: { label: "Suspended", tone: "warn" },
  closed: { label: "Closed", tone: "danger" },
}

export function AccountBadge({ status }: { status: string }) {
  const { label, tone } = STATUS[status] ?? { label: status, tone: "neutral" as const }
  return <Badge tone={tone}>{label}</Badge>
}

const columnsFor = (balance: number, spent: number): readonly Column<ListedAccount>[] => [
  {
    head: "Account",
    className: "font-medium",
    cell: ({ id, email }) => (
      <TextLink
        alone
        href={`/operator/accounts/${id}`}
        className="wrap-anywhere text-ink decoration-line-strong hover:text-accent"
      >
        {email ?? id}
      </TextLink>
    ),
  },
  { head: "Status", cell: ({ status }) => <AccountBadge status={status} /> },
  {
    head: "Balance",
    align: "right",
    cell: ({ balancePico }) => <Money usd={usd12(balancePico)} decimals={balance} />,
  },
  {
    head: "Spent in 30 days",
    align: "right",
    cell: ({ spentPico }) => <Money usd={usd12(spentPico)} decimals={spent} />,
  },
  { head: "Created", cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  {
    head: "Id",
    wideOnly: true,
    cell: ({ id }) => <span className="break-all font-mono text-ink-muted text-xs lg:whitespace-nowrap">{id}</span>,
  },
]

export function AccountTable({ accounts }: { accounts: ListedAccount[] }) {
  const decimals = (of: (account: ListedAccount) => string) => mostDecimals(accounts.map(of))
  const columns = columnsFor(
    decimals(({ balancePico }) => usd12(balancePico)),
    decimals(({ spentPico }) => usd12(spentPico)),
  )
  return <Table caption="Accounts" columns={columns} rows={accounts} rowKey={({ id }) => id} />
}
