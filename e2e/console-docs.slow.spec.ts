import type { Page } from "@playwright/test"
import { setPrice } from "./support/price"
import { MODEL, ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, PHONE, test } from "./support/test"

let service: Service
test.beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "silent", WELCOME_CREDIT_USD: "1" })
})
test.afterAll(() => service.destroy())

const signUp = (page: Page, email = newEmail("reader")) => signIn(page, service, email)

test("models show price, retirement and alias as they are now, and what your own text would cost", async ({
  browser,
}) => {
  await setPrice(service, "0.5")
  await service.operator("model", "add", "svc-old-1", "--engine-url", "http://127.0.0.1:9", "--engine-model", "old")
  await service.operator("model", "retire", "svc-old-1", "--replacement", MODEL)
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await expect(async () => {
    await page.goto(`${service.url}/models`)
    await expect(page.getByRole("row", { name: new RegExp(`^${MODEL} `) })).toContainText("$0.50", { timeout: 500 })
    await expect(page.getByRole("table", { name: "Models" }).getByRole("row", { name: /svc-old-1/ })).toContainText(
      `Retired use ${MODEL}`,
      { timeout: 500 },
    )
  }).toPass({ timeout: 15_000 })
  await expect(page.getByRole("row", { name: /svc-decider-latest/ })).toContainText(`→ alias of ${MODEL}`)

  // The example has 72 tokens, and two texts of 8 and 4 bytes have 3. 1,000 requests at $0.50 per million tokens.
  await expect(page.getByText("1,000 requests cost").locator("..")).toContainText("$0.04")
  await page.getByLabel("State").fill("12345678")
  await page.getByLabel("Questions").fill("four")
  await page.getByRole("button", { name: "Calculate price" }).click()
  await expect(page.getByText("1,000 requests cost").locator("..")).toContainText("$0.0015")
  await expect(page.getByLabel("State")).toHaveValue("12345678")
  await expect(page.getByText("Exact:")).toBeVisible()
  await context.close()

  const scripted = await browser.newPage()
  await scripted.goto(`${service.url}/models`)
  await scripted.getByLabel("State").fill("12345678")
  await scripted.getByLabel("Questions").fill("")
  await expect(scripted.getByText("1,000 requests cost").locator("..")).toContainText("$0.001")
  await scripted.close()
})

test("the first steps of a new account tick themselves off, without a reload", async ({ page }) => {
  const email = newEmail("first")
  await signUp(page, email)
  await page.goto(`${service.url}/start`)
  const steps = page.getByRole("complementary").getByRole("region", { name: "First steps" })
  await expect(steps.getByRole("listitem")).toHaveText([/^To do: /, /^To do: /, /^To do: /])
  await page.evaluate(() => document.body.setAttribute("data-loaded-once", ""))

  const { key } = await service.operator<{ key: string }>("key", "create", email, "--name", "First")
  await expect(steps.getByRole("listitem").nth(0)).toHaveText("Done: Create a key")
  await expect(page.getByText("Waiting for your first request.")).toBeVisible()
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  await expect(steps.getByRole("listitem").nth(1)).toHaveText("Done: Send the first decision")
  await expect(page.getByText("Your request was answered.")).toBeVisible()
  await steps.getByRole("link", { name: "Read the answer" }).click()
  await expect(page.getByRole("heading", { name: "Read the answer" })).toBeInViewport()
  await expect(steps.getByRole("listitem").nth(2)).toHaveText("Done: Read the answer")
  await expect(steps).toContainText("All done.")
  await expect(page.locator("body[data-loaded-once]")).toBeAttached()

  await page.reload()
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
  await expect(steps).toHaveCount(0)
})

test("the first steps can be hidden and shown again, and a playground run completes two of them", async ({ page }) => {
  await signUp(page)
  const rail = page.getByRole("complementary")
  await rail.getByRole("button", { name: "Hide" }).click()
  await rail.getByRole("link", { name: "First steps, 0 of 3" }).click()
  await expect(page).toHaveURL(`${service.url}/start`)
  await page.getByRole("button", { name: "Show in the menu" }).click()
  await expect(rail.getByRole("region", { name: "First steps" })).toBeVisible()
  await rail.getByRole("link", { name: "Playground" }).click()
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await expect(rail.getByRole("listitem").filter({ hasText: "Done: Read the answer" })).toBeVisible()
  await expect(rail.getByRole("region", { name: "First steps" })).toContainText("2 of 3")
})

test("the skip link and a menu link work by keyboard, and the server renders the chosen theme", async ({ page }) => {
  await signUp(page)
  await page.goto(`${service.url}/docs`)
  await page.keyboard.press("Tab")
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused()
  await page.keyboard.press("Enter")
  await expect(page.getByRole("main")).toBeFocused()

  const models = page.getByRole("complementary").getByRole("link", { name: "Models" })
  await models.focus()
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(`${service.url}/models`)
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Models and prices")
  await expect(models).toHaveAttribute("aria-current", "page")
  // The frame stays mounted, so the focus stays.
  await expect(models).toBeFocused()

  await page.goto(`${service.url}/settings`)
  await page.getByRole("button", { name: "Dark" }).click()
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
  expect(await (await page.request.get(`${service.url}/docs`)).text()).toMatch(/<html[^>]* data-theme="dark"/)
})

test.describe("on a phone", () => {
  test.use(PHONE)

  test("the menu has the links of the side navigation, traps the focus and returns it on close", async ({ page }) => {
    await signUp(page)
    await page.goto(`${service.url}/start`)
    await expect(page.getByRole("link", { name: "First steps 0/3" })).toBeVisible()
    const open = page.getByRole("button", { name: "Open the menu" })
    await open.press("Enter")
    const sheet = page.getByRole("dialog")
    await expect(sheet.getByRole("link")).toContainText([
      ...["Playground", "API keys", "Usage", "Billing", "Models", "Docs", "Settings"],
      ...["Create a key", "Send the first decision", "Read the answer", "Top up"],
    ])
    // The dialog takes the focus, and returns it from its last control to its first, in the next animation frame.
    const holdsFocus = () => sheet.evaluate((element) => element.contains(document.activeElement))
    await expect.poll(holdsFocus).toBe(true)
    for (let i = 0; i < 16; i++) {
      await page.keyboard.press("Tab")
      await expect.poll(holdsFocus).toBe(true)
    }
    await page.keyboard.press("Escape")
    await expect(sheet).toBeHidden()
    await expect(open).toBeFocused()
  })
})
