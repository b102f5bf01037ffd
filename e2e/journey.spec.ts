import type { Page } from "@playwright/test"
import { exactly, shown } from "./support/price"
import { MODEL, ONE_QUESTION } from "./support/requests"
import type { Service } from "./support/service"
import { newEmail, signIn, signInByMail } from "./support/sign-in"
import { expect, test } from "./support/test"

interface Answered {
  model: string
  answers: Record<string, { noul?: number; probabilities?: Record<string, number> }>
  usage: { input_tokens: number }
}

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

/** Creates a key with a daily limit in the console and returns the token that the page shows once. */
async function createKey(page: Page): Promise<string> {
  await page.goto(`${service.url}/keys`)
  await page.getByRole("button", { name: "Create key" }).first().click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name").fill("Production")
  await dialog.getByRole("radio", { name: "Daily" }).check()
  await dialog.getByLabel("Amount in USD").fill("0.50")
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(page.getByLabel("Your key")).toBeFocused()
  const token = await page.getByLabel("Your key").inputValue()
  await dialog.getByRole("button", { name: "Copy the key" }).click()
  await expect(dialog.getByText("Copied")).toBeVisible()
  await dialog.getByRole("button", { name: "Done" }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused()
  await expect(page.getByText(token)).toHaveCount(0)
  return token
}

async function runPlayground(page: Page): Promise<{ request: string; response: Answered }> {
  await page.goto(`${service.url}/playground`)
  const sent = page.waitForRequest("**/playground/decisions")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  const request = await sent
  const response = (await (await request.response())?.json()) as Answered
  await expect(page.getByText("Answered", { exact: true })).toBeVisible()
  return { request: request.postData() ?? "", response }
}

test("a new user signs in by mail, creates a key, pays for two decisions that billing, usage and keys show, and revokes the key", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const failures: string[] = []
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
  const email = newEmail("ada")
  await page.goto(`${service.url}/sign-in`)
  await signInByMail(page, service, email)
  await expect(page).toHaveURL(`${service.url}/playground`)
  const token = await createKey(page)

  const { request, response } = await runPlayground(page)
  const direct = await service.decide(token, JSON.parse(request))
  expect(direct.status).toBe(200)
  const answered = (await direct.json()) as Answered
  expect(answered).toEqual(response)
  expect(answered.model).toBe(MODEL)
  expect(Object.keys(answered.answers)).toHaveLength(3)
  for (const { noul, probabilities } of Object.values(answered.answers)) {
    if (probabilities) expect(Object.values(probabilities).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12)
    else expect(noul).toBeGreaterThan(0)
  }

  // Two runs of the same tokens at 731,000 pico-USD a token, out of a welcome credit of one dollar.
  const charge = BigInt(answered.usage.input_tokens) * 731_000n
  const balance = 1_000_000_000_000n - 2n * charge
  await page.goto(`${service.url}/billing`)
  const main = page.getByRole("main")
  await expect(main.getByTitle(exactly(balance), { exact: true }).first()).toBeVisible()
  await page.goto(`${service.url}/usage`)
  await expect(main.getByText(shown(2n * charge), { exact: true }).first()).toBeVisible()
  await page.goto(`${service.url}/requests`)
  await expect(main.getByText(shown(charge), { exact: true }).first()).toBeVisible()
  const account = await service.operator<{ balance_usd: string }>("account", "show", email)
  expect(BigInt(account.balance_usd.replace(".", ""))).toBe(balance)

  await page.goto(`${service.url}/keys`)
  await expect(page.getByRole("row", { name: /Production/ })).toContainText(`${shown(charge)} spent of $0.50 daily`)
  await page.getByRole("button", { name: "Actions for Production" }).click()
  await page.getByRole("menuitem", { name: "Revoke" }).click()
  const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"))
  await expect(dialog).toContainText("Anything that uses this key will stop working.")
  await dialog.getByRole("checkbox", { name: "I understand this can't be undone." }).check()
  await dialog.getByRole("button", { name: /Revoke/ }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(async () => (await service.decide(token, JSON.parse(request))).status).toBe(401)
  expect(failures).toEqual([])
})

test("a key that is revoked while it is selected in the playground is reported, and the Playground key takes its place", async ({
  page,
}) => {
  const email = newEmail("mary")
  await service.operator("account", "create", email)
  const { id } = await service.operator<{ id: string }>("key", "create", email, "--name", "Short-lived")
  await signIn(page, service, email)
  await page.getByLabel("Charge to").selectOption(id)
  await service.operator("key", "revoke", id)
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await expect(page.getByRole("alert").getByText("This key can no longer be used")).toBeVisible()
  await page.getByRole("button", { name: "Charge to Playground" }).click()
  await expect(page.getByLabel("Charge to")).toHaveValue("")
})

test("a key's long name without spaces widens neither keys nor usage nor billing", async ({ page }) => {
  const email = newEmail("edsger")
  const { key } = await service.createAccountWithKey(email, { keyArgs: ["--name", "W".repeat(64)] })
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  const scrolled = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll("main div:has(> table)")]
        .filter((part) => part.matches("html") || getComputedStyle(part).overflowX === "auto")
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ tagName, scrollWidth }) => `${tagName} ${scrollWidth}`),
    )
  await signIn(page, service, email, "/keys")
  for (const path of ["/keys", "/usage", "/billing"]) {
    await page.goto(service.url + path)
    for (const width of [360, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      // On a phone, a row of the ledger shows its key once it is opened.
      if (path === "/billing" && width === 360)
        await page.getByRole("checkbox", { name: "Show the whole row" }).first().press("Space")
      await expect(page.getByText("WWWW").filter({ visible: true }).first()).toBeVisible()
      // A chart measures itself and follows the window one frame later.
      await expect.poll(scrolled, `${path} at ${width} px`).toEqual([])
    }
  }
})
