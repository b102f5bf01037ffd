import type { Page } from "@playwright/test"
import { PlaygroundPage } from "./support/playground"
import { ONE_QUESTION } from "./support/requests"
import { run } from "./support/runs"
import { newEmail, signIn, signInByMail } from "./support/sign-in"
import { expect, test } from "./support/test"
import { type Account, press, type Topups } from "./support/topups"

let here: Topups
test.beforeAll(({ topups }) => {
  here = topups
})
test.afterEach(() => here.calm())

interface Refused {
  error: { code: string; topup_url: string; required_usd: string; available_usd: string }
}

test("the topup_url of a refused decision leads through sign-in and checkout to credit that pays for it", async ({
  page,
}) => {
  const email = newEmail("ada")
  const failures: string[] = []
  page.on("console", (message) => {
    if (message.type() === "error" && message.location().url.startsWith(here.service.url)) failures.push(message.text())
  })
  const key = await here.newAccount(email)
  const refused = await here.service.decide(key, ONE_QUESTION)
  expect(refused.status).toBe(402)
  const { error } = (await refused.json()) as Refused
  expect(error).toMatchObject({
    code: "insufficient_balance",
    available_usd: "0.000000",
    topup_url: `${here.service.url}/billing/top-up?amount=10`,
  })

  await page.goto(error.topup_url)
  await signInByMail(page, here.service, email)
  await expect(page).toHaveURL(error.topup_url)
  await expect(page.getByText("Test payments only")).toBeVisible()
  await expect(page.getByRole("radio", { name: "$10", exact: true })).toBeChecked()
  await expect(page.getByText("$10.00 plus tax")).toBeVisible()
  await here.goToCheckout(page)
  await expect(page.getByText("10.00 USD").first()).toBeVisible()
  await press(page, "Pay")
  await expect(page).toHaveURL(/\/billing\/top-up\/return\?session_id=cs_test_/)
  await expect(page.getByRole("main").getByRole("status")).toContainText("$10.00 added")
  await expect(page.getByRole("main").getByRole("status")).toContainText("Your balance is $10.00.")

  expect((await here.service.decide(key, ONE_QUESTION)).status).toBe(200)
  await page.goto(`${here.service.url}/billing`)
  const row = page.getByRole("row", { name: /Completed/ })
  await expect(row).toContainText("$11.90")
  await expect(row.getByRole("link", { name: "Receipt" })).toHaveAttribute("href", /\/invoices\/in_/)
  expect(failures).toEqual([])
})

test("a run that the balance cannot pay survives the checkout and is answered afterwards", async ({ page }) => {
  const email = newEmail("alan")
  await here.newAccount(email)
  const play = await PlaygroundPage.enter(page, here.service, email)
  await play.fill(play.state, "Where is my parcel?")
  await play.question("wants_refund").getByLabel("Instructions", { exact: true }).fill("Is this about a delivery?")
  await run(page)
  const alert = page.getByRole("region", { name: "Answers" }).getByRole("alert")
  await expect(alert).toContainText("Your balance is too low")
  await alert.getByRole("link", { name: "Top up" }).click()
  await expect(page.getByRole("radio", { name: "$10", exact: true })).toBeChecked()
  await here.goToCheckout(page)
  await press(page, "Pay")
  await expect(page.getByRole("main").getByRole("status")).toContainText("$10.00 added")
  await page.getByRole("main").getByRole("link", { name: "Run again" }).click()
  const arrival = page.getByRole("status").filter({ hasText: "Your balance is $10.00" })
  await expect(arrival).toContainText("Your draft is still here.")
  const { sent } = await play.run(() => arrival.getByRole("button", { name: "Run again" }).click())
  expect(JSON.parse(sent)).toMatchObject({
    state: "Where is my parcel?",
    questions: { wants_refund: { instructions: "Is this about a delivery?" } },
  })
  await expect(page.getByText("Answered", { exact: true })).toBeVisible()
})

/** Counts how often this page is rendered again: in the response to an action, or in a request of its own. */
function countPages(page: Page): () => number {
  let pages = 0
  page.on("response", (response) => {
    const isOfAction = response.headers()["x-action-revalidated"] !== undefined
    const isOwn = response.url().includes("/top-up/return") && response.request().headers().rsc === "1"
    if (isOfAction || (isOwn && response.request().method() === "GET")) pages++
  })
  return () => pages
}

