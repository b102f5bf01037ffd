import { devices, expect, type Page, test } from "@playwright/test"
import { expectAccessible } from "./support/axe"
import { Service } from "./support/service"

const EMAIL = "sessions@example.com"

let service: Service
let firstLink = ""
test.beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "silent" })
  firstLink = await ask()
})
test.afterAll(() => service.destroy())

async function ask(): Promise<string> {
  await fetch(`${service.url}/api/auth/signin/email`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: service.url },
    body: new URLSearchParams({ email: EMAIL, next: "/settings" }),
  })
  return service.mailedLink(EMAIL)
}

async function open(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page).toHaveURL(`${service.url}/settings`)
}

test("settings show account, rate limits and theme, and the audit log lists changes, in every width and theme", async ({
  page,
}) => {
  await open(page, firstLink)
  await expect(page.getByText("10 requests per second for each key, including the Playground key.")).toBeVisible()
  await expect(page.getByText("20 requests per second for the account, shared by all of its keys.")).toBeVisible()
  await expect(page.getByText(/^acc_[0-9a-z]{26}$/)).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Dark" }).focus()
  await page.keyboard.press("Enter")
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
  await page.reload()
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
  await page.getByRole("button", { name: "System" }).click()
  await expect(page.locator("html")).not.toHaveAttribute("data-theme", /./)

  await service.operator("account", "limits", EMAIL, "--per-second", "25")
  await page.getByRole("link", { name: "Open audit log" }).click()
  await expect(page).toHaveURL(`${service.url}/settings/audit`)
  const lines = page.getByRole("table", { name: "Audit log" }).getByRole("row")
  await expect(lines.nth(1)).toContainText(/^\d+ \w{3} \d{4}, \d\d:\d\d:\d\d UTCChanged the rate limitsOperator–$/)
  await expect(lines.nth(2)).toContainText(/Signed in, Chrome.* on .*sessions@example\.com127\.0\.0\.1$/)
  await expect(lines.nth(3)).toContainText("Created the account")
  await expectAccessible(page)
  await page.getByRole("link", { name: "Billing" }).last().click()
  await expect(page.getByText("Nothing of this kind has happened yet.")).toBeVisible()
})

test("sessions are listed, and ended one by one or all at once", async ({ page, browser }) => {
  // Two links to the same address must be a minute apart.
  await service.sql("UPDATE sign_in_token SET created_at = created_at - interval '1 minute'")
  const link = await ask()
  expect(link).not.toBe(firstLink)
  await open(page, link)
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

test("a phone signs out another device, then all devices @phone", async ({ page, browser }) => {
  const desktop = await browser.newContext(devices["Desktop Chrome"])
  const there = await desktop.newPage()
  await open(there, firstLink)
  await service.sql("UPDATE sign_in_token SET created_at = created_at - interval '1 minute'")
  await open(page, await ask())
  const sessions = page.getByRole("table", { name: "Sessions" })
  await expect(sessions.getByText("This browser")).toHaveCount(1)
  await sessions.getByRole("button", { name: "Sign out Chrome on Windows" }).tap()
  await expect(sessions.getByRole("button")).toHaveText(["Sign out"])
  await there.reload()
  await expect(there).toHaveURL(`${service.url}/sign-in?next=%2Fsettings`)
  await desktop.close()

  const copy = await browser.newContext({ storageState: await page.context().storageState() })
  await page.getByRole("button", { name: "Sign out everywhere" }).tap()
  await expect(page).toHaveURL(`${service.url}/sign-in`)
  const elsewhere = await copy.newPage()
  await elsewhere.goto(`${service.url}/settings`)
  await expect(elsewhere).toHaveURL(`${service.url}/sign-in?next=%2Fsettings`)
  await copy.close()
})
