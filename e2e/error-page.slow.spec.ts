import type { Page } from "@playwright/test"
import { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "error", WELCOME_CREDIT_USD: "1" })
})
test.afterAll(() => service.destroy())

const failed = (page: Page) => page.getByRole("heading", { name: "This page failed on our side" })
const menu = (page: Page) => page.getByRole("navigation", { name: "Console" })

/** Makes the tab believe that the service is unavailable. Returns a function that ends this. */
async function reportUnavailable(page: Page): Promise<() => Promise<void>> {
  await page.route("**/readyz", (route) => route.fulfill({ status: 503, body: "" }))
  return () => page.unroute("**/readyz")
}

/** Expects the id that a failed page shows to be in the log, beside the cause. */
async function expectLogged(page: Page, by = service): Promise<string> {
  const id = (await page.getByText(/^req_[0-9a-z]+$/).textContent()) ?? ""
  await expect
    .poll(() => by.printed.split("\n").filter((line) => line.includes(`"requestId":"${id}"`)))
    .toContainEqual(expect.stringContaining('"event":"console.request_failed"'))
  return id
}

test("a page that failed stays in the frame, names its request as the log does, and loads again by itself", async ({
  page,
}) => {
  const becomeReady = await reportUnavailable(page)
  await signIn(page, service, newEmail("failed"), "/usage")
  await service.sql("ALTER TABLE topup RENAME TO topup_away")
  try {
    await menu(page).getByRole("link", { name: "Billing" }).click()
    await expect(failed(page)).toBeVisible()
    await expect(menu(page)).toBeVisible()
    await expect(page.getByRole("main")).not.toContainText("charged")
    const afterLink = await expectLogged(page)
    await page.reload()
    await expect(failed(page)).toBeVisible()
    expect(await expectLogged(page)).not.toBe(afterLink)
  } finally {
    await service.sql("ALTER TABLE topup_away RENAME TO topup")
  }
  await becomeReady()
  await expect(page.getByRole("heading", { name: "Billing", level: 1 })).toBeVisible()
})

test("a frame that cannot be loaded keeps its menu around the error, and is complete again by itself", async ({
  page,
}) => {
  const email = newEmail("frame")
  const becomeReady = await reportUnavailable(page)
  await signIn(page, service, email, "/usage")
  await service.sql("ALTER TABLE session RENAME TO session_away")
  try {
    await page.goto(`${service.url}/billing`)
    await expect(failed(page)).toBeVisible()
    await expect(menu(page).getByRole("link", { name: "Usage" })).toBeVisible()
    await expect(page.getByText(email)).toHaveCount(0)
  } finally {
    await service.sql("ALTER TABLE session_away RENAME TO session")
  }
  await becomeReady()
  await expect(page.getByRole("heading", { name: "Billing", level: 1 })).toBeVisible()
  await expect(page.getByRole("complementary").getByTitle(email)).toBeVisible()
})

test("a document whose root layout fails on the first load names its request as the log does", async ({ page }) => {
  const failing = await Service.start({ NODE_OPTIONS: "--import=./test/doubles/failing-layout.mjs" })
  try {
    await page.goto(`${failing.url}/sign-in`)
    await expect(page.getByRole("heading", { name: "Something failed on our side" })).toBeVisible()
    const first = await expectLogged(page, failing)
    await page.reload()
    await expect.poll(() => expectLogged(page, failing)).not.toBe(first)
  } finally {
    await failing.destroy()
  }
})
