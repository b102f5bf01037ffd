import type { Locator, Page } from "@playwright/test"
import { waitUntilHydrated } from "./support/hydration"
import { tabTo } from "./support/keyboard"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"
import type { Topups } from "./support/topups"

let here: Topups
test.beforeAll(({ topups }) => {
  here = topups
})

// Some controls are 60 presses of Tab away.

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function signInByKeyboard(page: Page, email: string): Promise<void> {
  await page.goto(`${here.service.url}/sign-in?next=/keys`)
  await expect(page.getByLabel("E-mail address")).toBeFocused()
  await page.keyboard.type(email)
  await page.keyboard.press("Enter")
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await page.goto(await here.service.mailedLink(email))
  await press(page, page.getByRole("button", { name: "Sign in" }))
  await expect(page).toHaveURL(`${here.service.url}/keys`)
  await waitUntilHydrated(page)
}

/** Opens a page by the side navigation and waits until it is interactive. */
async function openByRail(page: Page, name: string): Promise<void> {
  await press(page, page.getByRole("complementary").getByRole("link", { name }))
  await expect(page.getByRole("complementary").getByRole("link", { name })).toHaveAttribute("aria-current", "page")
  await page.waitForLoadState("networkidle")
}

async function typeOver(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.press("Delete")
  await page.keyboard.type(text)
}

// Creating, searching, sorting and revoking keys, building and running a request, and reading usage by keyboard are in
// console-keys, playground-build, playground-run and usage.
test("signing in, duplicating a key, topping up and signing out work by keyboard alone", async ({ page }) => {
  const email = newEmail("ada")
  await here.newAccount(email)
  await signInByKeyboard(page, email)
  await press(page, page.getByRole("button", { name: "Actions for Production" }))
  await expect(page.getByRole("menuitem", { name: "Rename" })).toBeFocused()
  await page.keyboard.press("ArrowDown")
  await expect(page.getByRole("menuitem", { name: "Duplicate" })).toBeFocused()
  await page.keyboard.press("Enter")
  const dialog = page.getByRole("dialog")
  await expect(dialog.getByLabel("Name")).toBeFocused()
  await page.keyboard.press("End")
  await page.keyboard.type(" 2")
  await page.keyboard.press("Enter")
  await expect(dialog.getByLabel("Your key")).toBeFocused()
  await page.keyboard.press("Escape")
  await press(page, dialog.getByRole("button", { name: "Close anyway" }))
  await expect(dialog).toBeHidden()
  await expect(page.getByRole("row", { name: /Production 2/ })).toBeVisible()

  await press(page, page.getByRole("complementary").getByRole("link", { name: "Top up" }))
  await expect(page).toHaveURL(/\/billing\/top-up$/)
  await page.waitForLoadState("networkidle")
  const chosen = page.getByRole("radio", { checked: true })
  await tabTo(page, chosen)
  await page.keyboard.press("ArrowRight")
  await expect(page.getByRole("radio", { name: "$50" })).toBeChecked()
  await press(page, page.getByRole("button", { name: "Go to checkout" }))
  await page.waitForURL(`${here.double.url}/c/pay/**`)
  await press(page, page.getByRole("button", { name: "Pay", exact: true }))
  await expect(page.getByText("$50.00 added")).toBeVisible()

  await press(page, page.getByRole("complementary").getByRole("link", { name: "Settings" }))
  await expect(page.getByRole("heading", { name: "Settings" })).toBeVisible()
  await press(page, page.getByRole("button", { name: "Sign out", exact: true }))
  await expect(page).toHaveURL(new RegExp(`^${here.service.url}/(sign-in)?$`))
  expect((await page.context().cookies()).filter(({ name }) => name.includes("session"))).toEqual([])
})

test("estimating a price, searching the docs, choosing a theme, ending a session and sharing work by keyboard alone", async ({
  page,
}) => {
  const email = newEmail("grace")
  await here.newAccount(email)
  await here.service.operator("account", "credit", email, "1", "--note", "Trial")
  await here.service.createSession(email, { browser: null })
  await signIn(page, here.service, email, "/keys")

  await openByRail(page, "Models")
  await typeOver(page, page.getByLabel("State"), "12345678")
  await typeOver(page, page.getByLabel("Questions"), "")
  await expect(page.getByText("1,000 requests cost").locator("..")).toContainText("$2.00")

  await openByRail(page, "Docs")
  await press(page, page.getByRole("link", { name: "Search the docs" }))
  await expect(page.getByRole("combobox", { name: "Search the docs" })).toBeFocused()
  await page.keyboard.type("confidence")
  await expect(page.getByRole("option", { name: "Questions and answers › Confidence", selected: true })).toBeVisible()
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(`${here.service.url}/docs/concepts#confidence`)
  await press(page, page.getByRole("navigation", { name: "Next and previous page" }).getByRole("link").last())
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Models and aliases")

  await openByRail(page, "Settings")
  await press(page, page.getByRole("button", { name: "Dark" }))
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
  const sessions = page.getByRole("table", { name: "Sessions" })
  await press(page, sessions.getByRole("button", { name: "Sign out Unknown browser" }))
  await expect(sessions.getByRole("button")).toHaveText(["Sign out"])

  await openByRail(page, "Playground")
  // The button is enabled once the page's scripts handle keys.
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeEnabled()
  await page.keyboard.press("ControlOrMeta+Enter")
  await expect(page.getByText("Raw request and response")).toBeVisible()
  await press(page, page.getByRole("button", { name: "Share" }))
  const opened = page.waitForEvent("popup")
  await press(page, page.getByRole("dialog").getByRole("link", { name: "Open" }))
  const shared = await opened
  await press(shared, shared.getByRole("button", { name: "Open in playground" }))
  await expect(shared.getByText("The shared request is open")).toBeVisible()
})
