import { expectAccessible } from "./support/axe"
import { addSecondModel, chargedTo, picoOf, SECOND_MODEL, signInToEvaluate, storedRuns } from "./support/evaluate"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ topups }) => {
  service = topups.service
})

test("an alias move compares two runs, and robustness checks repeat questions in other wordings and without parts of the state", async ({
  page,
}) => {
  await addSecondModel(service)
  const email = await signInToEvaluate(service, page, "900", "/playground")
  await page.getByLabel("State from a file").setInputFiles({
    name: "tickets.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(
      `text,wants_refund\n${Array.from({ length: 24 }, (_, at) => (at % 3 === 0 ? `"Please refund order ${at}. It came late.",yes` : `"Where is order ${at}? I am waiting.",no`)).join("\n")}\n`,
    ),
  })
  await page.getByRole("button", { name: "Evaluate the rows" }).click()
  await expect(page.getByText("24 of 24 rows can be used")).toBeVisible()

  await page.getByRole("tab", { name: "Compare" }).click()
  await expect(page.getByRole("heading", { name: "Two runs are needed" })).toBeVisible()
  await page.getByLabel("Model it would move to").selectOption(SECOND_MODEL)
  await expect(page.getByText("Exact tokens of 32 requests")).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Run 24 rows on both" }).click()
  await page.getByRole("button", { name: "Compare the two runs" }).click({ timeout: 120_000 })
  const differences = page.getByRole("table", { name: "Differences" })
  await expect(
    differences.getByRole("row", {
      name: /^Brier score 0\.\d{3} 0\.\d{3} 0\.000 – No clear difference\.$/,
    }),
  ).toBeVisible()
  await expect(page.getByText("None: all 24 answers have the same probabilities in both runs.")).toBeVisible()
  await expectAccessible(page)
  expect((await storedRuns(page)).map(({ pinnedId, totals }) => [pinnedId === SECOND_MODEL, totals.answered])).toEqual([
    [false, 24],
    [true, 24],
  ])

  await page.getByRole("tab", { name: "Robustness" }).click()
  await page.getByLabel("Rows", { exact: true }).fill("4")
  // Each row as it is and in four other wordings.
  await page.getByRole("button", { name: "Send 20 requests" }).click()
  await expect(
    page.getByRole("table", { name: "Checks" }).getByRole("row", { name: /^The opposite question 4 / }),
  ).toBeVisible()
  await expect(page.getByRole("row", { name: /^The same request again 4 0 \(0\.0%\) / })).toBeVisible()
  await expectAccessible(page)
  const charged = await chargedTo(service, email)
  const spent = (await storedRuns(page)).reduce((sum, { totals }) => sum + picoOf(totals.costUsd), 0n)
  expect(charged).toMatchObject({ requests: 68, pico: spent.toString() })

  await page.goto(`${service.url}/playground`)
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByRole("button", { name: "What moves the answer?" }).click()
  await page.getByRole("button", { name: /^Send \d+ requests$/ }).click()
  await expect(page.getByRole("heading", { name: "What moves the answer?" })).toBeVisible()
  await expect(page.getByRole("table", { name: "Parts" })).toBeVisible()
  await expectAccessible(page)

  // The check leaves no set behind, unless it is kept.
  const kept = page.getByRole("link", { name: "Row from the playground" })
  await page.getByRole("link", { name: "All sets" }).click()
  await expect(page.getByRole("heading", { name: "Saved sets" })).toBeVisible()
  await expect(kept).toHaveCount(0)
  await expect
    .poll(async () => (await storedRuns(page)).filter(({ robustness }) => robustness?.kind === "ablation"))
    .toEqual([])
  await page.goto(`${service.url}/playground`)
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByRole("button", { name: "Is the answer stable?" }).click()
  await page.getByRole("button", { name: "Keep as a set" }).click()
  await page.getByRole("link", { name: "All sets" }).click()
  await expect(kept).toBeVisible()
})
