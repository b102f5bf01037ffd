import { expectAccessible, NARROW } from "./support/axe"
import { ONE_QUESTION } from "./support/requests"
import { chooseInRow } from "./support/row-menu"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

test("a key is renamed, gets a note, is paused and works again on its page", async ({ page }) => {
  const email = newEmail("manage")
  const { key } = await service.createAccountWithKey(email)
  await signIn(page, service, email, "/keys")
  await page.getByRole("link", { name: "Test" }).click()
  await page.getByLabel("Name").fill("Billing bot")
  await page.getByLabel("Note (optional)").fill("Runs at night.")
  await page.getByRole("button", { name: "Save changes" }).click()
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Billing bot")
  await page.getByRole("button", { name: "Pause key" }).click()
  await expect(page.getByText("This key is paused")).toBeVisible()
  await expectAccessible(page)
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(401)
  await page.getByRole("button", { name: "Resume key" }).click()
  await expect(page.getByText("This key is paused")).toHaveCount(0)
  await expect.poll(async () => (await service.decide(key, ONE_QUESTION)).status).toBe(200)
  await expect(page.getByText("Runs at night.")).toBeVisible()
})

test("a key gets a new secret, and the old one works until it is ended on the key's page", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const email = newEmail("replace")
  const { key } = await service.createAccountWithKey(email)
  await signIn(page, service, email, "/keys")
  await chooseInRow(page, "Test", "Replace secret")
  const dialog = page.getByRole("dialog")
  await expectAccessible(page)
  await dialog.getByLabel("Hours that the old secret still works").fill("25")
  await dialog.getByRole("button", { name: "Replace secret" }).click()
  await expect(dialog.getByText("Enter 0 to 24 whole hours.")).toBeVisible()
  await dialog.getByLabel("Hours that the old secret still works").fill("1")
  await dialog.getByRole("button", { name: "Replace secret" }).click()
  const secret = await dialog.getByLabel("Your key").inputValue()
  await dialog.getByRole("button", { name: "Copy the key" }).click()
  await dialog.getByRole("button", { name: "Done" }).click()
  const statuses = () => Promise.all([key, secret].map(async (one) => (await service.decide(one, ONE_QUESTION)).status))
  expect(await statuses()).toEqual([200, 200])
  await page.getByRole("link", { name: "Test" }).click()
  await expect(page.getByText("Two secrets work")).toBeVisible()
  await expectAccessible(page, NARROW)
  await page.getByRole("button", { name: "End old secret" }).click()
  await expect(page.getByText("Two secrets work")).toHaveCount(0)
  await expect.poll(statuses).toEqual([401, 200])
})

