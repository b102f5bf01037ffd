import { Support } from "@/components/site/support"
import { TopupBadge } from "@/components/topup-badge"
import { EmptyState } from "@/components/ui/empty-state"
import { Money } from "@/components/ui/money"
import { Section } from "@/components/ui/section"
import { type Column, Table } from "@/components/ui/table"
import { TextLink } from "@/components/ui/text-link"
import { Time } from "@/components/ui/time"
import type { Topup } from "@/lib/server/billing/topup"
import { formatUsd } from "@/lib/shared/format"
import { CancelTopup } from "./cancel-topup"

const ZERO = /^0\.0+$/

/** Shows how much of the credit was refunded or disputed, if any. */
function reversals({ refundedUsd, disputedUsd }: Topup) {
  return (
    <>
      {ZERO.test(refundedUsd) ? null : (
        <span className="text-sm">
          refunded <Money usd={refundedUsd} />
        </span>
      )}
      {ZERO.test(disputedUsd) ? null : (
        <span className="text-sm">
          disputed <Money usd={disputedUsd} />
        </span>
      )}
    </>
  )
}

const columnsFor = (canPay: boolean): readonly Column<Topup>[] => [
  { head: "Date (UTC)", phone: "title", cell: ({ at }) => <Time at={at} as="minute" /> },
  { head: "Credit", phone: "value", usd: ({ creditUsd }) => creditUsd },
  { head: "Total paid", usd: ({ paidUsd }) => paidUsd },
  {
    head: "Status",
    phone: "line",
    cell: (topup) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <TopupBadge status={topup.status} />
        {topup.isAutomatic ? <span className="text-sm">automatic</span> : null}
        {reversals(topup)}
        {topup.status === "attention" ? (
          <span className="text-sm">
            Contact <Support /> with <span className="break-all font-mono text-xs">{topup.id}</span>
          </span>
        ) : null}
        {topup.checkoutUrl && canPay ? (
          <>
            <TextLink alone href={topup.checkoutUrl}>
              Resume
            </TextLink>
            <CancelTopup id={topup.id} amount={formatUsd(topup.creditUsd)} />
          </>
        ) : null}
      </span>
    ),
  },
  {
    head: "Receipt",
    phone: "end",
    cell: ({ receiptUrl }) =>
      receiptUrl ? (
        <TextLink alone href={receiptUrl}>
          Open receipt
        </TextLink>
      ) : null,
  },
  { head: "Id", wideOnly: true, cell: ({ id }) => <span className="break-all font-mono text-xs">{id}</span> },
]

interface TopupTableProps {
  topups: Topup[]
  /** Whether the user may pay an open checkout, or cancel it. */
  canPay: boolean
}

export function TopupTable({ topups, canPay }: TopupTableProps) {
  return (
    <Section id="topups" title="Top-ups">
      <Table
        caption="Top-ups"
        columns={columnsFor(canPay)}
        rows={topups}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title="No top-ups yet">
            Your payments will appear here with their receipts. A top-up adds credit as soon as it is paid.
          </EmptyState>
        }
      />
    </Section>
  )
}
