import { expect, type Page, test } from "@playwright/test"
import { MODEL, ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"
import { signInHere } from "./support/sign-in"
import { startStripe } from "./support/stripe/start-stripe"
import { PRETEND_TEST_KEY, type StripeDouble } from "./support/stripe/stripe-double"

const SECRET = "whsec_e2e"

let double: StripeDouble
let service: Service
test.beforeAll(async () => {
  double = await startStripe({ retryDelaysMs: [], taxPercent: 19 })
  service = await Service.start({
    LOG_LEVEL: "silent",
    WELCOME_CREDIT_USD: "0",
    STRIPE_SECRET_KEY: PRETEND_TEST_KEY,
    STRIPE_WEBHOOK_SECRET: SECRET,
    STRIPE_API_BASE: double.url,
    STRIPE_AUTOMATIC_TAX: "on",
  })
  double.setWebhook({ to: `${service.url}/api/stripe/webhook`, secrets: [SECRET] })
  await service.operator("model", "price", MODEL, "1000")
})
test.afterAll(async () => {
  await service.destroy()
  await double.stop()
})
test.afterEach(() => {
  double.setDelivery("now")
  double.faults.clear()
})

interface Refused {
  error: { code: string; topup_url: string; required_usd: string; available_usd: string }
}
interface Account {
  balance_usd: string
}

const balanceOf = async (email: string): Promise<string> =>
  Number((await service.operator<Account>("account", "show", email)).balance_usd).toFixed(2)

/** An account without a cent, with a key. */
async function newAccount(email: string): Promise<string> {
  await service.operator("account", "create", email)
  return (await service.operator<{ key: string }>("key", "create", email, "--name", "Production")).key
}

/** Signed in, on the top-up page with this amount chosen. */
async function openTopUp(page: Page, email: string, amountUsd = "25"): Promise<void> {
  await page.goto(`${service.url}/billing/top-up?amount=${amountUsd}`)
  await signInHere(page, service, email)
  await expect(page.getByRole("heading", { name: "Top up" })).toBeVisible()
}

/** Leaves for the checkout and answers the id of its session. */
async function goToCheckout(page: Page): Promise<string> {
  // Before the page's script runs a press does nothing, and a second press is never a second purchase.
  await expect(async () => {
    await page.getByRole("button", { name: "Go to checkout" }).click({ timeout: 2_000 })
    await page.waitForURL(`${double.url}/c/pay/**`, { timeout: 4_000 })
  }).toPass({ timeout: 30_000 })
  return new URL(page.url()).pathname.split("/").at(-1) ?? ""
}

/** The one session of a purchase that the browser does not know of yet. */
const newestSession = (): string => double.world.store.all("checkout.session").at(-1)?.id ?? ""

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

test("a refused decision leads by its topup_url through sign-in and checkout to credit, and is answered then", async ({
  page,
}) => {
  const email = "ada@example.com"
  const failures: string[] = []
  page.on("console", (message) => {
    if (message.type() === "error" && message.location().url.startsWith(service.url)) failures.push(message.text())
  })
  const key = await newAccount(email)
  const refused = await service.decide(key, ONE_QUESTION)
  expect(refused.status).toBe(402)
  const { error } = (await refused.json()) as Refused
  expect(error).toMatchObject({
    code: "insufficient_balance",
    available_usd: "0.000000",
    topup_url: `${service.url}/billing/top-up?amount=10`,
  })

  await page.goto(error.topup_url)
  await signInHere(page, service, email)
  await expect(page).toHaveURL(error.topup_url)
  await expect(page.getByText("Pretend money")).toBeVisible()
  await expect(page.getByRole("radio", { name: "$10", exact: true })).toBeChecked()
  await expect(page.getByText("$10.00 plus tax")).toBeVisible()
  await goToCheckout(page)
  await expect(page.getByText("10.00 USD").first()).toBeVisible()
  await press(page, "Pay")
  await expect(page).toHaveURL(/\/billing\/top-up\/return\?session_id=cs_test_/)
  await expect(page.getByRole("status")).toContainText("$10.00 added")
  await expect(page.getByRole("status")).toContainText("Your balance is $10.00.")

  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  await page.goto(`${service.url}/billing`)
  const row = page.getByRole("row", { name: /Completed/ })
  await expect(row).toContainText("$11.90")
  await expect(row.getByRole("link", { name: "Receipt" })).toHaveAttribute("href", /\/invoices\/in_/)
  expect(failures).toEqual([])
})

test("credit shows on the open page within two seconds of the bank's word, without a reload", async ({ page }) => {
  await newAccount("late@example.com")
  await openTopUp(page, "late@example.com")
  const sessionId = await goToCheckout(page)
  await press(page, "Pay later")
  await expect(page.getByRole("status")).toContainText("Payment received, adding credit…")
  await page.evaluate(() => Object.assign(window, { notReloaded: true }))
  const saidAt = Date.now()
  double.settleLater(sessionId, "ok")
  await expect(page.getByRole("status")).toContainText("Your balance is $25.00.", { timeout: 2_000 })
  expect(Date.now() - saidAt).toBeLessThan(2_000)
  expect(await page.evaluate(() => "notReloaded" in window)).toBe(true)
})

test("a refund by the operator and a dispute show with their reason, and a top-up brings the balance back", async ({
  page,
}) => {
  const email = "grace@example.com"
  const key = await newAccount(email)
  await openTopUp(page, email)
  const sessionId = await goToCheckout(page)
  await press(page, "Pay")
  await expect(page.getByRole("status")).toContainText("$25.00 added")
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  const spent = 25 - Number(await balanceOf(email))
  const { topups } = await service.operator<{ topups: { id: string }[] }>("topup", "list", email)
  await service.operator("topup", "refund", topups[0]?.id ?? "", "--usd", "11.90", "--note", "by request")

  await page.goto(`${service.url}/billing`)
  await expect(page.getByRole("row", { name: /Completed/ })).toContainText("refunded $10.00")
  expect(Number(await balanceOf(email))).toBeCloseTo(15 - spent, 2)
  const payment = String(double.world.store.get("checkout.session", sessionId).payment_intent)
  const dispute = double.dispute(payment)
  double.disputeFundsWithdrawn(dispute.id)
  await double.idle()
  await page.reload()
  const alert = page.getByText("The balance is below zero").locator("..")
  await expect(alert).toContainText("$10.00 for a refund of a top-up")
  await expect(alert).toContainText("$15.00 for a payment that is disputed at its bank")
  await expect(page.getByRole("row", { name: /Completed/ })).toContainText("disputed $15.00")
  const refused = await service.decide(key, ONE_QUESTION)
  expect(refused.status).toBe(402)
  expect(((await refused.json()) as Refused).error.available_usd).toMatch(/^-/)

  await page.getByRole("main").getByRole("link", { name: "Top up" }).last().click()
  await goToCheckout(page)
  await press(page, "Pay")
  await expect(page.getByRole("status")).toContainText("added")
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  double.disputeWon(dispute.id)
  await double.idle()
  await page.goto(`${service.url}/billing`)
  await expect(page.getByText("Dispute ended, credited again")).toBeVisible()
  await expect(page.getByText("The balance is below zero")).toBeHidden()
})

test("after a card that fails the checkout is left, resumed and paid", async ({ page }) => {
  const email = "edsger@example.com"
  await newAccount(email)
  await openTopUp(page, email, "12.50")
  await expect(page.getByLabel("Amount in USD")).toHaveValue("12.50")
  const sessionId = await goToCheckout(page)
  await press(page, "Card fails")
  await expect(page.getByRole("alert")).toContainText("declined")
  await page.getByRole("link", { name: "Leave" }).click()
  await expect(page.getByText("A checkout is open")).toBeVisible()
  expect(await balanceOf(email)).toBe("0.00")
  await page.getByRole("link", { name: "Resume" }).click()
  await page.waitForURL(`${double.url}/c/pay/${sessionId}`)
  await press(page, "Pay")
  await expect(page.getByRole("status")).toContainText("$12.50 added")
})

test("a checkout that expires, and a payment that its bank refuses, say so and credit nothing", async ({ page }) => {
  const email = "barbara@example.com"
  await newAccount(email)
  await openTopUp(page, email)
  const expired = await goToCheckout(page)
  double.expire(expired)
  await page.goto(`${service.url}/billing/top-up/return?session_id=${expired}`)
  await expect(page.getByRole("status")).toContainText("This checkout has expired")
  await page.getByRole("link", { name: "Try again" }).click()
  const failed = await goToCheckout(page)
  await press(page, "Pay later")
  double.settleLater(failed, "failed")
  await expect(page.getByRole("status")).toContainText("The payment failed")
  expect(await balanceOf(email)).toBe("0.00")
})

test("another account's return page is not found", async ({ page }) => {
  await newAccount("mine@example.com")
  await openTopUp(page, "mine@example.com")
  const sessionId = await goToCheckout(page)
  double.pay(sessionId)
  await double.idle()
  await page.context().clearCookies()
  await newAccount("thief@example.com")
  await page.goto(`${service.url}/billing/top-up/return?session_id=${sessionId}`)
  await signInHere(page, service, "thief@example.com")
  await expect(page.getByRole("heading", { name: /not|nothing/i })).toBeVisible()
  expect([await balanceOf("mine@example.com"), await balanceOf("thief@example.com")]).toEqual(["25.00", "0.00"])
})

test("statement and CSV tell the month to the pico-dollar", async ({ page }) => {
  const email = "books@example.com"
  const key = await newAccount(email)
  await service.operator("account", "credit", email, "10", "--note", "=1+1")
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  const { balance_usd } = await service.operator<Account>("account", "show", email)
  await page.goto(`${service.url}/billing`)
  await signInHere(page, service, email)
  const download = page.waitForEvent("download")
  await press(page, "Download CSV")
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^ledger-20\d\d-\d\d\.csv$/)
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
  await expect(page.getByRole("row", { name: /1 decision/ })).toContainText("Production")
})

