import { ONE_QUESTION } from "./support/requests"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"
import { press } from "./support/topups"

/** More keys than a statement has lines for. */
const KEYS = 13

test("a month's statement names the company and prints on one page without the shell", async ({ page, service }) => {
  const email = newEmail("statement")
  await service.operator("account", "create", email)
  await service.operator("account", "credit", email, "10", "--note", "Trial")
  await service.operator("account", "debit", email, "0.001", "--note", "Correction")
  for (let i = 1; i <= KEYS; i++) {
    const { key } = await service.operator<{ key: string }>("key", "create", email, "--name", `Key ${i}`)
    expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  }
  await signIn(page, service, email, "/settings")
  await page.getByLabel("Company name").fill("Acme GmbH")
  await page
    .getByLabel("Address", { exact: true })
    .fill("Billing\nExample Road 1\nBuilding 2\n12345 Berlin\nBerlin\nGermany")
  await page.getByLabel("VAT id").fill("DE123456789")
  await page.getByLabel("Purchase order number").fill("PO-4711")
  await press(page, "Save billing details")
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible()

  await page.goto(`${service.url}/billing/statements`)
  const months = page.getByRole("table", { name: "Statements" })
  await expect(months.getByRole("row")).toHaveCount(2)
  await expect(months.getByRole("row").nth(1)).toContainText("$10.999")
  await months.getByRole("link").first().click()
  await expect(page).toHaveURL(/\/billing\/statement\?month=20\d\d-\d\d$/)
  await expect(page).toHaveTitle(/^Statement 20\d\d-\d\d/)
  const addressee = page.getByRole("region", { name: "To", exact: true })
  await expect(addressee).toContainText("Acme GmbH")
  await expect(addressee).toContainText("12345 Berlin")
  await expect(addressee).toContainText("VAT id DE123456789")
  await expect(addressee).toContainText("Purchase order PO-4711")
  await expect(page.getByRole("row", { name: /^2 others/ })).toBeVisible()
  await expect(page.getByText("Credits by the operator").locator("..")).toContainText("$10.00")

  // Each page is an object of the file.
  const pdf = (await page.pdf({ format: "Letter" })).toString("latin1")
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  await page.emulateMedia({ media: "print" })
  await expect(addressee).toBeVisible()
  await expect(page.getByRole("complementary")).toBeHidden()
  await expect(page.getByRole("button", { name: "Print" })).toBeHidden()
  await expect(page.getByRole("link", { name: "Download CSV" })).toBeHidden()
})
