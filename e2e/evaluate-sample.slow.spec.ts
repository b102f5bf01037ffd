import { readFile } from "node:fs/promises"
import { expectAccessible, NARROW } from "./support/axe"
import {
  chargedTo,
  doneRows,
  finished,
  holdAnswers,
  holdWorkers,
  picoOf,
  signInToEvaluate,
  storedRuns,
} from "./support/evaluate"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"

const SAMPLE = "public/samples/support-tickets.csv"
/** The first rows of the sample. A unit test finds the thresholds of all 1,000. */
const ROWS = 300
/** Copies of a state are asked once. */
const STATES = 286
let service: Service
test.beforeAll(({ topups }) => {
  service = topups.service
})

test("the sample leads to a threshold in code despite a second tab, a reload and a used-up balance, and is charged once", async ({
  page,
}) => {
  // Enough for half of the rows.
  const email = await signInToEvaluate(service, page, "30")
  const lines = (await readFile(SAMPLE, "utf8")).split("\n")
  await page.route("**/samples/support-tickets.csv", (route) =>
    route.fulfill({ body: lines.slice(0, ROWS + 1).join("\n") }),
  )
  await page.getByRole("button", { name: "Use the sample" }).click()
  await expect(page.getByText("Exact tokens of 16 requests")).toBeVisible()
  await expectAccessible(page)
  await page.getByLabel("Cost cap in USD").fill("")
  const letAnswers = await holdAnswers(page)
  await page.getByRole("button", { name: `Run ${STATES} rows` }).click()
  letAnswers(4)
  await expect.poll(() => doneRows(page)).toBe(4)

  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(second.getByText("Another tab runs this set. This page follows it.")).toBeVisible()
  letAnswers(1)
  await expect.poll(() => doneRows(second)).toBe(5)
  await second.close()
  await page.reload()

  await expect(page.getByText("The run was interrupted")).toBeVisible()
  expect(await doneRows(page)).toBeLessThan(STATES)
  letAnswers()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Resume" }).click()
  const refused = page.getByRole("alert").filter({ hasText: "Then resume the run." })
  await expect(refused.getByRole("link", { name: "Top up" })).toHaveAttribute("href", /^\/billing\/top-up/, {
    timeout: 120_000,
  })
  await expectAccessible(page)
  await service.operator("account", "credit", email, "900", "--note", "test")
  await page.getByRole("button", { name: "Resume" }).click()
  await finished(page)

  const [run] = await storedRuns(page)
  expect(run?.totals.answered).toBe(STATES)
  const charged = await chargedTo(service, email)
  expect(charged).toEqual({
    requests: STATES,
    tokens: run?.totals.tokens,
    pico: picoOf(run?.totals.costUsd ?? "").toString(),
  })

  // With the new balance, the warning above the page goes and the page moves up. A click meanwhile could miss the button.
  await expect(page.getByText(/^Low balance/)).toHaveCount(0)
  const letLoad = await holdWorkers(page)
  await page.getByRole("button", { name: "See the results" }).click()
  await expect(page.getByRole("heading", { name: "wants_refund" })).toBeVisible()
  await expect(page.getByText("No threshold keeps within your target")).toBeVisible()
  await page.getByRole("button", { name: /^Use / }).click()
  await expect(
    page.getByText(
      /^(Confirmed: )?At most \d+\.\d% of the automatic no are wrong \(95% confidence\)\. \d+ of \d+ (is|are) wrong\./i,
    ),
  ).toBeVisible()
  const accept = page.getByRole("button", { name: "Accept this threshold" })
  await expect(accept).toBeDisabled()
  await expect(page.getByText("The page still checks the threshold against the other figures.")).toBeVisible()
  letLoad()
  await accept.click()
  const accepted = page.getByText(
    /^Accepted on \d+ \w+ 20\d\d, .* The rows and their labels are the same\.(?: Compare it with outcomes)?$/,
  )
  await expect(accepted).toBeVisible()
  await page.reload()
  await expect(accepted).toBeVisible()
  await expectAccessible(page)
  for (const question of ["team", "urgency"]) {
    await page.getByLabel("Question", { exact: true }).selectOption(question)
    await expect(page.getByRole("heading", { name: new RegExp(`${question}$`) })).toBeVisible()
    await expectAccessible(page, NARROW)
  }
  await page.getByRole("tab", { name: "Questions" }).click()
  await expect(page.getByLabel("Name", { exact: true })).toHaveCount(3)
  await expectAccessible(page, NARROW)
  await page.getByRole("tab", { name: "Results" }).click()
  await page.getByRole("button", { name: "Export as a test" }).click()
  await expect(page.getByText("evaluation.test.ts", { exact: true })).toBeVisible()
  await page.getByRole("button", { name: "Export code" }).click()
  await expect(page.getByText(/the code returns “review” until you set the thresholds again/)).toBeVisible()
  await expect(page.getByText(`["wants_refund", { low: `)).toContainText(`model: "${run?.pinnedId}"`)
  await page.getByLabel("API", { exact: true }).selectOption("System One, with its SDKs")
  await expect(page.getByText(`import { TypeSafeClient } from "@typesafe-ai/sdk"`)).toBeVisible()
  await page.getByRole("button", { name: "Use these thresholds in the playground" }).click()
  await expect(page).toHaveURL(`${service.url}/playground`)
  await page.getByRole("tab", { name: "Code" }).click()
  await expect(page.getByText(`["wants_refund", { low: `)).toBeVisible()
})
