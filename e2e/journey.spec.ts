import { expect, type Page, test } from "@playwright/test"
import { MODEL, ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"

const EMAIL = "ada@example.com"
const PRICE_USD = "0.731"

interface Answered {
  model: string
  answers: Record<string, { noul?: number; probabilities?: Record<string, number> }>
  usage: { input_tokens: number }
}

let service: Service
test.beforeAll(async () => {
  service = await Service.start({ LOG_LEVEL: "silent" })
  await service.operator("model", "price", MODEL, PRICE_USD)
})
test.afterAll(() => service.destroy())

async function signUp(page: Page, email: string): Promise<void> {
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel("E-mail address").fill(email)
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await page.goto(await service.mailedLink(email))
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page).toHaveURL(`${service.url}/playground`)
}

/** Creates a key with a daily limit in the console and answers its token, as read from the page that shows it once. */
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
  await dialog.getByRole("button", { name: "Done" }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused()
  await expect(page.getByText(token)).toHaveCount(0)
  return token
}

/** Runs the playground's own example and answers the request it sent with the response it got. */
async function runPlayground(page: Page): Promise<{ request: string; response: Answered }> {
  await page.goto(`${service.url}/playground`)
  const sent = page.waitForRequest("**/playground/decisions")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  const request = await sent
  const response = (await (await request.response())?.json()) as Answered
  await expect(page.getByText("Answered", { exact: true })).toBeVisible()
  return { request: request.postData() ?? "", response }
}

/** pico-USD as the console shows it. */
function shown(pico: bigint): string {
  const text = pico.toString().padStart(13, "0")
  return `$${text.slice(0, -12)}.${text.slice(-12).replace(/0{0,10}$/, "")}`
}

test("from the mailed link to a charge that every page shows, and a revoked key", async ({ page, context }) => {
  test.setTimeout(120_000)
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const failures: string[] = []
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
  await signUp(page, EMAIL)
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
  await expect(main.getByText(shown(balance), { exact: true }).first()).toBeVisible()
  await page.goto(`${service.url}/usage`)
  await expect(main.getByText(shown(2n * charge), { exact: true }).first()).toBeVisible()
  await expect(main.getByText(shown(charge), { exact: true }).first()).toBeVisible()
  const account = await service.operator<{ balance_usd: string }>("account", "show", EMAIL)
  expect(BigInt(account.balance_usd.replace(".", ""))).toBe(balance)

  await page.goto(`${service.url}/keys`)
  await expect(page.getByRole("row", { name: /Production/ })).toContainText(`${shown(charge)} of $0.50 daily`)
  await page.getByRole("button", { name: "Actions for Production" }).click()
  await page.getByRole("menuitem", { name: "Revoke" }).click()
  const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"))
  await expect(dialog).toContainText("Anything that uses this key will stop working.")
  await dialog.getByRole("checkbox", { name: "I understand this can't be undone." }).check()
  await dialog.getByRole("button", { name: /Revoke/ }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(async () => (await service.decide(token, JSON.parse(request))).status, { timeout: 3_000 }).toBe(401)
  expect(failures).toEqual([])
})

test("one rate window is spent through both doors", async ({ page }) => {
  const email = "grace@example.com"
  await signUp(page, email)
  await service.operator("account", "limits", email, "--per-second", "4", "--per-key", "4")
  const key = (await service.operator<{ key: string }>("key", "create", email, "--name", "Both doors")).key
  await page.goto(`${service.url}/playground`)
  const { request } = await runPlayground(page)
  await page.waitForTimeout(2_100)
  // At the start of a clock second: four through the API, then the playground finds nothing left of the account's window.
  await page.waitForTimeout(1_010 - (Date.now() % 1_000))
  const direct = await Promise.all(Array.from({ length: 4 }, () => service.decide(key, JSON.parse(request))))
  const played = await page.evaluate(async (body) => {
    const response = await fetch("/playground/decisions", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    })
    return {
      status: response.status,
      limit: response.headers.get("x-ratelimit-limit"),
      used: response.headers.get("x-ratelimit-used"),
    }
  }, request)
  expect(direct.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(played).toEqual({ status: 429, limit: "4", used: "5" })
})

test("a key that is revoked while the playground has it chosen says so and gives way", async ({ page }) => {
  const email = "mary@example.com"
  await signUp(page, email)
  const { id } = await service.operator<{ id: string }>("key", "create", email, "--name", "Short-lived")
  await page.goto(`${service.url}/playground`)
  await page.getByLabel("Spends as").selectOption(id)
  await service.operator("key", "revoke", id)
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await expect(page.getByRole("alert").getByText("The chosen key can no longer be used")).toBeVisible()
  await page.getByRole("button", { name: "Spend as Playground" }).click()
  await expect(page.getByLabel("Spends as")).toHaveValue("")
})

test("a name without a break widens no page", async ({ page }) => {
  const email = "edsger@example.com"
  await signUp(page, email)
  const { key } = await service.operator<{ key: string }>("key", "create", email, "--name", "W".repeat(64))
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  for (const width of [360, 768, 1440])
    for (const path of ["/keys", "/usage", "/billing"]) {
      await page.setViewportSize({ width, height: 800 })
      await page.goto(`${service.url}${path}`)
      await expect(page.getByText("WWWW").filter({ visible: true }).first()).toBeVisible()
      const scrolled = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll("main div:has(> table)")]
          .filter((part) => part.matches("html") || getComputedStyle(part).overflowX === "auto")
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ tagName, scrollWidth }) => `${tagName} ${scrollWidth}`),
      )
      expect(scrolled, `${path} at ${width} px`).toEqual([])
    }
})
