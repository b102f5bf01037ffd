import path from "node:path"
import type { Page } from "@playwright/test"
import { printFigure } from "@/test/figures"
import { expectAccessible, NARROW } from "./support/axe"
import { chargedTo, finished, signInToEvaluate, storedRuns } from "./support/evaluate"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ topups }) => {
  service = topups.service
})

/** 300 rows of banking77. See its README for the licence. */
const FILE = path.resolve("e2e/fixture/banking77-extract.csv")

/** Presses a button that starts a run, and returns how long the run took in seconds. */
async function runFor(page: Page, button: RegExp): Promise<number> {
  const startedAt = Date.now()
  await page.getByRole("button", { name: button }).click()
  // The page shows the run before this one until the new one starts.
  await expect(page.getByRole("heading", { name: "Finished" })).toHaveCount(0)
  await finished(page)
  return (Date.now() - startedAt) / 1_000
}

test("a pilot of 100 rows says how likely more rows prove the claim, and forecasts the time of the full run", async ({
  page,
}) => {
  const email = await signInToEvaluate(service, page, "900")
  await page.getByLabel("Rows from a file").setInputFiles(FILE)
  await page.getByRole("tab", { name: "Questions" }).click()
  await page.getByRole("button", { name: "Add a question for “refund”" }).click()
  await page.getByRole("textbox", { name: "Instructions" }).fill("Does the customer ask about a refund?")
  await page.getByRole("tab", { name: "Run" }).click()
  const time = page.locator("dl > div").filter({ hasText: "Time, " })
  await expect(time).toContainText(/^Time, at least\d+ s$/)
  await page.getByText("Pilot of 100", { exact: true }).click()
  await expect(page.getByText("Its rows are drawn by seed")).toBeVisible()
  await expectAccessible(page, NARROW)
  await runFor(page, /^Run a pilot of 100 rows$/)

  await page.getByRole("button", { name: "See the results" }).click()
  const automation = page.getByRole("region", { name: "What can be automatic?" })
  await expect(automation).toContainText("No threshold keeps within your target")
  for (const side of ["yes", "no"])
    await expect(automation).toContainText(
      new RegExp(
        `The chance that more rows like these show it for ${side}: 300 rows: (less than 1|\\d|more than 9) in 10; 900: .* in 10; 2,700: .* in 10\\.`,
      ),
    )
  await expectAccessible(page, NARROW)

  await page.getByRole("tab", { name: "Run" }).click()
  await page.getByText("All 300 rows", { exact: true }).click()
  await expect(time).toContainText(/^Time, about\d+ s$/)
  const forecast = Number(/\d+/.exec((await time.textContent()) ?? "")?.[0])
  const seconds = await runFor(page, /^Run 300 rows$/)
  printFigure("forecast and time of 300 rows after a pilot, s", { forecast, seconds })
  const runs = await storedRuns(page)
  expect(runs.map(({ totals }) => totals.answered)).toEqual([100, 300])
  expect(await chargedTo(service, email)).toMatchObject({ requests: 400 })
})
