import { expectAccessible } from "./support/axe"
import { signInToEvaluate } from "./support/evaluate"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ topups }) => {
  service = topups.service
})

test("a file with too many rows is opened as a random sample, which the page names", async ({ page }) => {
  await signInToEvaluate(service, page, "1", "/evaluate")
  const rows = Array.from({ length: 20_500 }, (_, row) => `Order ${row} is late,${row % 2 ? "yes" : "no"}\n`)
  const buffer = Buffer.from(`text,late\n${rows.join("")}`)
  await page.getByLabel("Rows from a file").setInputFiles({ name: "orders.csv", mimeType: "text/csv", buffer })
  await expect(page.getByRole("region", { name: "Add rows" }).getByRole("alert")).toContainText(
    "The file has more than 20,000 rows",
  )
  await page.getByRole("button", { name: "Open a random sample" }).click()
  const drawn = "20,000 rows from orders.csv (a random sample of its 20,500 rows, drawn by seed 1)"
  await expect(page.getByText(drawn)).toBeVisible()
  await expectAccessible(page)
})

test("a file that cannot be read or made says why and keeps the sets, and a CSV of the playground is offered to Evaluate", async ({
  page,
}) => {
  await signInToEvaluate(service, page, "1", "/playground")
  const csv = {
    name: "rows.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("text,wants_refund\nRefund me,yes\nHi,no\n"),
  }
  await page.getByLabel("State from a file").setInputFiles(csv)
  await page.getByRole("status").getByRole("button", { name: "Cancel" }).click()
  await expect(page.getByText("rows.csv holds rows")).toHaveCount(0)
  await page.getByLabel("State from a file").setInputFiles(csv)
  await page.getByRole("button", { name: "Evaluate the rows" }).click()
  await expect(page.getByText("2 of 2 rows can be used")).toBeVisible()
  const labels = page.getByLabel("Right answers of wants_refund")
  await expect(labels).toHaveValue("wants_refund")
  await expectAccessible(page)

  await page.getByRole("tab", { name: "Questions" }).click()
  await page.getByRole("button", { name: "Remove wants_refund" }).click()
  const undo = page.getByRole("button", { name: "Undo: Removed wants_refund" })
  await expect(undo).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press("Enter")
  await expect(undo).toHaveCount(0)
  await page.getByRole("tab", { name: "Rows" }).click()
  await expect(labels).toHaveValue("wants_refund")

  await page.getByRole("link", { name: "All sets" }).click()
  await page
    .getByLabel("Rows from a file")
    .setInputFiles({ ...csv, name: "bad.csv", buffer: Buffer.from("a,b,a\n1,2,3\n") })
  await expect(page.getByRole("alert").filter({ hasText: "bad.csv was not opened" })).toContainText(
    "Two columns are named “a”.",
  )
  await expect(page.getByRole("link", { name: "rows", exact: true })).toBeVisible()
  await expectAccessible(page)

  await page.evaluate(stopWorkers)
  await page.getByRole("button", { name: "Actions for rows" }).click()
  await page.getByRole("menuitem", { name: "Export as a file" }).click()
  await expect(page.getByRole("alert").filter({ hasText: "The set was not exported" })).toContainText(
    "The file of “rows” could not be made. The set is still in this browser.",
  )
  await expectAccessible(page)
})

/** Lets every worker of the page fail, as when its code cannot be loaded. */
function stopWorkers(): void {
  class FailingWorker {
    set onerror(fail: () => void) {
      setTimeout(fail)
    }
    terminate() {}
  }
  Object.assign(window, { Worker: FailingWorker })
}
