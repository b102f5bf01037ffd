import type { Browser, Page } from "@playwright/test"
import { CLIENT, type OpenIdProvider, startOpenIdProvider } from "@/test/doubles/openid-provider"
import { freePort } from "@/test/free-port"
import { expectAccessible } from "./support/axe"
import { Service } from "./support/service"
import { expect, test } from "./support/test"

let service: Service
let provider: OpenIdProvider

test.beforeAll(async () => {
  const port = await freePort()
  provider = await startOpenIdProvider(`http://localhost:${port}`)
  service = await Service.start({
    PORT: String(port),
    LOG_LEVEL: "silent",
    SIGN_IN: "link,oidc",
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: "Acme ID",
  })
})

test.afterAll(() => service.destroy())

/** Opens the sign-in page in a new browser, in which this person of the provider signs in next. */
async function pageOf(browser: Browser, subject: string, email: string, isVerified = true): Promise<Page> {
  provider.people.set(subject, { email, email_verified: isVerified })
  provider.next.subject = subject
  const page = await browser.newPage()
  await page.goto(`${service.url}/sign-in?next=%2Fkeys`)
  return page
}

const continueIn = (page: Page) => page.getByRole("button", { name: "Continue with Acme ID" }).click()

async function signInByMail(browser: Browser, email: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel("E-mail address").fill(email)
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await page.goto(await service.mailedLink(email))
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page).toHaveURL(`${service.url}/playground`)
  return page
}

test("a new person signs in with the provider, and a logout there ends the session", async ({ browser }) => {
  const page = await pageOf(browser, "ada", "ada@openid.example")
  await expectAccessible(page)
  await continueIn(page)
  await expect(page).toHaveURL(`${service.url}/keys`)
  await page.goto(`${service.url}/settings`)
  await expect(page.getByText("ada@openid.example").first()).toBeVisible()
  await provider.logOut("ada")
  await page.reload()
  await expect(page).toHaveURL(`${service.url}/sign-in?next=%2Fsettings`)
})

test("a person with a user's address signs in as that user after the user's mail confirms it in the same browser", async ({
  browser,
}) => {
  await signInByMail(browser, "bob@openid.example")
  const page = await pageOf(browser, "bob", "bob@openid.example")
  await continueIn(page)
  await expect(page.getByRole("status")).toContainText("We sent a link to the address.")
  await expectAccessible(page)
  await page.goto(await service.mailedLink("bob@openid.example"))
  await expect(page.getByRole("heading", { name: "Sign in with Acme ID" })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("button", { name: "Confirm" }).click()
  await expect(page.getByRole("status")).toContainText("You can now sign in with Acme ID.")
  await continueIn(page)
  await expect(page).toHaveURL(`${service.url}/playground`)
})

test("a verified foreign address lets nobody in, even when its user opens the mailed link", async ({ browser }) => {
  const victim = await signInByMail(browser, "vic@openid.example")
  const attacker = await pageOf(browser, "mallory", "vic@openid.example")
  await continueIn(attacker)
  await expect(attacker.getByRole("status")).toContainText("Check your e-mail")
  await victim.goto(await service.mailedLink("vic@openid.example"))
  await victim.getByRole("button", { name: "Confirm" }).click()
  await victim.goto(`${service.url}/sign-in?problem=not_linked`)
  await attacker.goto(`${service.url}/sign-in`)
  await continueIn(attacker)
  await expect(attacker.getByRole("status")).toContainText("Check your e-mail")
  await attacker.goto(`${service.url}/keys`)
  await expect(attacker).toHaveURL(`${service.url}/sign-in?next=%2Fkeys`)
})

test("an unverified address becomes no user", async ({ browser }) => {
  const page = await pageOf(browser, "eve", "eve@openid.example", false)
  await continueIn(page)
  await expect(page.getByRole("alert").filter({ hasText: "Your address is not verified" })).toBeVisible()
})

test("while the provider is unreachable, the page says so, and the mailed link signs in", async ({ browser }) => {
  const page = await pageOf(browser, "kim", "kim@openid.example")
  provider.setOff(true)
  await continueIn(page)
  await expect(page.getByRole("alert").filter({ hasText: "Acme ID cannot be reached" })).toBeVisible()
  await expectAccessible(page)
  await signInByMail(browser, "kim@openid.example")
  provider.setOff(false)
})
