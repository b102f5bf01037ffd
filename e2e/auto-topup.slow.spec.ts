import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/axe"
import { waitUntilHydrated } from "./support/hydration"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"
import { press, type Topups } from "./support/topups"

/** The top-up job runs every 2 s, and the mail job every 5 s. */
const SOON = { timeout: 90_000 }

let here: Topups
test.beforeAll(({ topups }) => {
  here = topups
})
test.afterEach(() => here.calm())

async function saveCard(page: Page, button: string, card: string): Promise<void> {
  await press(page, button)
  await page.waitForURL(`${here.double.url}/c/pay/**`)
  await press(page, card)
  await page.waitForURL(`${here.service.url}/billing/auto-top-up?card=**`)
  await waitUntilHydrated(page)
}

const fallBy = (email: string, usd: string) => here.service.operator("account", "debit", email, usd, "--note", "spent")

const paymentsOf = (page: Page, status: string) => page.getByRole("row").filter({ hasText: status })

test("an owner turns on automatic top-up, is charged when the balance falls, and continues after a failed card", async ({
  page,
}) => {
  const email = newEmail("auto")
  await here.newAccount(email)
  await here.service.operator("account", "credit", email, "20", "--note", "start")
  await signIn(page, here.service, email, "/billing")
  await page.getByRole("link", { name: "Set up automatic top-up" }).click()
  await expect(page.getByText("No card is saved.")).toBeVisible()
  await saveCard(page, "Save a card at Stripe", "Save card")
  await expect(page.getByText("Visa ending in 4242", { exact: true })).toBeVisible()
  await expect(page.getByText("Off", { exact: true })).toBeVisible()
  await page.getByLabel("Charge at most per month, in USD").fill("10")
  await press(page, "Turn on")
  await expect(page.getByText("The monthly maximum must be at least the amount of one top-up.")).toBeVisible()
  await page.getByLabel("Charge at most per month, in USD").fill("60")
  await expect(page.getByText("You allow us to charge the Visa ending in 4242 $25.00 plus tax")).toBeVisible()
  await press(page, "Turn on")
  await expect(page.getByText("On", { exact: true })).toBeVisible()
  await expectAccessible(page)

  await fallBy(email, "16")
  await expect.poll(() => here.balanceOf(email), SOON).toBe("29.00")
  await expect(async () => {
    const mail = await here.service.mailed(email, "the saved card was charged")
    expect(mail.subject).toContain("$25.00 of credit added automatically")
  }).toPass(SOON)
  await page.goto(`${here.service.url}/billing`)
  const row = paymentsOf(page, "automatic").first()
  await expect(row).toContainText("$29.75")
  await expect(row.getByRole("link", { name: "Receipt" })).toHaveAttribute("href", /\/receipts\//)

  // The next card requires authentication by its owner.
  await page.getByRole("link", { name: "Change", exact: true }).click()
  await saveCard(page, "Replace card", "Save a card that asks for authentication")
  await expect(page.getByText("Visa ending in 3184", { exact: true })).toBeVisible()
  await here.service.sql(
    "UPDATE topup SET created_at = created_at - interval '11 min', charged_at = charged_at - interval '11 min'",
  )
  await fallBy(email, "25")
  let link = ""
  await expect(async () => {
    const { subject, text } = await here.service.mailed(email, "could not be charged")
    expect(subject).toContain("Automatic top-up of $25.00 failed")
    link = /https?:\/\/\S+auto-top-up/.exec(text)?.[0] ?? ""
  }).toPass(SOON)
  await page.goto(`${here.service.url}/billing`)
  await expect(page.getByText("Automatic top-up is paused")).toBeVisible()
  await expectAccessible(page)
  await page.goto(link)
  await expect(page.getByText("The bank asked for a confirmation that only you can give")).toBeVisible()
  await expect(page.getByText(/with the next charge at \d\d:\d\d UTC at the earliest/)).toBeVisible()
  await expectAccessible(page)
  await press(page, "Pay $25.00 and continue")
  await page.waitForURL(`${here.double.url}/c/pay/**`)
  await press(page, "Pay")
  await expect(page.getByRole("main").getByRole("status")).toContainText("$25.00 added")
  await page.goto(link)
  await expect(page.getByText("Visa ending in 4242", { exact: true })).toBeVisible()
  await expect(page.getByText("On", { exact: true })).toBeVisible()

  await press(page, "Remove card")
  await page.getByRole("dialog").getByRole("button", { name: "Remove card" }).click()
  await expect(page.getByText("No card is saved.")).toBeVisible()
  await expect(page.getByText("Off", { exact: true })).toBeVisible()
  expect(await here.balanceOf(email)).toBe("29.00")
})
