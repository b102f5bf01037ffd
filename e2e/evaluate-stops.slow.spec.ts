import type { Page } from "@playwright/test"
import {
  addSecondModel,
  chargedTo,
  doneRows,
  finished,
  holdAnswers,
  holdWorkers,
  SECOND_MODEL,
  signInToEvaluate,
  storedRuns,
} from "./support/evaluate"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ topups }) => {
  service = topups.service
})

/** Opens a set with one yes/no question. Its price is counted at four rows per second. */
async function openRows(page: Page, count = 6): Promise<void> {
  const rows = Array.from({ length: count }, (_, at) => `"Please refund order ${at}. It came late.",yes`)
  const buffer = Buffer.from(`text,wants_refund\n${rows.join("\n")}\n`)
  await page.getByLabel("State from a file").setInputFiles({ name: "rows.csv", mimeType: "text/csv", buffer })
  await page.getByRole("button", { name: "Evaluate the rows" }).click()
  await expect(page.getByText(`${count} of ${count} rows can be used`)).toBeVisible()
}

/** Opens a set where an alias could move to the second model. Returns the owner's e-mail address. */
async function openAliasMove(page: Page, rows?: number): Promise<string> {
  await addSecondModel(service)
  const email = await signInToEvaluate(service, page, "900", "/playground")
  await openRows(page, rows)
  await page.getByRole("tab", { name: "Compare" }).click()
  await page.getByLabel("Model it would move to").selectOption(SECOND_MODEL)
  return email
}

test("a run that is cancelled while its worker loads sends nothing, and a new one can begin", async ({ page }) => {
  const email = await signInToEvaluate(service, page, "100", "/playground")
  await openRows(page)
  await page.getByRole("tab", { name: "Run" }).click()
  const letLoad = await holdWorkers(page)
  await page.getByRole("button", { name: "Run 6 rows" }).click()
  await page.getByRole("button", { name: "Cancel run" }).click()
  letLoad()
  await expect(page.getByRole("heading", { name: "Cancelled" })).toBeVisible()
  await expect(page.getByRole("button", { name: "Run 6 rows" })).toBeEnabled()
  expect(await chargedTo(service, email)).toMatchObject({ requests: 0 })
})

test("two runs never exceed their shared cap, and a paused run can be cancelled", async ({ page }) => {
  const email = await openAliasMove(page, 24)
  // A row costs $0.144 on both models, so each run could spend $3.456.
  await page.getByLabel("Cost cap in USD").fill("4")
  const letAnswers = await holdAnswers(page)
  await page.getByRole("button", { name: "Run 24 rows on both" }).click()
  letAnswers(6)
  await expect.poll(() => doneRows(page)).toBe(6)
  await page.getByRole("button", { name: "Pause" }).click()
  letAnswers()
  await expect(page.getByRole("heading", { name: "Paused" })).toBeVisible()

  const resume = async (model: string) => {
    await page.getByRole("tab", { name: "Results" }).click()
    const runs = page.getByLabel("Results of")
    const id = await runs.locator("option", { hasText: model }).getAttribute("value")
    await runs.selectOption(id)
    await expect(runs).toHaveValue(id ?? "")
    await page.getByRole("tab", { name: "Run" }).click()
    await page.getByRole("button", { name: "Resume" }).click()
    await expect(page.getByText("The cap is reached")).toBeVisible()
  }
  await resume(SECOND_MODEL)
  await page.getByRole("button", { name: "Cancel run" }).click()
  await expect(page.getByRole("heading", { name: "Cancelled" })).toBeVisible()
  await resume("svc-lexical-baseline-1")

  const charged = await chargedTo(service, email)
  expect(Number(charged?.pico)).toBeLessThanOrEqual(4_000_000_000_000)
  const spent = (await storedRuns(page)).reduce((sum, { totals }) => sum + BigInt(totals.costUsd.replace(".", "")), 0n)
  expect(charged?.pico).toBe(spent.toString())
})