test("credit shows on the open page by the second check after the payment, without a reload", async ({ page }) => {
  await here.newAccount("late@example.com")
  await here.openTopUp(page, "late@example.com")
  const sessionId = await here.goToCheckout(page)
  await press(page, "Pay later")
  await expect(page.getByRole("main").getByRole("status")).toContainText("Waiting for your bank…")
  await page.evaluate(() => Object.assign(window, { notReloaded: true }))
  const frame = page.getByRole("complementary")
  await expect(frame).toContainText("$0.00")
  const pages = countPages(page)
  await page.waitForResponse((response) => response.request().method() === "POST")
  await page.waitForResponse((response) => response.request().method() === "POST")
  expect(pages()).toBe(0)
  here.double.settleLater(sessionId, "ok")
  await here.double.idle()
  // The page checks every second at first.
  let checks = 0
  page.on("request", (request) => request.method() === "POST" && checks++)
  await expect(page.getByRole("main").getByRole("status")).toContainText("Your balance is $25.00.")
  expect(checks).toBeLessThanOrEqual(2)
  await expect(frame).toContainText("$25.00")
  expect(pages()).toBe(1)
  expect(await page.evaluate(() => "notReloaded" in window)).toBe(true)
})

test("an open checkout is cancelled on the billing page, and its link then takes no payment", async ({ page }) => {
  const email = newEmail("kay")
  await here.newAccount(email)
  await here.openTopUp(page, email)
  const sessionId = await here.goToCheckout(page)
  await page.goto(`${here.service.url}/billing`)
  const row = page.getByRole("table", { name: "Top-ups" }).getByRole("row", { name: /\$25\.00/ })
  await expect(row.getByRole("link", { name: "Resume" })).toBeVisible()
  await row.getByRole("button", { name: "Cancel the top-up of $25.00" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Cancel top-up" }).click()
  await expect(row).toContainText("Expired")
  await expect(row.getByRole("link", { name: "Resume" })).toHaveCount(0)
  expect(() => here.double.pay(sessionId)).toThrow()
  expect(await here.balanceOf(email)).toBe("0.00")
})

test("a refund and a dispute show with their reasons, and a top-up restores the balance", async ({ page }) => {
  const email = newEmail("grace")
  const key = await here.newAccount(email)
  await here.openTopUp(page, email)
  const sessionId = await here.goToCheckout(page)
  await press(page, "Pay")
  await expect(page.getByRole("main").getByRole("status")).toContainText("$25.00 added")
  expect((await here.service.decide(key, ONE_QUESTION)).status).toBe(200)
  const spent = 25 - Number(await here.balanceOf(email))
  const { topups } = await here.service.operator<{ topups: { id: string }[] }>("topup", "list", email)
  await here.service.operator("topup", "refund", topups[0]?.id ?? "", "--usd", "11.90", "--note", "by request")
  await here.double.idle()

  await page.goto(`${here.service.url}/billing`)
  await expect(page.getByRole("row", { name: /Completed/ })).toContainText("refunded $10.00")
  expect(Number(await here.balanceOf(email))).toBeCloseTo(15 - spent, 2)
  const payment = String(here.double.world.store.get("checkout.session", sessionId).payment_intent)
  const dispute = here.double.dispute(payment)
  here.double.disputeFundsWithdrawn(dispute.id)
  await here.double.idle()
  await page.reload()
  const alert = page.getByText("The balance is below zero").locator("..")
  await expect(alert).toContainText("$10.00 for a refunded top-up")
  await expect(alert).toContainText("$15.00 for a payment that is disputed with the bank")
  await expect(page.getByRole("row", { name: /Completed/ })).toContainText("disputed $15.00")
  const refused = await here.service.decide(key, ONE_QUESTION)
  expect(refused.status).toBe(402)
  expect(((await refused.json()) as Refused).error.available_usd).toMatch(/^-/)

  await page.getByRole("main").getByRole("link", { name: "Add credit" }).click()
  await here.goToCheckout(page)
  await press(page, "Pay")
  await expect(page.getByRole("main").getByRole("status")).toContainText("added")
  expect((await here.service.decide(key, ONE_QUESTION)).status).toBe(200)
  here.double.disputeWon(dispute.id)
  await here.double.idle()
  await page.goto(`${here.service.url}/billing`)
  await expect(page.getByText("Dispute ended, credited again")).toBeVisible()
  await expect(page.getByText("The balance is below zero")).toBeHidden()
})

test("a checkout that was left after a declined card can be resumed and paid", async ({ page }) => {
  const email = newEmail("edsger")
  await here.newAccount(email)
  await here.openTopUp(page, email, "12.50")
  await expect(page.getByLabel("Amount in USD")).toHaveValue("12.50")
  const sessionId = await here.goToCheckout(page)
  await press(page, "Card fails")
  await expect(page.getByRole("alert")).toContainText("declined")
  await page.getByRole("link", { name: "Leave" }).click()
  await expect(page.getByText("You have an unfinished checkout")).toBeVisible()
  expect(await here.balanceOf(email)).toBe("0.00")
  await page.getByRole("link", { name: "Resume" }).click()
  await page.waitForURL(`${here.double.url}/c/pay/${sessionId}`)
  await press(page, "Pay")
  await expect(page.getByRole("main").getByRole("status")).toContainText("$12.50 added")
})

test("an amount below the minimum is not shown as added to the balance", async ({ page }) => {
  const email = newEmail("below")
  await here.newAccount(email)
  await here.openTopUp(page, email, "4.99")
  await expect(page.getByText("Added to your balance").locator("..")).toHaveText("Added to your balance–")
  await expect(page.getByText("You pay", { exact: true }).locator("..")).toHaveText("You pay–")
  await page.getByLabel("Amount in USD").fill("5")
  await expect(page.getByText("Added to your balance").locator("..")).toHaveText("Added to your balance$5.00")
})

test("an expired checkout and a failed payment are reported and credit nothing", async ({ page }) => {
  const email = newEmail("barbara")
  await here.newAccount(email)
  await here.openTopUp(page, email)
  const expired = await here.goToCheckout(page)
  here.double.expire(expired)
  await page.goto(`${here.service.url}/billing/top-up/return?session_id=${expired}`)
  await expect(page.getByRole("main").getByRole("status")).toContainText("This checkout has expired")
  await page.getByRole("link", { name: "Try again" }).click()
  const failed = await here.goToCheckout(page)
  await press(page, "Pay later")
  await expect(page.getByRole("main").getByRole("status")).toContainText("Waiting for your bank…")
  here.double.settleLater(failed, "failed")
  await expect(page.getByRole("main").getByRole("status")).toContainText("The payment failed")
  expect(await here.balanceOf(email)).toBe("0.00")
})

test("the CSV lists the month to the pico-dollar, and the statement names the key that spent", async ({ page }) => {
  const email = newEmail("books")
  const key = await here.newAccount(email)
  await here.service.operator("account", "credit", email, "10", "--note", "=1+1")
  expect((await here.service.decide(key, ONE_QUESTION)).status).toBe(200)
  const { balance_usd } = await here.service.operator<Account>("account", "show", email)
  await signIn(page, here.service, email, "/billing")
  const download = page.waitForEvent("download")
  await press(page, "Download CSV")
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^ledger-20\d\d-\d\d-acc_[0-9a-z]{26}\.csv$/)
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer)
  const [head, credit, charge, rest] = Buffer.concat(chunks).toString().split("\r\n")
  expect(head).toMatch(/^time_utc,entry,amount_usd,balance_after_usd,/)
  expect(credit).toContain(`"Credit by the operator",10.000000000000,10.000000000000,,,,,,"'=1+1",`)
  expect(charge).toContain(`"Decision",-`)
  expect(charge).toContain(`,${balance_usd},"Production",`)
  expect(rest).toBe("")
  await press(page, "Open statement")
  await expect(page.getByRole("heading", { name: /^Statement, / })).toBeVisible()
  await expect(page.getByRole("table", { name: "Decisions by key" }).getByRole("row").nth(1)).toContainText(
    "Production",
  )
})
