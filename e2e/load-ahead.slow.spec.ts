import type { Page, Response } from "@playwright/test"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

const menuLink = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Console" }).getByRole("link", { name })

/** The row of a key, by the link to its page. */
const rowOf = (page: Page, name: string) =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name, exact: true }) })

/** Returns whether Next read the whole page of `path`, not only its route. */
function isWholePage(response: Response, path: string): boolean {
  const headers = response.request().headers()
  return new URL(response.url()).pathname === path && headers.rsc !== undefined && !headers["next-router-prefetch"]
}

/** Points at a link of the menu until its page is loaded ahead. */
async function approach(page: Page, name: string, path: string): Promise<void> {
  await page.getByRole("heading", { level: 1 }).hover()
  const loaded = page.waitForResponse((response) => isWholePage(response, path))
  await menuLink(page, name).hover()
  await loaded
}

test("a prefetched page shows changes made since, in this browser and elsewhere", async ({ page }) => {
  const email = newEmail("ahead")
  const { keyId } = await service.createAccountWithKey(email)
  await signIn(page, service, email, `/keys/${keyId}`)
  await approach(page, "API keys", "/keys")
  await page.getByRole("button", { name: "Pause key" }).click()
  await expect(page.getByRole("button", { name: "Resume key" })).toBeVisible()
  // The change emptied the browser's cache of pages, so the page is read again.
  await approach(page, "API keys", "/keys")
  await menuLink(page, "API keys").click()
  await expect(page).toHaveURL(`${service.url}/keys`)
  await expect(rowOf(page, "Test")).toContainText("Paused")

  await approach(page, "Usage", "/usage")
  await service.operator("key", "create", email, "--name", "Elsewhere")
  await menuLink(page, "Usage").click()
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible()
  // The list that was shown before is shown at once, and refreshed because it is seconds old.
  await page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() + 10_000
  })
  await menuLink(page, "API keys").click()
  await expect(rowOf(page, "Elsewhere")).toBeVisible()
})

test("a link whose prefetch failed still opens its page", async ({ page }) => {
  await signIn(page, service, newEmail("refused"), "/keys")
  await page.route(/\/usage\?/, (route) => route.fulfill({ status: 503, body: "" }))
  const refused = page.waitForResponse((response) => new URL(response.url()).pathname === "/usage")
  await menuLink(page, "Usage").hover()
  expect((await refused).status()).toBe(503)
  await page.unroute(/\/usage\?/)
  await menuLink(page, "Usage").click()
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible()
})

test("links load nothing ahead until the user points at them, and never for visitors", async ({ page, browser }) => {
  const read: string[] = []
  const record = (one: Page) =>
    one.on("request", (request) => request.headers().rsc !== undefined && read.push(new URL(request.url()).pathname))
  record(page)
  await signIn(page, service, newEmail("still"), "/billing")
  await approach(page, "Models", "/models")
  expect(new Set(read)).toEqual(new Set(["/models"]))

  const context = await browser.newContext()
  const visitor = await context.newPage()
  read.length = 0
  record(visitor)
  await visitor.goto(`${service.url}/docs`)
  await visitor.getByRole("link", { name: "Models" }).first().hover()
  await visitor.getByRole("link", { name: "Models" }).first().click()
  await expect(visitor).toHaveURL(`${service.url}/models`)
  await expect(visitor.getByRole("heading", { level: 1 })).toHaveText("Models and prices")
  // The one request of the click.
  expect(read).toEqual(["/models"])
  await context.close()
})

test("a new page closes the account menu", async ({ page }) => {
  await signIn(page, service, newEmail("closed"), "/usage")
  for (const name of ["Members", "Settings"]) {
    const menu = page.getByRole("complementary").locator("details")
    await menu.locator("summary").click()
    await menu.getByRole("link", { name, exact: true }).click()
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible()
    await expect(menu.getByRole("button", { name: "Sign out" })).toBeHidden()
  }
})
