import { PathnameContext } from "next/dist/shared/lib/hooks-client-context.shared-runtime"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import type { Debt } from "@/lib/server/billing/balance"
import type { Runway } from "@/lib/server/billing/runway"
import { BalanceBanner } from "./balance-banner"

const BELOW: Runway = { level: "empty", balanceUsd: "-8.991000000000", days: null, rateDays: 7 }
const DEBT: Debt = {
  parts: [
    { kind: "debit", amountUsd: "9.000000000000", note: "Correction of the October credit" },
    { kind: "refund", amountUsd: "2.500000000000", note: null },
  ],
  smallestTopupUsd: "10",
}

const bannerOf = (runway: Runway, debt: Debt | null, mayPay = true): string =>
  renderToStaticMarkup(<BalanceBanner runway={runway} debt={debt} mayPay={mayPay} />)

const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

test("a balance below zero is explained with its reasons and has one action", () => {
  const html = bannerOf(BELOW, DEBT)
  expect(textOf(html)).toBe(
    "The balance is below zero: −$9.00 Correction of the October credit, −$9.00, by the operator " +
      "−$2.50 for a refunded top-up Requests are refused until credit is added. Add credit",
  )
  expect([...html.matchAll(/href="([^"]*)"/g)].map((match) => match[1])).toEqual(["/billing/top-up?amount=10"])
})

test("a member who may not pay or see the reason learns whom to ask", () => {
  const html = bannerOf(BELOW, null, false)
  expect(textOf(html)).toBe(
    "The balance is below zero: −$9.00 Requests are refused until credit is added. " +
      "Ask an owner or a billing member of this account to add credit.",
  )
  expect(html).not.toContain("href")
})

test("a request alone may take the balance below zero", () => {
  const html = bannerOf({ ...BELOW, balanceUsd: "-0.004000000000" }, { parts: [], smallestTopupUsd: null })
  expect(textOf(html)).toBe(
    "The balance is below zero: −$0.004 A request may cost up to $0.01 more than the balance that was left. " +
      "Requests are refused until credit is added. Add credit",
  )
})

test("there is no banner while the balance lasts", () => {
  expect(bannerOf({ ...BELOW, level: "ok", balanceUsd: "5.000000000000" }, null)).toBe("")
})

test("the page that adds credit shows the reason and no link to itself", () => {
  const html = renderToStaticMarkup(
    <PathnameContext value="/billing/top-up">
      <BalanceBanner runway={BELOW} debt={DEBT} mayPay />
    </PathnameContext>,
  )
  expect(textOf(html)).toMatch(/^The balance is below zero: −\$9\.00 .* Requests are refused until credit is added\.$/)
  expect(html).not.toContain("href")
})

test("the operator's area shows no banner of the operator's own balance", () => {
  const at = (path: string) =>
    renderToStaticMarkup(
      <PathnameContext value={path}>
        <BalanceBanner runway={BELOW} debt={DEBT} mayPay />
      </PathnameContext>,
    )
  expect([at("/operator"), at("/operator/accounts/acc_1/usage")]).toEqual(["", ""])
  expect(textOf(at("/operators"))).toMatch(/^The balance is below zero/)
})