test("a press of Pause that comes too late does not cancel the run", async ({ page }) => {
  await signInToEvaluate(service, page, "100", "/playground")
  await openRows(page)
  await page.getByRole("tab", { name: "Run" }).click()
  let refuse = () => {}
  const refused = new Promise<void>((resolve) => {
    refuse = resolve
  })
  let sent = 0
  await page.route("**/evaluate/decisions", async (route) => {
    sent += 1
    await refused
    const error = { type: "billing_error", code: "insufficient_balance", message: "The balance is too low." }
    await route.fulfill({ status: 402, json: { error } })
  })
  await page.getByRole("button", { name: "Run 6 rows" }).click()
  const box = await page.getByRole("button", { name: "Pause" }).boundingBox()
  if (!box) throw new Error("the button has no place")
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  refuse()
  await expect(page.getByRole("heading", { name: "Paused" })).toBeVisible()
  await page.mouse.up()
  // A press that begins after the run paused itself resumes it.
  const before = sent
  await page.mouse.down()
  await page.mouse.up()
  await expect.poll(() => sent).toBeGreaterThan(before)
  await expect(page.getByRole("heading", { name: "Paused" })).toBeVisible()
})

test("two runs that end in quick succession do not load the page again", async ({ page }) => {
  await openAliasMove(page)
  const loads: string[] = []
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads.push(request.url())
  })
  // The page loads the balance again after each run. Here the first load ends only when the second has begun.
  let readings = 0
  let endFirst = () => {}
  const secondBegan = new Promise<void>((resolve) => {
    endFirst = resolve
  })
  await page.route(/\/evaluate\?.*_rsc=/, async (route) => {
    readings += 1
    if (readings === 2) endFirst()
    await secondBegan
    await route.continue().catch(() => undefined)
  })
  await page.getByRole("button", { name: "Run 6 rows on both" }).click()
  await page.getByRole("button", { name: "Compare the two runs" }).click({ timeout: 120_000 })
  await expect(page.getByRole("table", { name: "Differences" })).toBeVisible()
  await expect(page).toHaveURL(/#compare$/)
  await expect(page.getByText("Balance $900.00")).toHaveCount(0)
  expect(readings).toBe(2)
  expect(loads).toEqual([])
})

