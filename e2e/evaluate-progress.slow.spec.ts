import type { Page } from "@playwright/test"
import { holdAnswers, signInToEvaluate } from "./support/evaluate"
import { expect, test } from "./support/test"

const inMenu = (page: Page) =>
  page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: /^Evaluate/ })

test("the menu shows how far a run is, on every page and in every tab, until the run ends", async ({
  page,
  service,
}) => {
  await signInToEvaluate(service, page, "30")
  await page.route("**/samples/support-tickets.csv", async (route) => {
    const whole = await route.fetch()
    const lines = (await whole.text()).split("\n")
    await route.fulfill({ body: lines.slice(0, 21).join("\n") })
  })
  await page.getByRole("button", { name: "Use the sample" }).click()
  await page.getByLabel("Cost cap in USD").fill("")
  await expect(inMenu(page)).toHaveText("Evaluate")
  const run = page.getByRole("button", { name: /^Run \d+ rows$/ })
  const count = Number(/\d+/.exec((await run.textContent()) ?? "")?.[0])
  const letAnswers = await holdAnswers(page)
  await run.click()
  letAnswers(4)
  const shown = `${Math.floor(400 / count)}% of a run`
  await expect(inMenu(page)).toContainText(shown)

  const other = await page.context().newPage()
  await other.goto(`${service.url}/keys`)
  await expect(inMenu(other)).toContainText(shown)
  await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Usage" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Usage" })).toBeVisible()
  await expect(inMenu(page)).toContainText(shown)

  letAnswers()
  for (const tab of [page, other]) await expect(inMenu(tab)).toHaveText("Evaluate")
})
