import type { Browser, BrowserContext, Page } from "@playwright/test"
import { SLUGS } from "@/lib/server/docs/slugs"
import { PAGE_LIST, type PagePath } from "@/lib/shared/pages"
import { expectAccessible } from "./support/axe"
import { ONE_QUESTION, THREE_QUESTIONS } from "./support/requests"
import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"
import { press, type Topups } from "./support/topups"

const EMAIL = newEmail("ada.lovelace.of.the.analytical.engine")

/** How a page is opened, where that differs from its address alone. */
interface Sample {
  paths?: string[]
  isSignedOut?: boolean
  /** What is done on the page before the check. */
  act?: (page: Page) => Promise<unknown>
}

type Look = Required<Pick<Sample, "paths" | "isSignedOut">> & Pick<Sample, "act">

let here: Topups
let signedIn: Awaited<ReturnType<BrowserContext["storageState"]>>
let looks: Record<string, Look>

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
  await service.decide(key, { ...ONE_QUESTION, model: "none" })
  const page = await browser.newPage()
  await here.openTopUp(page, EMAIL)
  const checkout = await here.goToCheckout(page)
  await press(page, "Pay")
  await expect(page.getByRole("main").getByRole("status").filter({ hasText: "added" })).toBeVisible()
  signedIn = await page.context().storageState()
  await page.close()
  const outbox = (await service.outboxUrl()).slice(service.url.length)
  looks = { ...looksAtPages(samplesOf(spent.id, checkout, outbox)), ...OTHER_LOOKS }
}

/** Returns the looks at every page outside the operator's area, which operator.spec.ts checks. */
const looksAtPages = (samples: Partial<Record<PagePath, Sample>>): Record<string, Look> =>
  Object.fromEntries(
    PAGE_LIST.filter(({ access }) => access !== "operator").map(({ path, access }) => [
      path,
      { paths: [path], isSignedOut: access === "public", ...samples[path] },
    ]),
  )

function samplesOf(keyId: string, checkout: string, outbox: string): Partial<Record<PagePath, Sample>> {
  const run = async (page: Page) => {
    await page.getByRole("button", { name: "Run", exact: true }).click()
    await page.getByText("Details", { exact: true }).click({ timeout: 15_000 })
    await expect(page.getByText("Request id")).toBeVisible()
  }
  const ask = async (page: Page) => {
    await page.getByLabel("E-mail address").fill(EMAIL)
    await page.getByRole("button", { name: "Send sign-in link" }).click()
    await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  }
  return {
    "/sign-in": { paths: ["/sign-in?problem=limit"] },
    "/sign-in/check": { paths: ["/sign-in"], act: ask },
    "/sign-in/confirm": {
      paths: ["/sign-in/confirm", "/sign-in/confirm#t=a&e=ada@example.com", "/sign-in/confirm?address=half"],
    },
    "/outbox": { paths: [outbox] },
    "/share": { paths: ["/share#damaged"] },
    "/playground": { act: run },
    "/evaluate": { paths: ["/evaluate", "/evaluate?set=none"] },
    "/keys": { paths: ["/keys?show=all", "/keys?q=nothing"] },
    "/keys/[id]": { paths: [`/keys/${keyId}`] },
    "/usage": { paths: ["/usage", "/usage?days=1&by=key"] },
    "/billing/top-up/return": { paths: [`/billing/top-up/return?session_id=${checkout}`] },
    "/docs": { paths: ["/docs?q=confidence"], isSignedOut: false },
    "/docs/[slug]": {
      paths: SLUGS.filter((slug) => slug !== "index").map((slug) => `/docs/${slug}`),
      isSignedOut: false,
    },
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
const OTHER_LOOKS: Record<string, Look> = {
  "no page": { paths: ["/there/is/no/such/page"], isSignedOut: false },
  "no key": { paths: [`/keys/key_${"0".repeat(26)}`], isSignedOut: false },
  "a dialog": { paths: ["/keys"], isSignedOut: false, act: open("Create key") },
  "the command menu": { paths: ["/settings"], isSignedOut: false, act: openMenu },
}

test.beforeAll(async ({ browser, topups }) => {
  test.setTimeout(120_000)
  here = topups
  await fill(browser)
})

/**
 * Opens every page and calls `look`. Fails when a page logs an error to the console. Pages of one visitor are opened in one
 * tab: a new one would compile the scripts again.
 */
async function goOver(browser: Browser, look: (page: Page, at: string) => Promise<void>) {
  const complaints: string[] = []
  for (const isSignedOut of [true, false]) {
    const context = await browser.newContext({ storageState: isSignedOut ? undefined : signedIn })
    const page = await context.newPage()
    let at = ""
    let isMissing = false
    page.on("console", (message) => {
      const isExpected = isMissing && /status of 404/.test(message.text())
      if (message.type() === "error" && !isExpected) complaints.push(`${at}: ${message.text()}`)
    })
    page.on("pageerror", (error) => complaints.push(`${at}: ${error.message}`))
    const own = Object.entries(looks).filter(([, look]) => look.isSignedOut === isSignedOut)
    for (const [route, { paths, act }] of own) {
      isMissing = route.startsWith("no ")
      for (at of paths) {
        await page.goto(here.service.url + at)
        // An address that differs only after its # does not load the page again.
        if (at.includes("#")) await page.reload()
        expect(new URL(page.url()).pathname).toBe(new URL(at, page.url()).pathname)
        await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1)
        await expect(page.getByText("This page failed")).toHaveCount(0)
        await act?.(page)
        await look(page, at)
      }
    }
    await context.close()
  }
  expect(complaints).toEqual([])
}

test("the checks find a page that is too wide, with a small button without a name", async ({ page }) => {
  await page.setContent(`<title>A page</title><main style="width: 2000px"><h1>A page</h1><button style="height: 20px">`)
  await expect(expectAccessible(page)).rejects.toThrow(/px too wide[\s\S]*button-name[\s\S]*BUTTON/)
})

test("every page with a parameter has an address to open", () => {
  expect(
    Object.values(looks).filter(({ paths }) => paths.length === 0 || paths.some((at) => at.includes("["))),
  ).toEqual([])
})

test("no page has axe violations in light or dark, overflows at three widths, has a control too small for a finger, or logs a console error", async ({
  browser,
}) => {
  test.setTimeout(240_000)
  await goOver(browser, (page, at) =>
    // All docs have the same components: one of them in both themes, the others in one.
    expectAccessible(page, /docs\/(?!quickstart)/.test(at) ? { widths: [360], themes: ["dark"] } : {}),
  )
})

test("a page that failed shows an error that is accessible, and its content after a retry", async ({ browser }) => {
  const context = await browser.newContext({ storageState: signedIn })
  const page = await context.newPage()
  await here.service.sql("ALTER TABLE topup RENAME TO topup_away")
  await page.goto(`${here.service.url}/billing`)
  await expect(page.getByRole("heading", { name: "This page failed on our side" })).toBeVisible()
  await expectAccessible(page)
  await here.service.sql("ALTER TABLE topup_away RENAME TO topup")
  await page.getByRole("button", { name: "Try again" }).press("Enter")
  await expect(page.getByRole("heading", { name: "Billing", level: 1 })).toBeVisible()
  await context.close()
})