test.describe("kill -9", () => {
  test.setTimeout(120_000)
  const restart = async () => {
    await service.end("SIGKILL")
    await service.resume()
  }

  test("right after the payment and before its webhook: the return page credits it once", async ({ page }) => {
    const email = "killed@example.com"
    await newAccount(email)
    await openTopUp(page, email)
    double.setDelivery("held")
    const sessionId = await goToCheckout(page)
    await service.end("SIGKILL")
    await press(page, "Pay").catch(() => {})
    await service.resume()
    await page.goto(`${service.url}/billing/top-up/return?session_id=${sessionId}`)
    await expect(page.getByRole("status")).toContainText("$25.00 added")
    await double.flush()
    await double.deliver(double.events.map(({ id }) => id))
    expect(await balanceOf(email)).toBe("25.00")
  })

  test("the same, with every webhook lost and the browser closed: the poller credits it once", async ({ page }) => {
    const email = "closed@example.com"
    await newAccount(email)
    await openTopUp(page, email)
    double.setDelivery("dropped")
    const sessionId = await goToCheckout(page)
    await page.close()
    double.pay(sessionId)
    await restart()
    await expect.poll(() => balanceOf(email), { timeout: 60_000 }).toBe("25.00")
  })

  test("while Stripe opens the checkout: the next press leads to that one session", async ({ page }) => {
    const email = "opening@example.com"
    await newAccount(email)
    await openTopUp(page, email)
    const before = double.world.store.all("checkout.session").length
    double.failNext("POST /v1/checkout/sessions", "held")
    await expect(async () => {
      await press(page, "Go to checkout")
      await expect.poll(() => double.faults.waiting, { timeout: 2_000 }).toBe(1)
    }).toPass()
    await service.end("SIGKILL")
    double.releaseRequests()
    await expect(page.getByText("The server did not answer.")).toBeVisible()
    await service.resume()
    const sessionId = await goToCheckout(page)
    expect(double.world.store.all("checkout.session")).toHaveLength(before + 1)
    expect(sessionId).toBe(newestSession())
    await press(page, "Pay")
    await expect(page.getByRole("status")).toContainText("$25.00 added")
    expect(await balanceOf(email)).toBe("25.00")
  })

  test("while a webhook is being settled: Stripe's next one settles it once", async ({ page }) => {
    const email = "settling@example.com"
    await newAccount(email)
    await openTopUp(page, email)
    const sessionId = await goToCheckout(page)
    double.failNext("GET /v1/refunds", "held")
    double.pay(sessionId)
    await expect.poll(() => double.faults.waiting).toBe(1)
    await restart()
    double.releaseRequests()
    await double.deliver(double.events.slice(-6).map(({ id }) => id))
    expect(await balanceOf(email)).toBe("25.00")
    const verdict = await service.operator<{ ok: boolean }>("ledger", "verify")
    expect(verdict.ok).toBe(true)
  })
})
