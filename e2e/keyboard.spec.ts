import { expect, type Locator, type Page, test } from "@playwright/test"
import { tabTo } from "./support/tab-to"
import { Topups } from "./support/topups"

const EMAIL = "ada@example.com"

let here: Topups
test.beforeAll(async () => {
  here = await Topups.start()
})
test.afterAll(() => here.destroy())

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${here.service.url}/sign-in?next=/keys`)
  await tabTo(page, page.getByLabel("E-mail address"))
  await page.keyboard.type(EMAIL)
  await page.keyboard.press("Enter")
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await page.goto(await here.service.mailedLink(EMAIL))
  await press(page, page.getByRole("button", { name: "Sign in" }))
  await expect(page).toHaveURL(`${here.service.url}/keys`)
}

// Creating, searching, sorting and revoking keys, building and running a request, and reading usage by keyboard are in
// console-keys, playground-build, playground-run and usage.
test("with the keyboard alone somebody signs in, duplicates a key, tops up, is told so, and signs out", async ({
  page,
}) => {
  await here.newAccount(EMAIL)
  await signIn(page)
  await press(page, page.getByRole("button", { name: "Actions for Production" }))
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
