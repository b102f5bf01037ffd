import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import type { Page } from "@playwright/test"
import { asText } from "@/lib/shared/json-source/text-or-json"
import { emptyQuestion } from "@/questions/question-form"
import { signInToEvaluate } from "./support/evaluate"
import { setFileOf } from "./support/set-file"
import { expect, test } from "./support/test"
import { Views } from "./support/views"

const OPTIONS = Array.from({ length: 151 }, (_, at) => ({ name: `option_${at}`, description: asText("") }))
const QUESTION = { ...emptyQuestion("choice", "topic"), instructions: asText("Which topic?"), options: OPTIONS }

/** Returns an answer with most of the probability on one option: the label in eight of nine rows, another one in the rest. */
function answerOf(row: number, shift: number): number[] {
  const top = (row + shift) % 9 === 0 ? (row * 7) % OPTIONS.length : row % OPTIONS.length
  const p = 0.4 + ((row * 13) % 500) / 1_000
  const rest = Number(((1 - p) / (OPTIONS.length - 1)).toFixed(6))
  return OPTIONS.map((_, at) => (at === top ? p : rest))
}

/** Returns an exported set whose runs are finished. */
function fileOf(rowCount: number, runCount: number): Buffer {
  const rows = Array.from({ length: rowCount }, (_, row) => row)
  return setFileOf({
    questions: [QUESTION],
    labels: rows.map((row) => [`option_${row % OPTIONS.length}`]),
    runs: Array.from({ length: runCount }, (_, shift) => rows.map((row) => [answerOf(row, shift)])),
    extra: { column: "channel", values: rows.map((row) => `channel ${row % 400}`) },
  })
}

/** Saves a file, and waits until it is there. */
async function save(page: Page, ending: string, act: () => Promise<void>): Promise<void> {
  const [file] = await Promise.all([page.waitForEvent("download", { timeout: 180_000 }), act()])
  expect(file.suggestedFilename()).toContain(ending)
  await file.path()
}

const opened = (page: Page) => page.getByRole("heading", { name: "How accurate are the answers?" })
const buttonNamed = (page: Page, name: string | RegExp) => page.getByRole("button", { name })
const tab = (page: Page, name: string) => page.getByRole("tab", { name }).click()

async function importInto(views: Views, page: Page, [rows, runs]: [number, number]): Promise<void> {
  // Playwright takes larger files from the disk only.
  const path = test.info().outputPath("large.evaluation.json")
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, fileOf(rows, runs))
  const field = page.getByLabel("Rows from a file")
  await views.open("import", () => field.setInputFiles(path), opened(page))
}

test("a set of 20,000 rows and 151 options is shown and exported in tasks of a tenth of a second", async ({
  browser,
  page,
  service,
}) => {
  await signInToEvaluate(service, page, "1")
  const views = new Views(browser, page)
  await importInto(views, page, [20_000, 1])
  await views.open("rows", () => tab(page, "Rows"), page.getByText("20,000 of 20,000 rows can be used"))
  await views.open("results", () => tab(page, "Results"), page.getByRole("heading", { name: "Wrong answers" }))
  const slices = page.getByRole("region", { name: "Where does it fail?" })
  const choose = async () => void (await slices.getByLabel("Compare the values of").selectOption("channel"))
  await views.open("slices", choose, slices.getByRole("table", { name: "Values of “channel”" }))
  for (const [name, ending] of [
    ["Save results as CSV", ".results.csv"],
    ["Save report as Markdown", ".report.md"],
  ] as const)
    await views.open(name, () => save(page, ending, () => buttonNamed(page, name).click()), opened(page))
  const exported = page.getByText("The test asks about every")
  await views.open("test", () => buttonNamed(page, "Export as a test").click(), exported)
  await buttonNamed(page, /^Actions for/).click()
  const exportSet = () => page.getByRole("menuitem", { name: "Export as a file" }).click()
  await views.open("set", () => save(page, ".evaluation.json", exportSet), opened(page))
  await views.expectShortTasks()
})

test("two runs of 3,000 rows and 151 options are compared in tasks of a tenth of a second", async ({
  browser,
  page,
  service,
}) => {
  await signInToEvaluate(service, page, "1")
  const views = new Views(browser, page)
  await importInto(views, page, [3_000, 2])
  const accuracy = page.getByRole("table", { name: "Differences" }).getByRole("row", { name: /^Accuracy / })
  await views.open("comparison", () => tab(page, "Compare"), accuracy)
  // A shift moves the wrong answers to as many other rows.
  await expect(page.getByText("Only the first is right in 331, only the second in 331.")).toBeVisible()
  await expect(accuracy).toContainText("%", { timeout: 180_000 })
  await views.expectShortTasks()
})
