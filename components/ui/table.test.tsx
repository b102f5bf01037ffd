import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import type { MoneyStyle } from "./money"
import { type Column, Table } from "./table"

const AMOUNTS = ["25", "-0.000052632", "0", "1234.5678", "0.009999999999"]

function shownIn(as: MoneyStyle): string[] {
  const columns: readonly Column<string>[] = [{ head: "Amount", as, usd: (usd) => usd }]
  const page = renderToStaticMarkup(<Table caption="Amounts" columns={columns} rows={AMOUNTS} rowKey={String} />)
  return [...page.matchAll(/>([−]?\$[\d.,]+)</g)].map((match) => match[1] ?? "")
}

test("a column of money has one number of decimals, so that its points are aligned", () => {
  expect(shownIn("amount")).toEqual(["$25.0000000", "−$0.0000526", "$0.0000000", "$1,234.5678000", "$0.0100000"])
  expect(shownIn("balance")).toEqual(["$25.0000000", "−$0.0000527", "$0.0000000", "$1,234.5678000", "$0.0099999"])
  expect(shownIn("exact")).toEqual([
    "$25.000000000000",
    "−$0.000052632000",
    "$0.000000000000",
    "$1,234.567800000000",
    "$0.009999999999",
  ])
})

test("an amount that is not shown in full has the exact amount as its title", () => {
  const columns: readonly Column<string>[] = [{ head: "Amount", usd: (usd) => usd }]
  const page = renderToStaticMarkup(
    <Table caption="Amounts" columns={columns} rows={["12.345", "3"]} rowKey={String} />,
  )
  expect([...page.matchAll(/title="([^"]*)"/g)].map((match) => match[1])).toEqual(["$12.345"])
})
