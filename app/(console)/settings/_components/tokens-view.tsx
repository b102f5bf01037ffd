import type { ReactNode } from "react"
import { type Column, Table } from "@/components/ui/table"
import { Time } from "@/components/ui/time"
import type { AccountToken } from "@/lib/shared/accounts/schema"

const COLUMNS: Column<AccountToken>[] = [
  {
    head: "Name",
    phone: "title",
    className: "font-medium",
    cell: ({ name }) => <span className="break-words">{name}</span>,
  },
  { head: "Token", phone: "line", cell: ({ masked }) => <span className="font-mono text-sm">{masked}</span> },
  {
    head: "Scopes",
    cell: ({ rights }) => <span className="text-sm">{rights.join(", ") || "Ended with its creator's role"}</span>,
  },
  { head: "Created by", className: "break-all", cell: ({ createdBy }) => createdBy ?? "Unknown" },
  { head: "Created", wideOnly: true, cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  {
    head: "Expires",
    phone: "end",
    phoneLabel: true,
    cell: ({ expiresAt, isExpired }) =>
      isExpired ? "Expired" : expiresAt ? <Time at={expiresAt} as="date" /> : "never",
  },
  {
    head: "Last used",
    phone: "value",
    phoneLabel: true,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : "never"),
  },
]

interface TokenTableProps {
  tokens: AccountToken[]
  actions?: (token: AccountToken) => ReactNode
}

/** Lists the tokens of an account. */
export function TokenTable({ tokens, actions }: TokenTableProps) {
  return (
    <Table
      caption="Account tokens"
      columns={COLUMNS}
      rows={tokens}
      rowKey={({ id }) => id}
      actions={actions}
      empty={null}
    />
  )
}
