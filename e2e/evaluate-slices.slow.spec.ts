import { readFile } from "node:fs/promises"
import { asText } from "@/lib/shared/json-source/text-or-json"
import ties from "@/lib/shared/statistics/fixture/ref-noul-ties.json" with { type: "json" }
import { emptyQuestion } from "@/questions/question-form"
import { expectAccessible } from "./support/axe"
import { signInToEvaluate } from "./support/evaluate"
import { setFileOf } from "./support/set-file"
import { expect, test } from "./support/test"

const REFUND = { ...emptyQuestion("noul", "refund"), instructions: asText("Does the customer ask for a refund?") }
const SET = setFileOf({
  questions: [REFUND],
  labels: ties.y.map((yes) => [yes ? "yes" : "no"]),
  runs: [ties.p.map((yes) => [[1 - yes, yes]])],
  extra: { column: "channel", values: ties.slice },
})

test("results are compared by the values of a column, which the set keeps and its report states", async ({
  page,
  service,
}) => {
  await signInToEvaluate(service, page, "1")
  const file = { name: "refunds.evaluation.json", mimeType: "application/json", buffer: SET }
  await page.getByLabel("Rows from a file").setInputFiles(file)
  await page.getByRole("tab", { name: "Results" }).click()
  const slices = page.getByRole("region", { name: "Where does it fail?" })
  const choice = slices.getByLabel("Compare the values of")
  await expect(choice.getByRole("option")).toHaveText(["No column", "text", "channel"])
  await choice.selectOption("channel")
  const rows = slices.getByRole("table", { name: "Values of “channel”" }).getByRole("row")
  await expect(rows).toContainText([
    /^Value/,
    /^phone.*72.*22\.2%.*14\.2% to 33\.1%.*Wrong more often \(q = 0\.035\)/,
    /^web.*214.*12\.6%.*Not clearly worse \(q = 0\.981\)/,
    /^mail.*114.*7\.9%.*Not clearly worse \(q = 0\.985\)/,
  ])
  await expect(slices).toContainText("The target is not shown for any value by itself.")
  await expectAccessible(page)

  await page.reload()
  await expect(choice).toHaveValue("channel")
  await expect(rows).toHaveCount(4)
  const saved = page.waitForEvent("download")
  await page.getByRole("button", { name: "Save report as Markdown" }).click()
  const report = await readFile(await (await saved).path(), "utf8")
  expect(report).toContain("### By channel")
  expect(report).toContain("| phone | 72 | 16 (22.2%, 14.2% to 33.1%) | Wrong more often (q = 0.035) |")

  await choice.selectOption("text")
  await expect(slices).toContainText("No value of this column has 20 answers with labels.")
  await choice.selectOption("No column")
  await expect(rows).toHaveCount(0)
})
