import { readFile } from "node:fs/promises"
import type { Page } from "@playwright/test"
import { expectAccessible, NARROW } from "./support/axe"
import { tabTo } from "./support/keyboard"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { type Spent, spend } from "./support/spent"
import { expect, PHONE, test } from "./support/test"

let service: Service
let spent: Spent
test.beforeAll(async ({ service: shared }) => {
  service = shared
  spent = await spend(service, newEmail("requests"))
})

/** Exports by keyboard and returns the lines of the file. */
async function exported(page: Page, format: "CSV" | "JSONL"): Promise<string[]> {
  const download = page.waitForEvent("download")
  await tabTo(page, page.getByRole("link", { name: `Export ${format}` }))
  await page.keyboard.press("Enter")
  return (await readFile(await (await download).path(), "utf8")).trimEnd().split(/\r?\n/)
}

const rows = (page: Page) => page.getByRole("table", { name: "Requests" }).locator("tbody").getByRole("row")

test("requests are filtered, exported and opened by keyboard, each at an address of its own", async ({ page }) => {
  const failures: string[] = []
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
  const { email, answered, refused } = spent
  await signIn(page, service, email, "/requests")
  await expect(rows(page)).toHaveCount(6)
  await expectAccessible(page, { widths: [360, 1440] })
  const lines = (await exported(page, "CSV")).slice(1).map((line) => line.split(","))
  expect(lines.map(([, id]) => id).toSorted()).toEqual([...answered, ...refused].map(({ id }) => id).toSorted())
  const costs = lines.map((line) => line[11] ?? "").filter(Boolean)
  const spentPico = answered.reduce((all, { costPico }) => all + costPico, 0n)
  expect(costs.reduce((all, cost) => all + BigInt(cost.replace(".", "")), 0n)).toBe(spentPico)

  const filters = page.getByRole("form", { name: "Filters" })
  await tabTo(page, filters.getByLabel("Key"))
  await page.keyboard.type("S")
  await expect(page).toHaveURL(/key=key_/)
  await expect(rows(page)).toHaveCount(1)
  await expect(filters.getByLabel("Key")).toBeFocused()
  const objects = (await exported(page, "JSONL")).map((line) => JSON.parse(line))
  expect(objects).toMatchObject([{ request_id: refused[1]?.id, status: 402, code: "key_limit_reached" }])
  await filters.getByLabel("Question type").selectOption("choice")
  await expect(page.getByRole("heading", { name: "No requests found" })).toBeVisible()
  await page.getByRole("link", { name: "Show all requests" }).click()
  await expect(rows(page)).toHaveCount(6)

  await filters.getByLabel("Question type").selectOption("choice")
  await expect(rows(page)).toHaveCount(3)
  await filters.getByLabel("Cost from ($)").fill("1000")
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/type=choice&min_usd=1000/)
  await expect(page.getByRole("heading", { name: "No requests found" })).toBeVisible()
  await filters.getByLabel("Cost up to ($)").fill("999")
  await expect(filters.getByText("It is below the lower bound.")).toBeVisible()
  await page.getByRole("link", { name: "Clear filters" }).click()
  await expect(rows(page)).toHaveCount(6)
  // An unfinished tag filters nothing.
  await filters.getByLabel("Tag").fill("team")
  await page.keyboard.press("Enter")
  await expect(filters.getByLabel("Tag")).toBeFocused()
  await expect(page).not.toHaveURL(/tag=/)
  await filters.getByLabel("Tag").fill("team=search")
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/\/requests\?tag=team%3Dsearch(&|$)/)
  await expect(rows(page)).toHaveCount(1)
  const tagged = (await exported(page, "JSONL")).map((line) => JSON.parse(line))
  expect(tagged).toMatchObject([{ request_id: answered[3]?.id, tags: ["team=search"] }])
  await filters.getByLabel("Tag").fill("team=ads")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("heading", { name: "No requests found" })).toBeVisible()
  await page.getByRole("link", { name: "Clear filters" }).click()
  await expect(rows(page)).toHaveCount(6)
  await filters.getByLabel("To (UTC)").fill("2026-01-01T00:00")
  await expect(filters.getByText("Choose a first minute too.")).toBeVisible()
  await filters.getByLabel("From (UTC)").fill("2025-12-31T23:00")
  await expect(page).toHaveURL(/from=2025-12-31T23%3A00&to=2026-01-01T00%3A00/)
  await expect(page.getByText("No request in this range.")).toBeVisible()

  await page.getByLabel("Request id").fill("req_nonsense")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("heading", { name: "No request has this id" })).toBeVisible()
  await page.getByLabel("Request id").fill(answered[1]?.id ?? "")
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(`${service.url}/requests/${answered[1]?.id}`)
  const main = page.getByRole("main")
  await expect(main).toContainText("200 answered")
  await expect(main).toContainText("1 noul, 1 choice, 1 score")
  await expect(main).toContainText("$0.731 per million tokens")
  await expect(main).toContainText("x-svc-cost-usd")
  await expect(main).toContainText("Sent as svc-decider-latest")
  await expect(main).toContainText(/State \d+, questions \d+/)
  await expect(main.getByRole("heading", { name: "Latency by stage" })).toBeVisible()
  await expect(main).toContainText("Probably a retry")
  await expectAccessible(page, NARROW)

  await page.goto(`${service.url}/usage?request=${refused[1]?.id}`)
  await expect(page).toHaveURL(`${service.url}/requests/${refused[1]?.id}`)
  await expect(page.getByRole("heading", { name: "402 key_limit_reached" })).toBeVisible()
  await expect(main).toContainText("Stop until resets_at.")
  await expect(main.getByRole("heading", { name: "Limits at that moment" })).toBeVisible()
  await expect(main).toContainText("x-ratelimit-limit")
  await expectAccessible(page, NARROW)
  expect(failures).toEqual([])
})

test.describe("on a phone", () => {
  test.use(PHONE)

  test("on a phone, where nothing shows on hover, the page of a request states its exact cost", async ({ page }) => {
    const { email, answered } = spent
    await signIn(page, service, email, `/requests/${answered[3]?.id}`)
    const cost = page.getByRole("definition").filter({ hasText: "per million tokens" })
    await expect(cost).toContainText("$0.000008772")
  })

  test("on a phone, one button shows the filters and counts those in use", async ({ page }) => {
    const { email, answered } = spent
    await signIn(page, service, email, "/requests?result=answered&type=score")
    await expect(page.getByText(answered[0]?.id ?? "")).toBeVisible()
    await expect(page.getByLabel("Key")).toBeHidden()
    await page.getByRole("button", { name: "Filters (2)" }).tap()
    await expect(page.getByLabel("Key")).toBeVisible()
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(over).toBe(0)
    await expectAccessible(page, NARROW)
  })
})
