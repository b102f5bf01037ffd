import type { Locator, Page } from "@playwright/test"
import { signInToEvaluate } from "./support/evaluate"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { spend } from "./support/spent"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

const dayAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Goes back one entry of the history, and waits for the address and for the field that it fills. */
async function goBackTo(page: Page, path: string, field: Locator, value: string): Promise<void> {
  await page.goBack()
  await expect(page).toHaveURL(service.url + path)
  await expect(field).toHaveValue(value)
}

test("Back leaves one filter of usage, billing and requests after the other, and then the page", async ({ page }) => {
  const { email } = await spend(service, newEmail("filters"))
  await signIn(page, service, email, "/members")
  for (const [path, form, first, option] of [
    ["/usage", "Filters", "Group by", "key"],
    ["/billing", "Filter the ledger", "Entry", "topup"],
    ["/requests", "Filters", "Question type", "choice"],
  ] as const) {
    const link = page.getByRole("complementary").locator(`a[href="${path}"]`)
    await link.first().click()
    await expect(page).toHaveURL(service.url + path)
    const select = page.getByRole("form", { name: form }).getByLabel(first)
    const from = page.getByRole("form", { name: form }).getByLabel(/^From/)
    await select.selectOption(option)
    await expect(page).toHaveURL(new RegExp(`=${option}\\b`))
    const chosen = page.url().slice(service.url.length)
    await from.fill(path === "/requests" ? `${dayAgo(3)}T00:00` : dayAgo(3))
    await expect(page).toHaveURL(new RegExp(`from=${dayAgo(3)}`))
    await goBackTo(page, chosen, from, "")
    await expect(select).toHaveValue(option)
    await goBackTo(page, path, select, "")
    await page.goBack()
    await expect(page).toHaveURL(`${service.url}/members`)
  }
})

test("a range that is typed digit by digit is one entry of the history", async ({ page }) => {
  await signIn(page, service, newEmail("typed"), "/billing")
  const from = page.getByRole("form", { name: "Filter the ledger" }).getByLabel("From")
  for (const day of [dayAgo(5), dayAgo(4), dayAgo(3)]) {
    await from.fill(day)
    await expect(page).toHaveURL(new RegExp(`from=${day}`))
  }
  await goBackTo(page, "/billing", from, "")
})

test("a search of keys that is typed letter by letter is one entry of the history, and a choice is another", async ({
  page,
}) => {
  const email = newEmail("search")
  await service.createAccountWithKey(email)
  await signIn(page, service, email, "/keys")
  const search = page.getByRole("searchbox", { name: "Search keys" })
  await search.fill("T")
  await expect(page).toHaveURL(/q=T$/)
  await search.fill("Te")
  await expect(page).toHaveURL(/q=Te$/)
  await goBackTo(page, "/keys", search, "")
  await search.fill("Test")
  await expect(page).toHaveURL(/q=Test$/)
  const searched = page.url().slice(service.url.length)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole("button", { name: /^Filters/ }).click()
  await page.getByLabel("Sort by").selectOption("name asc")
  await expect(page).toHaveURL(/sort=name/)
  await goBackTo(page, searched, page.getByLabel("Sort by"), "created desc")
  await goBackTo(page, "/keys", search, "")
})

test("Back returns to the tab of a set that was shown before", async ({ page }) => {
  await signInToEvaluate(service, page, "1")
  await page.route("**/samples/support-tickets.csv", async (route) => {
    const whole = await route.fetch()
    const lines = (await whole.text()).split("\n")
    await route.fulfill({ body: lines.slice(0, 21).join("\n") })
  })
  await page.getByRole("button", { name: "Use the sample" }).click()
  const tab = (name: string) => page.getByRole("tab", { name, exact: true })
  await tab("Rows").click()
  await expect(page).toHaveURL(/#rows$/)
  await tab("Questions").click()
  await expect(page).toHaveURL(/#questions$/)
  await tab("Results").click()
  await expect(page).toHaveURL(/#results$/)
  for (const [name, fragment] of [
    ["Questions", /#questions$/],
    ["Rows", /#rows$/],
  ] as const) {
    await page.goBack()
    await expect(page).toHaveURL(fragment)
    await expect(tab(name)).toHaveAttribute("aria-selected", "true")
  }
})
