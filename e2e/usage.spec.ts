import type { Locator, Page } from "@playwright/test"
import { expectAccessible, NARROW } from "./support/axe"
import { tabTo } from "./support/keyboard"
import { shown } from "./support/price"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { type Done, type Spent, spend } from "./support/spent"
import { expect, PHONE, test } from "./support/test"

let service: Service
let spent: Spent
test.beforeAll(async ({ service: shared }) => {
  service = shared
  spent = await spend(service, newEmail("usage"))
})

const sum = (list: readonly Done[]): bigint => list.reduce((total, { costPico }) => total + costPico, 0n)
const total = (page: Page, label: string): Locator =>
  page
    .getByRole("main")
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole("definition")
    .first()

test("usage is exact to the pico-dollar, and can be filtered by keyboard", async ({ page }) => {
  const failures: string[] = []
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
  const { email, answered } = spent
  const costPico = sum(answered)
  await signIn(page, service, email, "/usage")

  await expect(total(page, "Not answered")).toHaveText("2 (33.3%)")
  await expect(total(page, "Spent")).toHaveText(shown(costPico))
  await expect(total(page, "Answered")).toHaveText("4")
  const account = await service.operator<{ balance_usd: string }>("account", "show", email)
  expect(11_000_000_000_000n - BigInt(account.balance_usd.replace(".", ""))).toBe(costPico)
  await expect(page.getByRole("table", { name: "By key" }).getByRole("row", { name: /Staging/ })).toContainText("$0.00")
  const errors = page.getByRole("table", { name: "Errors by code" })
  await expect(errors.getByRole("row", { name: /key_limit_reached/ })).toContainText("402")

  // All requests are in the latest hour of the charts for today, which the keyboard can read.
  await tabTo(page, page.getByRole("link", { name: "Today" }))
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/days=1/)
  const chart = page.getByRole("slider", { name: "Requests by hour" })
  await expect(chart).toHaveAttribute("aria-valuetext", /UTC: Answered 4, Not answered 2$/)
  await tabTo(page, chart)
  await page.keyboard.press("End")
  await expect(chart).toHaveAttribute("aria-valuetext", /UTC: Answered 4, Not answered 2$/)
  await page.keyboard.press("Home")
  await expect(chart).toHaveAttribute("aria-valuenow", "0")
  await page.keyboard.press("Tab")
  await page.keyboard.press("Enter")
  const asTable = page.getByRole("table", { name: "Requests by hour" })
  await expect(asTable.getByRole("row").nth(1).getByRole("cell")).toHaveText(["4", "2"])
  await expectAccessible(page, { widths: [360, 1440] })

  // A filter is in the address as soon as it is chosen, and applies to all figures.
  const filters = page.getByRole("form", { name: "Filters" })
  const shownNow = page.getByRole("region", { name: "What is shown" })
  await tabTo(page, filters.getByLabel("Key"))
  await page.keyboard.type("S")
  await expect(page).toHaveURL(/key=key_/)
  await expect(shownNow).toContainText(/^1 request,/)
  await expect(total(page, "Answered")).toHaveText("0")
  await expect(filters.getByLabel("Key")).toBeFocused()

  await filters.getByLabel("Result", { exact: true }).selectOption("answered")
  await expect(page).toHaveURL(/key=key_.*result=answered/)
  await expect(page.getByRole("heading", { name: "No requests in this range" })).toBeVisible()
  await page.getByRole("link", { name: /Remove the filter Key: Staging/ }).click()
  await expect(shownNow).toContainText(/^4 requests,/)
  await expect(total(page, "Not answered")).toHaveText("0")
  await filters.getByLabel("Result", { exact: true }).selectOption("key_limit_reached")
  await expect(shownNow).toContainText("Result: 402 key_limit_reached")
  await expect(total(page, "Not answered")).toHaveText("1 (100%)")
  await page.getByRole("link", { name: "Clear filters" }).click()
  await expect(total(page, "Answered")).toHaveText("4")

  // A range is moved one end at a time. Nothing is lost while its ends do not fit.
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const [from, to] = [filters.getByLabel("From"), filters.getByLabel("To")]
  await to.fill(day(5))
  await expect(filters.getByText("Choose a first day too.")).toBeVisible()
  await from.fill(day(8))
  await expect(page).toHaveURL(new RegExp(`from=${day(8)}&to=${day(5)}`))
  await expect(shownNow).toContainText(/^0 requests,/)
  // The page for the first choice arrives after the second one was made.
  await from.fill(day(7))
  await to.fill(day(9))
  await expect(page).toHaveURL(new RegExp(`from=${day(7)}`))
  await expect(shownNow).toContainText(/^0 requests,/)
  await expect(to).toHaveValue(day(9))
  await to.fill(day(5))
  await from.fill(day(1))
  await expect(filters.getByText("It is before the first day.")).toBeVisible()
  await filters.getByLabel("Result", { exact: true }).selectOption("answered")
  await expect(page).toHaveURL(new RegExp(`from=${day(7)}&to=${day(5)}.*result=answered`))
  await expect(shownNow).toContainText("Result: 200 answered")
  await expect(from).toHaveValue(day(1))
  await expect(to).toHaveValue(day(5))
  await filters.getByLabel("Result", { exact: true }).selectOption("")
  await expect(page).not.toHaveURL(/result=/)
  await to.fill(day(0))
  await expect(page).toHaveURL(new RegExp(`from=${day(1)}&to=${day(0)}`))
  await expect(shownNow).toContainText(/^6 requests,/)

  await expectAccessible(page, NARROW)
  expect(failures).toEqual([])
})

test("an account without requests sees a labelled sample, even with invalid query values", async ({ page }) => {
  await signIn(page, service, newEmail("unused"), "/usage?days=none&from=x&by=colour&before=1")
  await expect(page.getByRole("heading", { name: "No requests yet" })).toBeVisible()
  await expect(page.getByRole("region", { name: "A sample of usage Not your data" })).toBeVisible()
  await expect(page.getByRole("slider", { name: "Spend by day" })).toBeVisible()
  await expect(page.getByRole("link", { name: "Open the playground" })).toBeVisible()
  await expectAccessible(page, { widths: [360, 1440] })
  const html = await (await page.request.get(`${service.url}/usage`)).text()
  expect(html).not.toMatch(/<[^>]+ style="/)
})

test.describe("on a phone", () => {
  test.use(PHONE)

  test("on a phone, touching a chart shows its value, and nothing overflows", async ({ page }) => {
    const { email, answered } = spent
    await signIn(page, service, email, "/usage")
    const chart = page.getByRole("slider", { name: "Spend by day" })
    const box = await chart.boundingBox()
    if (!box) throw new Error("the chart is not shown")
    await page.touchscreen.tap(box.x + box.width - 3, box.y + 40)
    await expect(chart).toHaveAttribute("aria-valuetext", new RegExp(`Spend \\${shown(sum(answered))}$`))
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(over).toBe(0)
    await page.getByRole("button", { name: "Open the menu" }).tap()
    await expect(page.getByRole("dialog").getByRole("link", { name: "Usage" })).toBeVisible()
    await expectAccessible(page, NARROW)
  })
})