test("a key is restricted to a model and a route on its page, and a copy of it is restricted too", async ({ page }) => {
  const email = newEmail("restrict")
  const { key } = await service.createAccountWithKey(email)
  await signIn(page, service, email, "/keys")
  await page.getByRole("link", { name: "Test" }).click()
  const form = page.getByRole("region", { name: "Restrict this key" })
  await form.getByLabel("Addresses").fill("example.com")
  await form.getByRole("button", { name: "Save restrictions" }).click()
  await expect(form.getByText("Enter addresses or ranges such as")).toBeVisible()
  await expectAccessible(page, NARROW)
  await form.getByLabel("Addresses").fill("")
  await form.getByLabel("svc-decider-latest").check()
  await form.getByLabel("POST /v1/decisions").check()
  await form.getByRole("button", { name: "Save restrictions" }).click()
  await expect(page.getByRole("status").filter({ hasText: "The restrictions were saved." })).toBeVisible()
  await expect(page.getByRole("region", { name: "Key", exact: true }).getByText("POST /v1/decisions")).toBeVisible()
  const pinned = await service.decide(key, { ...ONE_QUESTION, model: "svc-lexical-baseline-1" })
  const { error } = (await pinned.json()) as { error: object }
  expect([pinned.status, error]).toMatchObject([400, { code: "invalid_model", valid_models: ["svc-decider-latest"] }])
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)

  await page.getByRole("button", { name: "Duplicate" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("button", { name: "Create key" }).click()
  const copy = await dialog.getByLabel("Your key").inputValue()
  expect((await service.decide(copy, { ...ONE_QUESTION, model: "svc-lexical-baseline-1" })).status).toBe(400)
})

test("a key without a limit needs a mailed confirmation after a day, and what was typed is kept", async ({ page }) => {
  const email = newEmail("step-up")
  await signIn(page, service, email, "/keys")
  await service.sql(
    "UPDATE session SET created_at = now() - interval '2 days' FROM app_user u WHERE u.id = user_id AND u.email = $1",
    [email],
  )
  await page.getByRole("button", { name: "Create key" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name").fill("Nightly batch")
  await dialog.getByRole("radio", { name: "None" }).check()
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByRole("alert")).toContainText("Confirm that it is you")
  await expectAccessible(page, NARROW)
  await page.clock.install()
  await dialog.getByRole("button", { name: "E-mail me a link" }).click()
  await expect(dialog.getByRole("alert")).toContainText("Open the link that we e-mailed you")
  await expect(dialog.getByRole("button", { name: /^Send again in \d+ s$/ })).toBeDisabled()
  // Each mail starts the countdown again.
  await service.sql("UPDATE sign_in_token SET created_at = created_at - interval '1 minute' WHERE email = $1", [email])
  await page.clock.fastForward(60_000)
  await dialog.getByRole("button", { name: "Send again", exact: true }).click()
  await expect(dialog.getByRole("button", { name: /^Send again in \d+ s$/ })).toBeDisabled()
  await page.clock.resume()

  const tab = await page.context().newPage()
  await tab.goto(await service.mailedLink(email))
  await expect(tab.getByRole("heading", { name: "Confirm that it is you" })).toBeVisible()
  await expectAccessible(tab, NARROW)
  await tab.getByRole("button", { name: "Confirm" }).click()
  await expect(tab.getByRole("dialog").getByLabel("Name")).toHaveValue("Nightly batch")

  await expect(dialog.getByRole("status")).toContainText("Select “Create key” to continue.")
  await expect(dialog.getByLabel("Name")).toHaveValue("Nightly batch")
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByText("Copy it now. You won't be able to see it again.")).toBeVisible()
})

test("a spent limit shows when requests resume, in UTC and in local time", async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: "Asia/Kolkata", locale: "en-US" })
  const page = await context.newPage()
  const email = newEmail("limits")
  await signIn(page, service, email, "/keys")
  const daily = await service.operator<{ key: string }>("key", "create", email, "--name", "Probe")
  const probe = await service.decide(daily.key, ONE_QUESTION)
  const { usage } = (await probe.json()) as { usage: { input_tokens: number } }
  const exactly = `0.${String(usage.input_tokens * 731_000).padStart(12, "0")}`
  for (const period of ["daily", "lifetime"]) {
    const limit = ["--limit-usd", exactly, "--period", period]
    const { key } = await service.operator<{ key: string }>(
      "key",
      "create",
      email,
      "--name",
      `Spent ${period}`,
      ...limit,
    )
    const statuses = [await service.decide(key, ONE_QUESTION), await service.decide(key, ONE_QUESTION)]
    expect(statuses.map(({ status }) => status)).toEqual([200, 402])
  }
  await page.reload()
  const row = page.getByRole("row", { name: /Spent daily/ })
  await expect(row).toContainText("Limit reached")
  await expect(row).toContainText(/Requests resume at 00:00 UTC \(05:30 your time\), in (\d+ h( \d+ min)?|\d+ min)\./)
  await expect(row).toContainText("(100%)")
  await expect(page.getByRole("row", { name: /Spent lifetime/ })).toContainText("Used up. Create a new key.")
  await expectAccessible(page)
  await row.getByRole("link", { name: "Spent daily" }).click()
  await expect(page.getByText("Daily limit reached", { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.goto(`${service.url}/keys?q=nothing`)
  await expect(page.getByRole("heading", { name: "No matching keys" })).toBeVisible()
  await page.goto(`${service.url}/keys/key_${"0".repeat(26)}`)
  await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible()
  await context.close()
})
