import type { Page } from "@playwright/test"
import type { Service } from "./support/service"
import { newEmail, signIn, signInByMail } from "./support/sign-in"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

const openSettings = (page: Page, email: string) => signIn(page, service, email, "/settings")

test("settings show account, rate limits and theme, and the audit log lists changes", async ({ page }) => {
  const email = newEmail("settings")
  await page.goto(`${service.url}/settings`)
  await signInByMail(page, service, email)
  await expect(page).toHaveURL(`${service.url}/settings`)
  await expect(page.getByText("10 requests per second for each key, including the Playground key.")).toBeVisible()
  await expect(page.getByText("20 requests per second for the account, shared by all of its keys.")).toBeVisible()
  await expect(page.getByText(/^acc_[0-9a-z]{26}$/)).toBeVisible()
  await page.getByRole("button", { name: "Dark" }).focus()
  await page.keyboard.press("Enter")
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
  await page.reload()
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
  await page.getByRole("button", { name: "System" }).click()
  await expect(page.locator("html")).not.toHaveAttribute("data-theme", /./)

  await service.operator("account", "limits", email, "--per-second", "25")
  await page.getByRole("link", { name: "Open audit log" }).click()
  await expect(page).toHaveURL(`${service.url}/settings/audit`)
  const lines = page.getByRole("table", { name: "Audit log" }).getByRole("row")
  await expect(lines.nth(1)).toContainText(/^\d+ \w{3} \d{4}, \d\d:\d\d:\d\d UTCChanged the rate limitsOperator–$/)
  await expect(lines.nth(2)).toContainText(/Signed in with Chrome on .*settings-\d+@example\.com127\.0\.0\.1$/)
  await expect(lines.nth(3)).toContainText("Created the account")
  await page.getByRole("link", { name: "Billing" }).last().click()
  await expect(page.getByText("No entry matches this filter yet.")).toBeVisible()
})

test("sessions are listed, ended one by one, and all at once", async ({ page, browser }) => {
  const email = newEmail("sessions")
  await service.createSession(email)
  await openSettings(page, email)
  const rows = page.getByRole("table", { name: "Sessions" }).getByRole("row")
  await expect(rows).toHaveCount(3)
  await expect(rows.nth(1)).toContainText("This browser")
  await expect(rows.nth(2)).toContainText("127.0.0.1")
  const other = rows.nth(2).getByRole("button", { name: /^Sign out Chrome/ })
  await other.focus()
  await page.keyboard.press("Enter")
  await expect(rows).toHaveCount(2)

  const copy = await browser.newContext({ storageState: await page.context().storageState() })
  const elsewhere = await copy.newPage()
  await elsewhere.goto(`${service.url}/settings`)
  await expect(elsewhere.getByRole("heading", { name: "Settings" })).toBeVisible()
  await page.getByRole("button", { name: "Sign out everywhere" }).focus()
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(`${service.url}/sign-in`)
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain("svcd-session")
  await elsewhere.reload()
  await expect(elsewhere).toHaveURL(`${service.url}/sign-in?next=%2Fsettings`)
  await copy.close()
})

test("every sign-out keeps the work in the browser, except one that names what it deletes", async ({ page }) => {
  const email = newEmail("drafts")
  const stored = () => page.evaluate(() => localStorage.getItem("playground:of-the-test"))
  const inMenu = page.getByRole("complementary").locator("summary")
  for (const [button, path, kept] of [
    ["Sign out", "/", "secret"],
    ["Sign out everywhere", "/sign-in", "secret"],
    ["Sign out of the menu", "/", "secret"],
    ["Delete 1 draft, and sign out", "/", null],
  ] as const) {
    await openSettings(page, email)
    await page.evaluate(() => localStorage.setItem("playground:of-the-test", "secret"))
    await page.reload()
    if (button === "Sign out of the menu") {
      await inMenu.click()
      await page.getByRole("complementary").getByRole("button", { name: "Sign out" }).click()
    } else await page.getByRole("main").getByRole("button", { name: button, exact: true }).click()
    await expect(page).toHaveURL(service.url + path)
    expect(await stored()).toBe(kept)
  }
})

