import { expectAccessible } from "./support/axe"
import { chooseInRow } from "./support/row-menu"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const URL = "https://hooks.invalid/decisions"

test("a webhook is added, tested, given another secret and deleted, and a private address is refused", async ({
  page,
  service,
}) => {
  await signIn(page, service, newEmail("hooks"), "/settings")
  // The page was a part of the settings.
  await page.goto(`${service.url}/settings/webhooks`)
  await expect(page).toHaveURL(`${service.url}/webhooks`)
  await page.getByRole("button", { name: "Add webhook" }).click()
  const dialog = page.getByRole("dialog")
  await expect(dialog.getByLabel("Address")).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel("Address").fill("http://example.com/")
  await dialog.getByRole("button", { name: "Add webhook" }).click()
  await expect(dialog.getByText("Enter an https address, such as https://example.com/hooks.")).toBeVisible()
  await dialog.getByLabel("Address").fill("https://10.0.0.1/hooks")
  await dialog.getByRole("button", { name: "Add webhook" }).click()
  await expect(dialog.getByText("Private and local addresses are refused.")).toBeVisible()
  await dialog.getByLabel("Address").fill(URL)
  await dialog.getByRole("button", { name: "Add webhook" }).click()
  const secret = page.getByText(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await expect(secret).toBeVisible()
  const first = await secret.textContent()

  await chooseInRow(page, URL, "Send a test")
  await dialog.getByRole("button", { name: "Send a test" }).click()
  await expect(page.getByText("A test is on its way.")).toBeVisible()
  await expect(secret).toHaveCount(0)
  // No name below .invalid exists.
  const problem = "No reply. The receiver needs a public address, a trusted certificate, and has 10 s to reply"
  await expect.poll(async () => (await page.request.get(page.url())).text()).toContain(problem)
  await page.reload()
  await expect(page.getByText(problem)).toBeVisible()
  await expect(page.getByRole("table", { name: "Messages" }).getByText("webhook.test")).toBeVisible()

  await chooseInRow(page, URL, "Replace the secret")
  await dialog.getByRole("button", { name: "Replace secret" }).click()
  await expect(secret).toBeVisible()
  expect(await secret.textContent()).not.toBe(first)
  await expect(page.getByText("The previous secret signs too until")).toBeVisible()
  await expectAccessible(page)

  const lowBalance = page.getByRole("group", { name: "The balance is low", exact: true })
  await expect(lowBalance.getByRole("checkbox")).toHaveCount(2)
  await lowBalance.getByLabel("hooks.invalid/decisions").uncheck()
  await page.getByRole("button", { name: "Save alerts" }).click()
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible()
  await page.reload()
  await expect(lowBalance.getByLabel("hooks.invalid/decisions")).not.toBeChecked()
  await expect(lowBalance.getByLabel("E-mail to me")).toBeChecked()

  await chooseInRow(page, URL, "Delete")
  await dialog.getByRole("button", { name: "Delete webhook" }).click()
  await expect(page.getByText("The webhook was deleted.")).toBeVisible()
  await expect(page.getByText("No webhooks")).toBeVisible()
})

test("a low balance is shown on every page, with how long it lasts", async ({ page, service }) => {
  const email = newEmail("runway")
  await signIn(page, service, email, "/settings")
  await expect(page.getByText("Low balance")).toHaveCount(0)
  const account = "(SELECT m.account_id FROM member m JOIN app_user u ON u.id = m.user_id WHERE u.email = $1)"
  await service.sql(
    `INSERT INTO usage_sum (account_id, unit, start, key_id, model_id, decisions, tokens, cost_pico, question_counts, latency_counts)
     VALUES (${account}, 'day', date_trunc('day', now(), 'UTC'), '00000000-0000-0000-0000-000000000000', '*', 1, 1, 300000000000, '{}', '{}')`,
    [email],
  )
  for (const address of ["/settings", "/usage", "/docs"]) {
    await page.goto(service.url + address)
    await expect(page.getByText("Low balance: $1.00")).toBeVisible()
    await expect(page.getByText("It lasts about 3 days at today’s rate.")).toBeVisible()
  }
  await expectAccessible(page)
  await page.getByRole("link", { name: "Add credit" }).click()
  await expect(page).toHaveURL(`${service.url}/billing/top-up`)
  await service.sql(`UPDATE member SET role = 'viewer' WHERE account_id = ${account}`, [email])
  await page.goto(`${service.url}/usage`)
  await expect(page.getByText("Ask an owner or a billing member of this account to add credit.")).toBeVisible()
  await expect(page.getByRole("link", { name: "Add credit" })).toHaveCount(0)
})

test("a Slack address is added, shown by its end only, tested and deleted", async ({ page, service }) => {
  await signIn(page, service, newEmail("slack"), "/webhooks")
  await page.getByRole("button", { name: "Add Slack address" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Address").fill("https://slack.invalid/services/T0001/B0001/s3cr3tTokenXyZ9")
  await dialog.getByLabel("A top-up was paid").uncheck()
  await dialog.getByRole("button", { name: "Add Slack address" }).click()
  await expect(page.getByText("The Slack address was added.")).toBeVisible()
  const shown = "https://slack.invalid/…XyZ9"
  await expect(page.getByRole("table", { name: "Webhooks and Slack" })).toContainText(shown)
  const failures = page.getByRole("group", { name: "Many requests fail", exact: true })
  await expect(failures.getByLabel("Slack …XyZ9")).toBeChecked()
  await expect(page.getByRole("group", { name: "A top-up was paid" }).getByLabel("Slack …XyZ9")).not.toBeChecked()
  await chooseInRow(page, shown, "Send a test")
  await dialog.getByRole("button", { name: "Send a test" }).click()
  await expect(page.getByText("A test is on its way.")).toBeVisible()
  await expect.poll(async () => (await page.request.get(page.url())).text()).toContain("No reply. The receiver needs")
  expect(await (await page.request.get(page.url())).text()).not.toContain("s3cr3t")
  await service.sql("UPDATE webhook_endpoint SET turned_off_at = now()")
  await page.reload()
  await expect(page.getByText("it accepted no message for two days")).toBeVisible()
  await expectAccessible(page)
  await chooseInRow(page, shown, "Delete")
  await dialog.getByRole("button", { name: "Delete Slack address" }).click()
  await expect(page.getByText("No webhooks")).toBeVisible()
})
