import type { Browser, BrowserContext, Page } from "@playwright/test"
import { PAGE_LIST, type PagePath } from "@/lib/shared/pages"
import { expectAccessible, NARROW } from "./support/axe"
import { goOver, type Look } from "./support/looks"
import { ONE_QUESTION, THREE_QUESTIONS } from "./support/requests"
import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"
import { press, type Topups } from "./support/topups"

const EMAIL = newEmail("ada.lovelace.of.the.analytical.engine")

let here: Topups
let signedIn: Awaited<ReturnType<BrowserContext["storageState"]>>
let looks: Look[]

/** Creates an account with keys of each kind, responses, refusals and a top-up, so that no page is empty. */
async function fill(browser: Browser): Promise<void> {
  const { service } = here
  const key = await here.newAccount(EMAIL)
  await service.operator("account", "credit", EMAIL, "12.5", "--note", "Welcome")
  const limit = ["--limit-usd", "0.05", "--period", "daily"]
  const named = ["--name", "Nightly import of supplier invoices"]
  const spent = await service.operator<{ key: string; id: string }>("key", "create", EMAIL, ...named, ...limit)
  for (let i = 0; i < 3; i++) await service.decide(key, THREE_QUESTIONS)
  for (let i = 0; i < 8; i++) await service.decide(spent.key, ONE_QUESTION)
  const refused = await service.decide(key, { ...ONE_QUESTION, model: "none" })
  await service.sql(
    `INSERT INTO passkey (id, user_id, credential_id, public_key, counter, name)
     SELECT gen_random_uuid(), id, '\\x01', '\\x02', 0, 'Laptop' FROM app_user WHERE email = $1`,
    [EMAIL],
  )
  const page = await browser.newPage()
  await here.openTopUp(page, EMAIL)
  const checkout = await here.goToCheckout(page)
  await press(page, "Pay")
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "added" })).toBeVisible()
  signedIn = await page.context().storageState()
  await page.close()
  const samples = samplesOf(spent.id, checkout, refused.headers.get("x-request-id") ?? "")
  // look-operator.slow.spec.ts checks the operator's area.
  const pages = PAGE_LIST.filter(({ access }) => access === "session")
  looks = [...pages.map(({ path }) => samples[path] ?? { paths: [path] }), ...OTHER_LOOKS]
}

/** How a page is opened, where that differs from its address alone. */
function samplesOf(keyId: string, checkout: string, requestId: string): Partial<Record<PagePath, Look>> {
  const run = async (page: Page) => {
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByText("Details", { exact: true }).click()
    await expect(page.getByText("Request id")).toBeVisible()
  }
  return {
    "/playground": { paths: ["/playground"], act: run },
    "/evaluate": { paths: ["/evaluate", "/evaluate?set=none"] },
    "/keys": { paths: ["/keys?show=all", "/keys?q=nothing"] },
    "/keys/[id]": { paths: [`/keys/${keyId}`] },
    "/usage": { paths: ["/usage", "/usage?days=1&by=key"] },
    "/requests": { paths: ["/requests", "/requests?min_ms=3600000&type=noul", "/requests?request=none"] },
    "/requests/[id]": { paths: [`/requests/${requestId}`] },
    "/billing/top-up/return": { paths: [`/billing/top-up/return?session_id=${checkout}`] },
    "/join/[id]": { paths: ["/join/inv_00000000000000000000000000"] },
    "/open/[id]": { paths: ["/open/acc_00000000000000000000000000"] },
  }
}

const open = (name: string) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click()
  await expect(page.getByRole("dialog")).toBeVisible()
}
const openMenu = async (page: Page) => {
  await page.keyboard.press("Control+k")
  await expect(page.getByRole("option", { name: "Production" }).first()).toBeVisible()
}
const OTHER_LOOKS: Look[] = [
  { paths: ["/there/is/no/such/page", `/keys/key_${"0".repeat(26)}`], isMissing: true },
  { paths: ["/keys"], act: open("Create key") },
  { paths: ["/settings"], act: openMenu },
  // They have parts that only a narrow window shows.
  { paths: ["/playground", "/keys"], at: NARROW },
]

test.beforeAll(async ({ browser, topups }) => {
  here = topups
  await fill(browser)
})

test("the checks find a page that is too wide, with a small button without a name and a text that is faint in the dark theme", async ({
  page,
}) => {
  await page.setContent(`<title>A page</title><style>@media (prefers-color-scheme: dark) { h1 { color: #ccc } }</style>
    <main style="width: 2000px"><h1>A page</h1><button style="height: 20px">`)
  await expect(expectAccessible(page)).rejects.toThrow(
    /px too wide[\s\S]*button-name[\s\S]*dark: color-contrast[\s\S]*BUTTON/,
  )
})

test("no page of an account has axe violations in light or dark, overflows at three widths, has a control too small for a finger, or logs a console error", async ({
  browser,
}) => {
  const context = await browser.newContext({ storageState: signedIn })
  await goOver(context, here.service.url, looks)
  await context.close()
})

test("a page that failed shows an error that is accessible, and its content after a retry", async ({ browser }) => {
  const context = await browser.newContext({ storageState: signedIn })
  const page = await context.newPage()
  // Otherwise the page could load again by itself before it is checked.
  await page.route("**/readyz", (route) => route.fulfill({ status: 503, body: "" }))
  await here.service.sql("ALTER TABLE topup RENAME TO topup_away")
  await page.goto(`${here.service.url}/billing`)
  await expect(page.getByRole("heading", { name: "This page failed on our side" })).toBeVisible()
  await expectAccessible(page)
  await here.service.sql("ALTER TABLE topup_away RENAME TO topup")
  await page.getByRole("button", { name: "Try again" }).press("Enter")
  await expect(page.getByRole("heading", { name: "Billing", level: 1 })).toBeVisible()
  await context.close()
})
