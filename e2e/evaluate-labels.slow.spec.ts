import { expectAccessible, NARROW } from "./support/axe"
import { chargedTo, finished, signInToEvaluate } from "./support/evaluate"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ topups }) => {
  service = topups.service
})

/** Twenty different mails of five customers, and four copies of the first one. */
const MAILS = Array.from({ length: 24 }, (_, at) => {
  const mail = at < 20 ? at : 0
  return `Cheap refund offer ${mail},${mail % 2 ? "ham" : "spam"},c${mail % 5}`
})

test("a run without right answers is warned of, and gets its figures later without paying again", async ({ page }) => {
  const email = await signInToEvaluate(service, page, "900")
  const buffer = Buffer.from(`text,label,customer\n${MAILS.join("\n")}\n`)
  await page.getByLabel("Rows from a file").setInputFiles({ name: "mails.csv", mimeType: "text/csv", buffer })
  await expect(page.getByText("24 rows, 20 different states, 20 groups.")).toBeVisible()

  await page.getByRole("tab", { name: "Questions" }).click()
  await page.getByRole("button", { name: "Add a question for “label”" }).click()
  await expect(page.getByText("“label” was added as a choice between 2 options.")).toBeVisible()
  await page.getByRole("button", { name: "yes or no, where “spam” means yes" }).click()
  await page.getByRole("textbox", { name: "Instructions" }).fill("Is this an offer?")
  await expectAccessible(page, NARROW)

  await page.getByRole("tab", { name: "Rows" }).click()
  const right = page.getByLabel("Right answers of label")
  await expect(right).toHaveValue("label")
  await expect(page.getByLabel("Which value means yes?")).toHaveValue("spam")
  await page.getByLabel("Rows belong together when they share").selectOption("customer")
  await expect(page.getByText("24 rows, 20 different states, 5 groups.")).toBeVisible()
  await expectAccessible(page, NARROW)
  await page.getByLabel("Rows belong together when they share").selectOption("")
  await right.selectOption("")

  await page.getByRole("tab", { name: "Run" }).click()
  const warning = page.getByText("No right answers chosen: this run will show no error rates")
  await expect(warning).toBeVisible()
  await expect(page.getByText("4 rows have the same state as another row.")).toBeVisible()
  await expectAccessible(page, NARROW)
  await page.getByRole("button", { name: "Run 20 rows" }).click()
  await finished(page)
  await page.getByRole("button", { name: "See the results" }).click()
  await expect(page.getByText("No question of this run has right answers yet")).toBeVisible()
  await page.getByLabel("Right answers of label").selectOption("label")
  await page.getByLabel("Which value means yes?").selectOption("spam")
  await expect(page.getByRole("heading", { name: "How accurate are the answers?" })).toBeVisible()
  await expect(page.getByText("24 rows are in 20 groups of rows that belong together.")).toBeVisible()
  await page
    .getByRole("button", { name: /^Leave out/ })
    .first()
    .click()
  await expect(page.getByText("You left out 1 row")).toBeVisible()
  await expectAccessible(page, NARROW)

  const answers = MAILS.map((mail) => mail.split(",").slice(0, 2).join())
  const file = Buffer.from(`text,answer\n${answers.join("\n")}\nUnknown mail,ham\n`)
  await page
    .getByLabel("Right answers from a file")
    .setInputFiles({ name: "answers.csv", mimeType: "text/csv", buffer: file })
  await expect(page.getByLabel("Rows belong together by")).toHaveValue("text")
  await expect(page.getByText("24 of 24 rows get a right answer.")).toBeVisible()
  await expect(page.getByText("1 row of the file belongs to no row of this set: line 26 of the file.")).toBeVisible()
  await expectAccessible(page, NARROW)
  await page.getByRole("button", { name: "Join 24 right answers" }).click()
  await expect(page.getByText("Joined from answers.csv: 24 right answers.")).toBeVisible()
  await page.reload()
  await expect(page.getByLabel("Right answers from a file")).toBeAttached()
  await page.getByRole("tab", { name: "Rows" }).click()
  await expect(page.getByLabel("Right answers of label")).toHaveValue("answer")
  expect(await chargedTo(service, email)).toMatchObject({ requests: 20 })
})