test("an account token is shown once, reads the account, and stops when it is revoked", async ({ page }) => {
  await openSettings(page, newEmail("token"))
  await page.getByLabel("Name of a new token").fill("Dashboard")
  await expect(page.getByText(/^The token stops working on /)).toBeVisible()
  await page.getByRole("button", { name: "Create token" }).click()
  const token = (await page.getByText(/^svct_[0-9A-Za-z]{42}$/).textContent()) ?? ""
  const read = () => fetch(`${service.url}/api/account`, { headers: { authorization: `Bearer ${token}` } })
  const report = (await (await read()).json()) as { balance_usd: string }
  expect(report.balance_usd).toMatch(/^\d+\.\d{12}$/)
  await page.reload()
  await expect(page.getByRole("table", { name: "Account tokens" })).toContainText("Dashboard")
  const sessions = page.getByRole("region", { name: "Sessions" })
  await sessions.getByText("What you created (1)").click()
  const own = sessions.getByRole("list")
  await expect(own.getByRole("listitem")).toHaveText([/^Account token\s*Dashboard/])
  await expect(page.getByText(token)).toHaveCount(0)
  await page.getByRole("button", { name: "Revoke the token Dashboard" }).click()
  await expect(page.getByRole("table", { name: "Account tokens" })).toHaveCount(0)
  expect((await read()).status).toBe(401)
})

test("a member chooses their mails and the balance at which the account warns", async ({ page, service }) => {
  await openSettings(page, newEmail("mails"))
  await page.getByLabel("Warn at this balance, in USD").fill("12.50")
  await page.getByRole("button", { name: "Save threshold" }).click()
  await expect(page.getByText("The account now warns at $12.50.")).toBeVisible()
  await page.reload()
  await expect(page.getByText("The account now warns at $12.50.")).toBeVisible()
  await page.getByRole("link", { name: "Choose alerts" }).click()
  await expect(page).toHaveURL(`${service.url}/webhooks`)
  const mailOf = (alert: string) => page.getByRole("group", { name: alert, exact: true }).getByLabel("E-mail to me")
  await mailOf("Credit was added").uncheck()
  await page.getByRole("button", { name: "Save alerts" }).click()
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible()
  await page.reload()
  await expect(mailOf("Credit was added")).not.toBeChecked()
  await expect(mailOf("The balance is low")).toBeChecked()
})

test("an old session confirms an account token and the export by one mail, which opens no key without a limit", async ({
  page,
}) => {
  const email = newEmail("scopes")
  await openSettings(page, email)
  await service.sql(
    "UPDATE session SET created_at = now() - interval '2 days' FROM app_user u WHERE u.id = user_id AND u.email = $1",
    [email],
  )
  const notice = page.getByRole("main").getByRole("alert")
  await page.getByRole("button", { name: "Export account data" }).click()
  await expect(notice).toContainText("To export everything that is stored about the account, open")
  await page.reload()
  const name = page.getByLabel("Name of a new token")
  await name.fill("Dashboard")
  await page.getByRole("button", { name: "Create token" }).click()
  await expect(notice).toContainText("To create an account token, open a link that we mail to you.")
  await page.getByRole("button", { name: "E-mail me a link" }).click()
  await expect(notice).toContainText("Open the link that we e-mailed you")
  const tab = await page.context().newPage()
  await tab.goto(await service.mailedLink(email))
  await expect(tab.getByRole("main")).toContainText(
    "wants to create an account token. For 24 hours, that browser may then change who and what may use the account",
  )
  await tab.getByRole("button", { name: "Confirm" }).click()
  await expect(page.getByRole("status").filter({ hasText: "Confirmed" })).toContainText("Select “Create token”")
  await expect(name).toHaveValue("Dashboard")
  await page.getByRole("button", { name: "Create token" }).click()
  await expect(page.getByText("Copy the token “Dashboard” now.")).toBeVisible()
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: "Export account data" }).click()
  await download

  await page.goto(`${service.url}/keys?create=1`)
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name").fill("Everything")
  await dialog.getByRole("radio", { name: "None" }).check()
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByRole("alert")).toContainText("To create an API key with a high spend limit or none, open")
})
