import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/axe"
import { PlaygroundPage } from "./support/playground"
import { MODEL } from "./support/requests"
import { run, runAnswered } from "./support/runs"
import type { Service } from "./support/service"
import { newEmail, signInByMail } from "./support/sign-in"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

/** Makes the next runs fail with an error of the API. */
async function refuse(page: Page, status: number, error: object, headers: Record<string, string> = {}): Promise<void> {
  await page.unroute("**/playground/decisions")
  await page.route("**/playground/decisions", (route) =>
    route.fulfill({
      status,
      headers,
      contentType: "application/json",
      body: JSON.stringify({ error: { type: "api_error", ...error } }),
    }),
  )
}

test("each error has its own message and next step", async ({ page }) => {
  const email = newEmail("errors")
  const play = await PlaygroundPage.enter(page, service, email)
  const alert = page.getByRole("region", { name: "Answers" }).getByRole("alert")
  const step = (name: string) => alert.getByRole("button", { name }).or(alert.getByRole("link", { name }))

  await refuse(page, 429, { code: "rate_limited", message: "x" }, { "retry-after": "5" })
  await run(page)
  // Both at once, because the countdown ends after 5 s.
  await Promise.all([
    expect(alert).toContainText("Too many requests"),
    expect(alert).toContainText(/Run again in [1-5] s/),
  ])
  await page.unroute("**/playground/decisions")
  await step("Run again").click()
  await expect(page.getByText("Answered", { exact: true })).toBeVisible()

  await refuse(page, 400, { code: "invalid_request", message: "The name is taken.", param: "questions.team.criteria" })
  await run(page)
  await expect(alert).toContainText("The name is taken. Nothing was charged.")
  await expect(page.getByRole("region", { name: "Answers" }).locator(":focus")).toHaveCount(0)
  await refuse(page, 400, { code: "invalid_request", message: "x" })
  await run(page)
  await step("Go to the state").click()
  await expect(play.state).toBeFocused()

  await refuse(page, 410, { code: "model_retired", message: "x", replacement_model: MODEL })
  await run(page)
  await expect(alert).toContainText(`Its replacement is ${MODEL}`)
  await step(`Use ${MODEL}`).click()
  await expect(page.getByLabel("Model", { exact: true })).toHaveValue(MODEL)
  await refuse(page, 503, { code: "model_unavailable", message: "x" })
  await run(page)
  await expect(alert).toContainText("The model is unavailable")
  await refuse(page, 402, {
    code: "insufficient_balance",
    message: "x",
    required_usd: "0.020000",
    available_usd: "0.000000",
    topup_url: `${service.url}/billing/top-up?amount=25`,
  })
  await run(page)
  await expect(step("Top up")).toHaveAttribute("href", "/billing/top-up?amount=25")
  await step("Top up").click()
  await page.unroute("**/playground/decisions")
  await page.goto(`${service.url}/playground`)
  await page.getByRole("status").getByRole("button", { name: "Run again" }).click()
  await expect(page.getByText("Answered", { exact: true })).toBeVisible()

  await service.operator("account", "debit", email, "1", "--note", "test")
  await run(page)
  await expect(alert).toContainText("Your balance is too low")
  await expect(alert).toContainText("Top-ups are off")
  await expectAccessible(page, { themes: ["light"] })
})

test("going offline, a timeout and an ended session keep the draft", async ({ page, context }) => {
  const email = newEmail("kept")
  const play = await PlaygroundPage.enter(page, service, email)
  await play.fill(play.state, "Keep this, please.")
  const alert = page.getByRole("region", { name: "Answers" }).getByRole("alert")
  await context.setOffline(true)
  await run(page)
  await expect(alert).toContainText("You are offline")
  await context.setOffline(false)
  await expect(alert).toContainText("You are online again")

  await page.clock.install()
  await page.route("**/playground/decisions", () => undefined)
  await run(page)
  await expect(page.getByRole("button", { name: "Stop" })).toBeVisible()
  await page.clock.fastForward(131_000)
  await expect(alert).toContainText("No answer within 130 seconds")
  await run(page)
  await page.getByRole("button", { name: "Stop" }).click()
  await expect(page.getByText("Stopped", { exact: true })).toBeVisible()
  await page.clock.resume()
  await page.unroute("**/playground/decisions")

  await play.question("wants_refund").getByLabel("Instructions", { exact: true }).fill("Is money requests back?")
  await service.sql(
    "UPDATE session SET expires_at = now() WHERE user_id = (SELECT id FROM app_user WHERE email = $1)",
    [email],
  )
  await run(page)
  await expect(alert).toContainText("You are signed out")
  await alert.getByRole("link", { name: "Sign in" }).click()
  await signInByMail(page, service, email)
  await expect(page).toHaveURL(`${service.url}/playground`)
  await expect(play.state).toHaveText("Keep this, please.")
  await expect(play.question("wants_refund").getByLabel("Instructions", { exact: true })).toHaveValue(
    "Is money requests back?",
  )
  await runAnswered(page)
})

