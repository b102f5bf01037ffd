// Counts the clicks, keys and seconds from a ready server to a new user's first answer. `node e2e/first-answer.mjs OUTBOX_URL` takes the
// address of the outbox that the server printed at start.
import { chromium } from "@playwright/test"
import { findBrowser } from "../scripts/browser.mjs"

const outbox = process.argv[2] ?? ""
const url = new URL(outbox).origin
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []
const browser = await chromium.launch({ executablePath: findBrowser(), args })
const page = await browser.newPage()
let clicks = 0
let keys = 0

async function click(locator) {
  clicks++
  await locator.click()
}

const startedAt = performance.now()
await page.goto(outbox)
await page.goto(url)
await click(page.getByRole("link", { name: "Sign in" }).first())
const email = `new-${Date.now()}@example.com`
await page.getByLabel("E-mail address").fill(email)
keys += email.length
await click(page.getByRole("button", { name: "Send sign-in link" }))
await click(page.getByRole("link", { name: /outbox/i }).first())
await click(page.locator("a[href*='/sign-in/confirm']").first())
// The link may open in a tab of its own.
const tab = page.context().pages().at(-1) ?? page
await click(tab.getByRole("button", { name: "Sign in" }))
await tab.waitForURL("**/playground")
await click(tab.getByRole("button", { name: "Run", exact: true }))
await tab.getByText("Answered", { exact: true }).waitFor()
const seconds = (performance.now() - startedAt) / 1_000
process.stdout.write(`${clicks} clicks, ${keys} keys (the e-mail address), ${seconds.toFixed(1)} s of machine time\n`)
await browser.close()