test("a set is not removed during its run, and a cancelled run does not hide earlier results", async ({ page }) => {
  const email = await signInToEvaluate(service, page, "100", "/playground")
  const { id } = await service.operator<{ id: string }>("key", "create", email, "--name", "Team")
  await openRows(page)
  await page.getByRole("tab", { name: "Run" }).click()
  await expect(page).toHaveURL(/#run$/)
  await page.reload()
  const charged = page.getByLabel("Charge to")
  await charged.selectOption({ label: await charged.getByText(/^Team/).innerText() })
  await service.operator("key", "revoke", id)
  // A key that can no longer pay is not chosen.
  await page.reload()
  await expect(charged).toHaveValue("")
  const run = page.getByRole("button", { name: "Run 6 rows" })
  await run.click()
  await finished(page)

  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route("**/evaluate/decisions", async (route) => {
    await answered
    const json = { error: { type: "api_error", code: "internal_error", message: "The request failed." } }
    await route.fulfill({ status: 500, json }).catch(() => undefined)
  })
  await run.click()
  await expect(page.getByRole("heading", { name: "Running" })).toBeVisible()
  await page.getByRole("tab", { name: "Results" }).click()
  await expect(page.getByRole("heading", { name: "The run is not over yet" })).toBeVisible()
  await page.getByRole("tab", { name: "Run (running)" }).click()
  const remove = async () => {
    await page.getByRole("button", { name: /^Actions for/ }).click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    const named = /This removes its \d+ rows and \d+ runs? with \d+ (paid )?answers? from this browser\./
    await expect(page.getByRole("dialog")).toContainText(named)
    await page.getByRole("button", { name: "Remove set" }).click()
  }
  await remove()
  await expect(page.getByRole("alert")).toContainText("A run of this set is under way")
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
  await page.getByRole("button", { name: "Cancel run" }).click()
  answer()
  await expect(page.getByRole("heading", { name: "Cancelled" })).toBeVisible()

  await page.getByRole("tab", { name: "Results" }).click()
  await expect(page.getByRole("heading", { name: "No results yet" })).toBeVisible()
  const runs = page.getByLabel("Results of")
  await runs.selectOption(await runs.locator("option", { hasText: "Finished" }).getAttribute("value"))
  await expect(page.getByRole("button", { name: "Export code" })).toBeVisible()
  await remove()
  await expect(page).toHaveURL(`${service.url}/evaluate`)
})

test("failed rows of an older run are sent again, and the reopened set shows that run", async ({ page }) => {
  await signInToEvaluate(service, page, "100", "/playground")
  await openRows(page)
  await page.getByRole("tab", { name: "Run" }).click()
  let mayAnswer = Promise.resolve()
  let refused = 1
  await page.route("**/evaluate/decisions", async (route) => {
    const isRefused = refused-- > 0
    await mayAnswer
    const json = {
      error: { type: "invalid_request_error", code: "invalid_request", message: "The request was refused." },
    }
    await (isRefused ? route.fulfill({ status: 400, json }) : route.continue()).catch(() => undefined)
  })
  const failed = page.getByRole("heading", { name: "1 row failed and was not charged" })
  await page.getByRole("button", { name: "Run 6 rows" }).click()
  await expect(failed).toBeVisible()
  await page.getByRole("button", { name: "Run 6 rows" }).click()
  await expect(failed).toHaveCount(0)
  await finished(page)

  await page.getByRole("tab", { name: "Results" }).click()
  const runs = page.getByLabel("Results of")
  const older = (await runs.locator("option", { hasText: "5 of 6 rows" }).getAttribute("value")) ?? ""
  await expect(runs).not.toHaveValue(older)
  await page.getByRole("button", { name: "Export code" }).click()
  const code = page.getByText("The code asks your questions about one of your rows")
  await expect(code).toBeVisible()
  await runs.selectOption(older)
  await expect(runs).toHaveValue(older)
  await expect(code).toHaveCount(0)

  let answer = () => {}
  mayAnswer = new Promise((resolve) => {
    answer = resolve
  })
  await page.getByRole("tab", { name: "Run" }).click()
  await page.getByRole("button", { name: "Send failed rows again" }).click()
  await expect(page.getByRole("heading", { name: "Running" })).toBeVisible()
  await page.getByRole("link", { name: "All sets" }).click()
  await page.getByRole("link", { name: "rows", exact: true }).click()
  await expect(runs).toHaveValue(older)
  answer()
  await expect(runs.locator("option:checked")).toHaveText(/Finished, 6 of 6 rows answered/)
  await expect(runs).toHaveValue(older)
})

test("Skip to content keeps the chosen tab, and a name that was typed and not saved is not shown again", async ({
  page,
}) => {
  await signInToEvaluate(service, page, "100", "/playground")
  await openRows(page)
  const tab = page.getByRole("tab", { name: "Questions" })
  await tab.click()
  await expect(page).toHaveURL(/#questions$/)
  await page.getByRole("link", { name: "Skip to content" }).press("Enter")
  await expect(page).toHaveURL(/#content$/)
  await expect(tab).toHaveAttribute("aria-selected", "true")
  await page.getByRole("tab", { name: "Run" }).click()
  await expect(page).toHaveURL(/#run$/)
  await expect(page.getByRole("button", { name: "Run 6 rows" })).toBeVisible()

  const rename = async () => {
    await page.getByRole("button", { name: "Actions for rows" }).click()
    await page.getByRole("menuitem", { name: "Rename" }).click()
  }
  await rename()
  const name = page.getByRole("dialog").getByLabel("Name")
  await name.fill("Abandoned")
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click()
  await expect(name).toHaveCount(0)
  await rename()
  await expect(name).toHaveValue("rows")
})