test("errors, hints, files, examples and undo work and are accessible", async ({ page }) => {
  const play = await PlaygroundPage.enter(page, service, newEmail("errors"))
  await page.getByRole("button", { name: "Invoice", exact: true }).click()
  await expect.poll(() => play.names()).toEqual(["looks_like_fraud", "account", "approval"])
  await page.getByRole("button", { name: "Undo: Loaded the example “Invoice”" }).click()
  await expect.poll(() => play.names()).toEqual(["wants_refund", "team", "urgency"])

  await page.locator('input[type="file"]').setInputFiles({
    name: "state.json",
    mimeType: "application/json",
    buffer: Buffer.from('{"a": 1,\n"a": 2}'),
  })
  await expect(play.state).toContainText('"a": 2')
  await page.getByRole("group", { name: "State format" }).getByText("JSON").click()
  await expect(page.getByText("Line 2, column 1: An object has two members with the same name.")).toBeVisible()
  await play.show("JSON")
  await expect(play.state).toBeFocused()
  await page.getByRole("group", { name: "State format" }).getByText("Text").click()
  await expect(page.getByRole("button", { name: "Undo: Replaced the state" })).toHaveCount(0)
  await page.getByRole("button", { name: "Invoice", exact: true }).click()
  await play.state.click()
  await page.keyboard.press("ControlOrMeta+z")
  await expect.poll(() => play.names()).toEqual(["wants_refund", "team", "urgency"])
  await expect(play.state).toContainText('"a": 2')
  await page.getByRole("button", { name: "Support ticket", exact: true }).click()

  const refund = play.question("wants_refund")
  await refund.getByLabel("Instructions", { exact: true }).fill("Isn't the customer angry?")
  await refund.getByRole("button", { name: "Remove the “not”" }).click()
  await expect(refund.getByLabel("Instructions", { exact: true })).toHaveValue("Is the customer angry?")
  await expect(refund.getByLabel("Yes means", { exact: true })).toHaveValue(/something else/)

  const team = play.question("team")
  const pasteList = team.getByRole("button", { name: "Paste a list" })
  const list = team.getByLabel("List", { exact: true })
  await pasteList.press("Enter")
  await list.fill("billing, shipping")
  await expect(list).toHaveAccessibleDescription(/The question has all of these options already\.$/)
  await expect(team.getByRole("button", { name: "Add options" })).toBeDisabled()
  await list.fill("billing, returns")
  await expect(team.getByRole("button", { name: "Add 1 option", exact: true })).toBeEnabled()
  await list.press("Escape")
  await expect(pasteList).toBeFocused()
  await pasteList.press("Enter")
  await team.getByRole("button", { name: "Cancel" }).press("Enter")
  await expect(pasteList).toBeFocused()

  await page.getByRole("button", { name: "Duplicate team" }).click()
  await expect(play.question("team_2")).toBeVisible()
  const repeated = await play.add("Add yes/no")
  await repeated.fill("")
  await expect(play.question("5")).toBeVisible()
  await repeated.fill("team_2")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await expect(repeated).toBeFocused()
  await expect(repeated).toHaveAccessibleDescription('Two questions are named "team_2". Rename one of them.')
  await expectAccessible(page)
  await repeated.fill("team_3")
  await expect(repeated).toHaveAccessibleDescription("")
  await play.question("team_3").getByLabel("Instructions", { exact: true }).fill("Is it?")
  await play.show("JSON")
  await expect(play.json).toBeVisible()
  await expectAccessible(page, { widths: [360, 1440] })
})
