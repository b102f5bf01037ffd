import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/axe"
import { PlaygroundPage } from "./support/playground"
import { MODEL } from "./support/requests"
import { runAnswered, tableOf } from "./support/runs"
import type { Service } from "./support/service"
import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

const enter = (page: Page) => PlaygroundPage.enter(page, service, newEmail("runner"))

test("while keyword rules answer, one line says how to get a model", async ({ page }) => {
  await enter(page)
  const line = page.getByText("Keyword rules answer now, not a model.")
  await expect(line).toContainText("stop the service and run ENGINE_GGUF=hf:ggml-org/lev-GGUF npm start.")
})

test("with a banner above it, the playground fits the window", async ({ page }) => {
  const email = newEmail("fits")
  await PlaygroundPage.enter(page, service, email)
  await service.operator("account", "debit", email, "1", "--note", "test")
  await page.reload()
  await expect(page.getByText("Requests are refused until credit is added.")).toBeVisible()
  await expect(page.getByRole("button", { name: "Run", exact: true })).toBeInViewport({ ratio: 1 })
  expect(await page.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBe(0)
})

test("charts show the response's numbers, and code includes thresholds", async ({ page }) => {
  const failures: string[] = []
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
  await enter(page)
  const { answers } = await runAnswered(page)
  const { wants_refund: refund, team, urgency } = answers
  expect((await tableOf(page, "wants_refund")).Yes).toBe(String(refund.noul))
  const options = await tableOf(page, "team")
  expect(options).toEqual(Object.fromEntries(Object.entries(team.probabilities).map(([name, p]) => [name, String(p)])))
  const levels = await tableOf(page, "urgency")
  expect(levels.Mean).toBe(String(urgency.score))
  expect(Object.values(levels).slice(0, -1)).toEqual(Object.values(urgency.probabilities).map(String))
  const confidence = page.getByText(`confidence ${team.confidence.toFixed(3)}`)
  // Keyboard focus shows the exact number.
  await page.keyboard.press("Tab")
  await confidence.locator("[tabindex]").focus()
  await expect(confidence.getByText(String(team.confidence), { exact: true })).toBeVisible()
  await page.getByText("What confidence means").first().click()
  await expect(page.getByText(/^\(4 × [\d.]+ − 1\) ÷ \(4 − 1\) = /)).toBeVisible()
  await page.getByText("Raw request and response").click()
  await expect(page.getByText("x-ratelimit-limit: 10")).toBeVisible()

  const low = page.getByRole("slider", { name: "wants_refund: no below" })
  await low.focus()
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight")
  await expect(page.getByText("no below 0.35")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("tab", { name: "Code", exact: true }).click()
  await expect(page.getByRole("tabpanel", { name: "TypeScript" })).toContainText(
    `["wants_refund", { low: 0.35, high: 0.7, model: "${MODEL}" }],`,
  )
  await expect(page.getByRole("tabpanel", { name: "TypeScript" })).toContainText(service.url)
  await page.getByLabel("API", { exact: true }).selectOption("OpenAI, with its SDKs")
  await expect(page.getByRole("tabpanel", { name: "TypeScript" })).toContainText(`"${service.url}/openai/v1"`)
  await expectAccessible(page, { themes: ["light"] })
  expect(failures).toEqual([])
})
