import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/axe"
import { ONE_QUESTION } from "./support/requests"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

/** Sends a yes/no question named `late`. Returns the id of the request. */
async function askLate(service: Service, key: string): Promise<string> {
  const noul = { type: "noul", instructions: "Is the parcel late?" }
  const answered = await service.decide(key, { ...ONE_QUESTION, questions: { late: noul } })
  return answered.headers.get("x-request-id") ?? ""
}

/** Sends such a question, and reports that the yes it was answered with was wrong. Returns the status of the report. */
async function reportWrongYes(service: Service, key: string): Promise<number> {
  const request_id = await askLate(service, key)
  const response = await fetch(`${service.url}/v1/outcomes`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      outcomes: [{ request_id, question: "late", type: "noul", predicted: 0.95, outcome: false }],
    }),
  })
  return response.status
}

async function keep(page: Page, service: Service, isOn: boolean): Promise<void> {
  await page.goto(`${service.url}/settings`)
  await page.getByRole("checkbox", { name: "Keep outcomes" }).setChecked(isOn)
  await page.getByRole("button", { name: "Save outcome setting" }).click()
  await expect(page.getByText("Saved.")).toBeVisible()
}

test("an owner keeps outcomes, sets alarms for a threshold that fails, sees them fire, and deletes all", async ({
  page,
  service,
}) => {
  const email = newEmail("outcomes")
  const { key } = await service.createAccountWithKey(email, { balanceUsd: "10" })
  await signIn(page, service, email, "/outcomes")
  await expect(page.getByRole("heading", { name: "This account keeps no outcomes" })).toBeVisible()
  expect(await reportWrongYes(service, key)).toBe(400)
  await keep(page, service, true)
  await expect.poll(() => reportWrongYes(service, key)).toBe(200)

  await page.goto(`${service.url}/outcomes`)
  await page.getByRole("link", { name: "late" }).click()
  await expect(page.getByRole("heading", { name: "late" })).toBeVisible()
  await expect(page.getByText("Enter the thresholds that your program uses")).toBeVisible()
  await page.getByRole("textbox", { name: "Yes from" }).fill("0.9")
  await page.getByRole("button", { name: "Apply thresholds" }).click()
  await page.getByRole("button", { name: "Set alarms" }).click()
  await expect(page.getByText("Automatic yes from 0.9: at most 5.0% wrong")).toBeVisible()
  for (let sent = 0; sent < 10; sent++) await expect.poll(() => reportWrongYes(service, key)).toBe(200)
  await page.reload()
  await expect(page.getByText("Automatic yes: more than 5.0% were wrong")).toBeVisible()
  await expect(page.getByText("2 of 2 fired")).toBeVisible()
  await expect(page.getByRole("figure").getByRole("heading", { name: "Do the probabilities mean" })).toBeVisible()
  await expectAccessible(page)

  await keep(page, service, false)
  await page.goto(`${service.url}/outcomes`)
  await expect(page.getByRole("heading", { name: "This account keeps no outcomes" })).toBeVisible()
  await expect(page.getByText("2 of 2 fired")).toBeHidden()
})

test("an owner uploads a CSV file of outcomes, and a refusal names the line and stores nothing", async ({
  page,
  service,
}) => {
  const email = newEmail("outcomes-file")
  const { key } = await service.createAccountWithKey(email, { balanceUsd: "10" })
  await signIn(page, service, email, "/outcomes")
  await expect(page.getByRole("heading", { name: "This account keeps no outcomes" })).toBeVisible()
  await expect(page.getByRole("heading", { name: "Upload outcomes" })).toBeHidden()
  await keep(page, service, true)
  const ids = [await askLate(service, key), await askLate(service, key)]
  await page.goto(`${service.url}/outcomes`)

  const choose = (...lines: string[]) => {
    const text = ["request_id,question,type,predicted,outcome", ...lines].join("\n")
    const file = { name: "outcomes.csv", mimeType: "text/csv", buffer: Buffer.from(text) }
    return page.getByLabel("Outcomes from a file").setInputFiles(file)
  }
  const [first = "", second = ""] = ids.map((id) => `${id},late,noul,0.95,true`)
  await choose(first, `${ids[1]},late,noul,95,true`)
  await expect(page.getByText("Line 3: “predicted” must be a number from 0 to 1.")).toBeVisible()
  await choose(first, "req_00000000000000000000000000000000,late,noul,0.95,true")
  await expect(page.getByText("Line 3: This account has no charged request with this id.")).toBeVisible()
  await expect(page.getByRole("link", { name: "late" })).toBeHidden()

  await page.getByRole("textbox", { name: "Random share reviewed, in %" }).fill("5")
  await choose(first, second)
  await expect(page.getByText("Stored 2 outcomes of the file.")).toBeVisible()
  await expect(page.getByRole("row", { name: "late noul" })).toContainText("2")
  await expectAccessible(page)
})
