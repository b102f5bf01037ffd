import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/axe"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const ROWS = 1_000

const progress = (page: Page) => page.getByRole("progressbar", { name: "Rows done" })
const doneRows = async (page: Page) => Number(await progress(page).getAttribute("value"))

/** Returns the newest run as this browser stores it. */
const storedRun = (page: Page) =>
  page.evaluate(async () => {
    const request = indexedDB.open("evaluate")
    await new Promise((resolve) => request.addEventListener("success", resolve))
    const all = request.result.transaction("runs").objectStore("runs").getAll()
    await new Promise((resolve) => all.addEventListener("success", resolve))
    request.result.close()
    return all.result.at(-1) as { status: string; totals: { answered: number; tokens: number; costUsd: string } }
  })

test("the sample is priced, run, interrupted by a reload and finished, and charged exactly once", async ({
  page,
  service,
}) => {
  test.setTimeout(180_000)
  const email = newEmail("evaluate")
  await signIn(page, service, email)
  await service.operator("account", "limits", email, "--per-second", "200", "--per-key", "200")
  await page.goto(`${service.url}/evaluate`)
  await page.getByRole("button", { name: "Use the sample" }).click()
  await expect(page.getByText("Exact tokens of 16 requests")).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
  await page.getByRole("button", { name: "Run 1,000 rows" }).click()
  await expect.poll(() => doneRows(page)).toBeGreaterThan(10)
  await page.reload()

  await expect(page.getByText("The run was interrupted")).toBeVisible()
  expect(await doneRows(page)).toBeLessThan(ROWS)
  await expectAccessible(page)
  await page.getByRole("button", { name: "Resume" }).click()
  await expect(page.getByRole("heading", { name: "Finished" })).toBeVisible({ timeout: 120_000 })

  const { totals } = await storedRun(page)
  expect(totals.answered).toBe(ROWS)
  const [charged] = await service.sql<{ requests: number; tokens: number; pico: string }>(
    `SELECT count(*)::int AS requests, sum(tokens)::int AS tokens, sum(-amount_pico)::text AS pico
     FROM ledger_entry JOIN member m USING (account_id) JOIN app_user u ON u.id = m.user_id
     WHERE u.email = $1 AND kind = 'charge'`,
    [email],
  )
  expect(charged).toEqual({
    requests: ROWS,
    tokens: totals.tokens,
    pico: BigInt(totals.costUsd.replace(".", "")).toString(),
  })

  await page.getByRole("button", { name: "See the results" }).click()
  await expect(page.getByRole("heading", { name: "wants_refund" })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Export as a test" }).click()
  await expect(page.getByText("evaluation.test.ts", { exact: true })).toBeVisible()
})

test("a file that cannot be read says why and keeps the sets, and a CSV of the playground is offered to Evaluate", async ({
  page,
  service,
}) => {
  await signIn(page, service, newEmail("evaluate-files"), "/playground")
  const csv = {
    name: "rows.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("text,wants_refund\nRefund me,yes\nHi,no\n"),
  }
  await page.getByLabel("State from a file").setInputFiles(csv)
  await page.getByRole("button", { name: "Evaluate the rows" }).click()
  await expect(page.getByText("2 of 2 rows can be used")).toBeVisible()
  await expect(page.getByLabel("Right answers of wants_refund")).toHaveValue("wants_refund")
  await expectAccessible(page)

  await page.getByRole("link", { name: "All sets" }).click()
  await page
    .getByLabel("Rows from a file")
    .setInputFiles({ ...csv, name: "bad.csv", buffer: Buffer.from("a,b,a\n1,2,3\n") })
  await expect(page.getByRole("alert").filter({ hasText: "bad.csv was not opened" })).toContainText(
    "Two columns are named “a”.",
  )
  await expect(page.getByRole("link", { name: "rows", exact: true })).toBeVisible()
  await expectAccessible(page)
})
