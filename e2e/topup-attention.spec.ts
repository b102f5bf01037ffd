import { chooseInRow } from "./support/row-menu"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"
import { press, TOPUPS_OPERATOR } from "./support/topups"

test("a checkout that was paid in another currency names whom to contact, until the operator settles it", async ({
  page,
  browser,
  topups: here,
}) => {
  const email = newEmail("euros")
  await here.newAccount(email)
  await here.openTopUp(page, email)
  const sessionId = await here.goToCheckout(page)
  Object.assign(here.double.world.store.get("checkout.session", sessionId), { currency: "eur" })
  await press(page, "Pay")
  const status = page.getByRole("main").getByRole("status")
  await expect(status).toContainText("This payment needs attention")
  const { topups } = await here.service.operator<{ topups: { id: string; status: string }[] }>("topup", "list", email)
  expect(topups).toMatchObject([{ status: "attention" }])
  const id = topups[0]?.id ?? ""
  await expect(status).toContainText(`with ${id}`)
  expect(await here.balanceOf(email)).toBe("0.00")

  const operating = await (await browser.newContext()).newPage()
  await signIn(operating, here.service, TOPUPS_OPERATOR, "/operator/payments?show=attention")
  await expect(operating.getByRole("row").filter({ hasText: id })).toContainText("another currency")
  await chooseInRow(operating, id, "Settle")
  const dialog = operating.getByRole("dialog")
  await dialog.getByLabel("Credit in USD").fill("21.50")
  await dialog.getByLabel("Note").fill("Paid 20 EUR")
  await dialog.getByRole("button", { name: "Add credit" }).click()
  await expect(operating.getByText("The credit was added.")).toBeVisible()
  await expect(operating.getByRole("row").filter({ hasText: id })).toHaveCount(0)
  await operating.close()

  await page.goto(`${here.service.url}/billing`)
  const row = page
    .getByRole("table", { name: "Top-ups" })
    .getByRole("row")
    .filter({ hasText: "Settled by the operator" })
  await expect(row).toContainText("$21.50")
  await expect(page.getByRole("table", { name: "Ledger" })).toContainText("Paid 20 EUR")
  expect(await here.balanceOf(email)).toBe("21.50")
})
