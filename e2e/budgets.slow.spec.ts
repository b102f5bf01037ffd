import { expectAccessible } from "./support/axe"
import { ONE_QUESTION } from "./support/requests"
import { chooseInRow } from "./support/row-menu"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

test("an owner sets, changes and removes the budget of a tag, which refuses only requests with it meanwhile", async ({
  service,
  page,
}) => {
  const email = newEmail("budgets")
  const { key } = await service.createAccountWithKey(email, { balanceUsd: "12.5" })
  const send = async (tag?: string) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const response = await fetch(`${service.url}/v1/decisions`, {
      method: "POST",
      headers: tag ? { ...headers, "x-svc-tag": tag } : headers,
      body: JSON.stringify(ONE_QUESTION),
    })
    const { error } = (await response.json()) as { error?: { code: string; limit_usd: string } }
    return error ? [response.status, error.code, error.limit_usd] : [response.status]
  }

  await signIn(page, service, email, "/budgets")
  await expect(page.getByText("No budgets")).toBeVisible()
  await page.getByRole("button", { name: "Set budget" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("For").selectOption("Requests with a tag")
  await dialog.getByLabel("Limit in USD").fill("0.000001")
  await dialog.getByRole("button", { name: "Set budget" }).click()
  await expect(dialog).toContainText("Enter one tag such as team=search")
  await dialog.getByLabel("Tag").fill("team=search")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Set budget" }).click()
  await expect(dialog).toBeHidden()
  const row = page.getByRole("row").filter({ hasText: "tag team=search" })
  await expect(row).toContainText("$0.00 of $0.000001 (0%)")
  expect(await send("team=search")).toEqual([402, "key_limit_reached", "0.000001"])
  expect([await send("team=other"), await send()]).toEqual([[200], [200]])

  const name = "the monthly budget of tag team=search"
  await chooseInRow(page, name, "Change")
  await dialog.getByLabel("Limit in USD").fill("0.01")
  await dialog.getByRole("button", { name: "Change budget" }).click()
  await expect(row).toContainText("of $0.01 (0%)")
  await expect.poll(() => send("team=search")).toEqual([200])

  await chooseInRow(page, name, "Remove")
  await dialog.getByRole("button", { name: "Remove budget" }).click()
  await expect(page.getByText("No budgets")).toBeVisible()
  expect(await send("team=search")).toEqual([200])
  const audit = await service.sql("SELECT action, detail FROM audit_event WHERE action LIKE 'budget.%' ORDER BY id")
  expect(audit).toHaveLength(3)
  expect(await service.operator("ledger", "verify", "--all")).toMatchObject({ ok: true })
})
