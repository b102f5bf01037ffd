import { Cost, Money } from "@/components/ui/money"
import { type Column, Table } from "@/components/ui/table"
import { formatBalance, formatPrice, formatUsd, formatUsdTick } from "@/lib/shared/format"
import { Sample } from "./sample"

const AMOUNTS = ["1234.567800000000", "25", "0.999958", "0.009999999999", "0.000052632", "0", "-0.000041", "-8.991"]

/** One column per style. Each column has one number of decimals. */
const STYLES: readonly Column<string>[] = [
  { head: "Exact", as: "exact", usd: (usd) => usd },
  { head: "Amount, rounded to the nearest", usd: (usd) => usd },
  { head: "Balance, rounded down", as: "balance", usd: (usd) => usd },
  { head: "Cost in a sentence", align: "right", cell: (usd) => <Cost usd={usd} /> },
]

/** Shows every way in which amounts are shown: in columns, and in sentences. */
export function MoneySamples() {
  return (
    <Sample of="Money: columns and sentences">
      <Table caption="Styles of money" columns={STYLES} rows={AMOUNTS} rowKey={String} className="w-full" />
      <ul className="list-disc pl-5">
        <li>
          A sum: <Money usd="12.345678900000" />. A small cost: {formatUsd("0.000052632")}. The exact amount is its
          title.
        </li>
        <li>Credit that is left, never more than it is: {formatBalance("4.999999999999")}.</li>
        <li>A price per million tokens, with every digit: {formatPrice("0.731000")}.</li>
        <li>
          A price or cost of zero: {formatPrice("0")}. A model without a price: {formatPrice(null)}.
        </li>
        <li>The axis of a chart: {[0, 0.00002, 0.3, 25].map((usd) => formatUsdTick(usd)).join(", ")}.</li>
      </ul>
    </Sample>
  )
}
