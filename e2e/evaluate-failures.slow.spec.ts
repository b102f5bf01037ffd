import type { Page } from "@playwright/test"
import { asText } from "@/lib/shared/json-source/text-or-json"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json" with { type: "json" }
import { emptyQuestion } from "@/questions/question-form"
import { expectAccessible, NARROW } from "./support/axe"
import { signInToEvaluate } from "./support/evaluate"
import type { Service } from "./support/service"
import { setFileOf } from "./support/set-file"
import { expect, test } from "./support/test"

const TOPIC = {
  ...emptyQuestion("choice", "topic"),
  instructions: asText("What is the message about?"),
  options: choice.options.map((name) => ({ name, description: asText("") })),
}

const LABELS = choice.y.map((topic) => [choice.options[topic] ?? ""])
const SET = setFileOf({ questions: [TOPIC], labels: LABELS, runs: [choice.P.map((topic) => [topic])] })
/** The second run is wrong about every tenth row more. */
const COMPARED = setFileOf({
  questions: [TOPIC],
  labels: LABELS,
  runs: [choice.P.map((topic, row) => [row % 10 ? topic : topic.toReversed()]), choice.P.map((topic) => [topic])],
})

async function openResults(service: Service, page: Page, buffer = SET) {
  await signInToEvaluate(service, page, "1")
  const file = { name: "topics.evaluation.json", mimeType: "application/json", buffer }
  await page.getByLabel("Rows from a file").setInputFiles(file)
  await page.getByRole("tab", { name: "Rows" }).waitFor()
}

/** The code of the workers that the page starts from now on does not load. */
const refuseWorkers = (page: Page) => page.route("**/turbopack-worker-*.js", (route) => route.abort())

test("a threshold can be accepted when the intervals cannot be computed, and again once they are", async ({
  page,
  service,
}) => {
  await openResults(service, page)
  await refuseWorkers(page)
  await page.getByRole("tab", { name: "Results" }).click()
  const failed = page.getByRole("alert").filter({ hasText: "The intervals could not be computed" })
  await expect(failed).toBeVisible()
  const automation = page.getByRole("region", { name: "What can be automatic?" })
  await automation.getByRole("button", { name: /^Use / }).click()
  await expect(automation).toContainText("Do not rely on it yet. It is not checked against the other figures")
  const accept = automation.getByRole("button", { name: "Accept this threshold" })
  await accept.click()
  await expect(automation.getByText(/^Accepted on /)).toBeVisible()
  await expect(accept).toHaveCount(0)
  await expectAccessible(page, NARROW)

  await page.unroute("**/turbopack-worker-*.js")
  await failed.getByRole("button", { name: "Try again" }).click()
  await expect(failed).toHaveCount(0)
  await expect(automation).toContainText("Confirmed: At most")
  await accept.click()
  await expect(automation.getByRole("button", { name: "Accepted" })).toBeVisible()
})

test("two runs are compared without intervals when these cannot be computed, and with them once they are", async ({
  page,
  service,
}) => {
  await openResults(service, page, COMPARED)
  await refuseWorkers(page)
  await page.getByRole("tab", { name: "Compare" }).click()
  const failed = page.getByRole("alert").filter({ hasText: "The intervals could not be computed" })
  await expect(failed).toBeVisible()
  const cells = page
    .getByRole("table", { name: "Differences" })
    .getByRole("row", { name: /^Accuracy / })
    .getByRole("cell")
  await expect(cells).toHaveText(["Accuracy", "89.0%", "82.7%", "−6.3%", "–", "Not known without the interval."])
  await expectAccessible(page, NARROW)

  const asked = page.waitForRequest("**/turbopack-worker-*.js")
  await failed.getByRole("button", { name: "Try again" }).click()
  await asked
  await expect(failed).toBeVisible()
  await page.unroute("**/turbopack-worker-*.js")
  await failed.getByRole("button", { name: "Try again" }).click()
  await expect(failed).toHaveCount(0)
  await expect(cells).toHaveText([
    "Accuracy",
    "89.0%",
    "82.7%",
    "−6.3%",
    /^−\d+\.\d% to −\d+\.\d%$/,
    "The first run is better.",
  ])
  await expectAccessible(page, NARROW)
})

test("a change that the browser does not store is seen until it is stored", async ({ page, service }) => {
  await openResults(service, page)
  await page.getByRole("tab", { name: "Results" }).click()
  const automation = page.getByRole("region", { name: "What can be automatic?" })
  await automation.getByRole("button", { name: /^Use / }).click()
  await page.evaluate(fillStorage)
  await automation.getByRole("button", { name: "Accept this threshold" }).click()
  const unstored = page.getByRole("alert").filter({ hasText: "The last change is not stored" })
  await expect(unstored).toBeVisible()
  await expectAccessible(page, NARROW)
  await unstored.getByRole("button", { name: "Try again" }).click()
  await expect(unstored).toBeVisible()
  await page.evaluate(freeStorage)
  await unstored.getByRole("button", { name: "Try again" }).click()
  await expect(unstored).toHaveCount(0)
  await page.reload()
  await expect(automation.getByText(/^Accepted on /)).toBeVisible()
})

/** Lets every write to the browser's storage fail, as when the disk is full. */
function fillStorage(): void {
  const { put } = IDBObjectStore.prototype
  Object.assign(window, { put })
  IDBObjectStore.prototype.put = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError")
  }
}

function freeStorage(): void {
  const { put } = window as unknown as { put: IDBObjectStore["put"] }
  IDBObjectStore.prototype.put = put
}
