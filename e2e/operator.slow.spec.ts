import type { Page } from "@playwright/test"
import { expectAccessible, NARROW } from "./support/axe"
import { ONE_QUESTION } from "./support/requests"
import { chooseInRow } from "./support/row-menu"
import { Service } from "./support/service"
import { signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const OPERATOR = "operator@example.com"
const CUSTOMER = "ada@customer.example"

let service: Service
test.beforeAll(async () => {
  service = await Service.start({ OPERATOR_EMAILS: "Operator@Example.com", WELCOME_CREDIT_USD: "1" })
})
test.afterAll(() => service.destroy())

/** Opens a page of the area by its navigation. */
async function openPage(page: Page, name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Operator" }).getByRole("link", { name, exact: true }).click()
  await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible()
  await expect(page.getByRole("status", { name: "loading" })).toHaveCount(0)
}

test("an operator credits and suspends an account, reads both in the audit log, and verifies the ledger", async ({
  page,
}) => {
  const { key } = await service.createAccountWithKey(CUSTOMER, { balanceUsd: "5" })
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  await signIn(page, service, OPERATOR, "/playground")

  await page.getByRole("link", { name: "Operator" }).click()
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible()
  await openPage(page, "Accounts")
  await page.getByRole("searchbox", { name: "Find an account" }).fill("ADA@customer")
  await page.getByRole("button", { name: "Search", exact: true }).click()
  await expect(page).toHaveURL(/\?q=ADA/)
  await page.getByRole("link", { name: CUSTOMER }).click()
  await expect(page.getByRole("heading", { name: CUSTOMER })).toBeVisible()

  await page.getByRole("button", { name: "Add credit" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Add credit" }).click()
  await expect(dialog.getByText("Use an amount above zero in USD, such as 5 or 0.50.")).toBeVisible()
  await dialog.getByLabel("Amount in USD").fill("12.50")
  await dialog.getByLabel("Note").fill("For the outage")
  await expectAccessible(page, NARROW)
  await dialog.getByRole("button", { name: "Add credit" }).click()
  await expect(page.getByText("The credit was added.")).toBeVisible()
  // $18.50 less the price of one answer.
  await expect(page.getByRole("region", { name: "Account" }).getByText("$18.49")).toBeVisible()

  await page.getByRole("button", { name: "Suspend" }).click()
  await dialog.getByRole("button", { name: "Suspend account" }).click()
  await expect(page.getByText("The account was suspended.")).toBeVisible()
  await expect(page.getByRole("button", { name: "Resume" })).toBeVisible()
  await expectAccessible(page, NARROW)
  await expect.poll(async () => (await service.decide(key, ONE_QUESTION)).status).toBe(401)

  await page.getByRole("link", { name: "Audit log of this account" }).click()
  const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row")
  await expect(rows.filter({ hasText: "Suspended the account" }).filter({ hasText: OPERATOR })).toHaveCount(1)
  await expect(rows.filter({ hasText: "$12.50" }).filter({ hasText: OPERATOR })).toHaveCount(1)
  await expectAccessible(page, NARROW)

  await openPage(page, "Models")
  await chooseInRow(page, "svc-decider-latest", "Probe")
  await dialog.getByRole("button", { name: "Probe" }).click()
  await expect(dialog.getByText("The engine answers as the model should")).toBeVisible()
  await page.keyboard.press("Escape")
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole("button", { name: "Actions for svc-decider-latest", exact: true })).toBeFocused()
  await chooseInRow(page, "svc-decider-latest", "Plan a move")
  await page.keyboard.press("Escape")
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole("button", { name: "Actions for svc-decider-latest", exact: true })).toBeFocused()
  await openPage(page, "Payments")
  await openPage(page, "Health")
  await expect(page.getByRole("table", { name: "Jobs" }).getByRole("row", { name: /ledger check/ })).toBeVisible()

  await openPage(page, "Overview")
  await expect(page.getByText("The ledger was never verified")).toBeVisible()
  await page.getByRole("button", { name: "Verify ledger" }).click()
  await expect(page.getByText("All invariants hold")).toBeVisible()
  await expect(page.getByText("The ledger was never verified")).toHaveCount(0)
  await expectAccessible(page, NARROW)
})

test("an operator adds an allowance for a domain, changes it and ends it", async ({ page }) => {
  await signIn(page, service, OPERATOR, "/operator/allowances")
  await expect(page.getByText("No allowances")).toBeVisible()
  await page.getByRole("button", { name: "Add allowance" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Domain or account id").fill("ada@example.com")
  await dialog.getByLabel("Amount in USD a month").fill("20")
  await dialog.getByRole("button", { name: "Add allowance" }).click()
  await expect(dialog.getByText("Enter a domain such as example.com, or the id of an account.")).toBeVisible()
  await expectAccessible(page, NARROW)
  await dialog.getByLabel("Domain or account id").fill("Partner.Example")
  await dialog.getByRole("button", { name: "Add allowance" }).click()
  await expect(page.getByText("The allowance was added. It is credited within a minute.")).toBeVisible()
  const row = page.getByRole("table", { name: "Allowances" }).getByRole("row", { name: /partner\.example/ })
  await expect(row).toContainText("$20.00")
  await expect(row).toContainText("is debited")
  await expectAccessible(page, NARROW)

  await chooseInRow(page, "partner.example, each account", "Change")
  await expect(dialog.getByLabel("Amount in USD a month")).toHaveValue("20.00")
  await dialog.getByLabel("Amount in USD a month").fill("30")
  await dialog.getByLabel("Carry over").check()
  await dialog.getByRole("button", { name: "Change allowance" }).click()
  await expect(row).toContainText("$30.00")
  await expect(row).toContainText("stays")

  await chooseInRow(page, "partner.example, each account", "End")
  await dialog.getByRole("button", { name: "End allowance" }).click()
  await expect(page.getByText("The allowance has ended.")).toBeVisible()
  await expect(row).toHaveCount(0)
})

test("an operator credits a file whole or not at all, once, and opens the account's statement", async ({ page }) => {
  const [ada, grace] = ["credited@files.example", "grace@files.example"]
  for (const email of [ada, grace]) await service.operator("account", "create", email)
  await signIn(page, service, OPERATOR, "/operator")
  await openPage(page, "Credits")
  const main = page.getByRole("main")
  const choose = async (...lines: string[]) => {
    const buffer = Buffer.from(["account,amount_usd,reference,note", ...lines].join("\n"))
    await page.getByLabel("Credits from a file").setInputFiles({ name: "credits.csv", mimeType: "text/csv", buffer })
  }
  await choose(`${ada},5,outage-1,Outage`, `${grace},zero,outage-1,Outage`)
  await expect(main.getByRole("alert")).toContainText("Line 3, column amount_usd: Use an amount above zero in USD")
  await choose(`${ada},5,outage-1,Outage`, "nobody@files.example,2,outage-1,Outage")
  await expect(main.getByRole("alert")).toHaveCount(0)
  await expect(main.getByRole("status")).toContainText("The file credits $7.00 by 2 lines. Nothing is credited yet.")
  await expectAccessible(page, NARROW)
  await page.getByRole("button", { name: "Credit 2 lines" }).click()
  await expect(main.getByRole("alert")).toContainText("Line 3: There is no account for this e-mail address.")
  const lines = [`${ada},5,outage-1,Outage`, `${grace},2.50,outage-1,Outage`]
  await choose(...lines)
  // The session becomes too old while the file is open.
  await service.sql("UPDATE session SET created_at = now() - interval '25 hours', operator_confirmed_at = NULL")
  await page.getByRole("button", { name: "Credit 2 lines" }).click()
  await expect(main.getByRole("alert")).toContainText("Confirm that it is you")
  await service.sql("UPDATE session SET operator_confirmed_at = now()")
  await page.getByRole("button", { name: "Credit 2 lines" }).click()
  await expect(main.getByRole("status")).toContainText("Credited $7.50 by 2 lines.")
  await choose(...lines)
  await page.getByRole("button", { name: "Credit 2 lines" }).click()
  await expect(main.getByRole("status")).toContainText("by 0 lines. 2 lines had been credited before.")
  await expectAccessible(page, NARROW)

  await page.goto(`${service.url}/operator/accounts?q=${ada}`)
  await page.getByRole("link", { name: ada }).click()
  await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Billing" }).click()
  await page.getByRole("link", { name: "Statements", exact: true }).click()
  await page.getByRole("table", { name: "Statements" }).getByRole("link").first().click()
  await expect(page).toHaveURL(/\/operator\/accounts\/acc_\w+\/billing\/statement\?month=/)
  const credited = main.locator("dl > div").filter({ hasText: "Credits by the operator" })
  await expect(credited).toContainText("$5.00")
  await expect(main.getByRole("link", { name: "Download CSV" })).toHaveCount(0)
  await page.getByRole("navigation", { name: "Account" }).getByRole("link", { name: "Audit log" }).click()
  await expect(page.getByText("Viewed the page “Monthly statement”")).toBeVisible()
})

test("the operator area returns 404 to others, and asks an operator with an old sign-in to confirm", async ({
  page,
  request,
}) => {
  expect((await request.get(`${service.url}/operator/accounts`)).status()).toBe(404)
  await signIn(page, service, CUSTOMER.replace("ada", "owner"), "/playground")
  await expect(page.getByRole("link", { name: "Operator" })).toHaveCount(0)
  for (const path of ["/operator", "/operator/health", "/operator/confirm"])
    expect((await page.goto(service.url + path))?.status()).toBe(404)
  expect(await page.title()).toBe(await titleOf(page, "/no/such/page"))

  await page.context().clearCookies()
  await signIn(page, service, OPERATOR, "/playground")
  await service.sql("UPDATE session SET created_at = now() - interval '25 hours'")
  await page.goto(`${service.url}/operator/audit`)
  await expect(page.getByRole("heading", { name: "Confirm that it is you", level: 1 })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "E-mail me a link" }).click()
  await expect(page.getByText("Open the link that we e-mailed you")).toBeVisible()
  await service.sql("UPDATE session SET operator_confirmed_at = now()")
  await expect(page.getByText("Confirmed", { exact: true })).toBeVisible()
  await page.getByRole("link", { name: "Continue" }).click()
  await expect(page.getByRole("heading", { name: "Audit log" })).toBeVisible()
})

async function titleOf(page: Page, path: string): Promise<string> {
  await page.goto(service.url + path)
  return page.title()
}
