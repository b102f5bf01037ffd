import type { Page } from "@playwright/test"
import { expectAccessible, type Looks } from "./support/axe"
import { chooseInRow } from "./support/row-menu"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"
import { addAuthenticator } from "./support/virtual-authenticator"

/** A narrower window emulates touch in a session of its own, whose end removes the authenticator. `look.slow.spec.ts` checks the page there. */
const WIDE: Looks = { widths: [768, 1440] }

const ageSession = (service: Service, email: string) =>
  service.sql(
    "UPDATE session SET created_at = now() - interval '2 days' FROM app_user u WHERE u.id = user_id AND u.email = $1",
    [email],
  )

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add passkey" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name").fill(name)
  await dialog.getByRole("button", { name: "Add passkey" }).click()
  await expect(page.getByText("The passkey was added.")).toBeVisible()
  await expect(page.getByRole("row", { name })).toBeVisible()
}

/** Opens the settings and submits the form of a new account token, which asks for a confirmation. */
async function createToken(page: Page, service: Service): Promise<void> {
  await page.goto(`${service.url}/settings`)
  await page.getByLabel("Name of a new token").fill("Dashboard")
  await page.getByRole("button", { name: "Create token" }).click()
}

const noticeOf = (page: Page) => page.getByRole("main").getByRole("alert")

test("a user adds a passkey, which confirms in place of a mail, renames it and removes it", async ({
  page,
  service,
}) => {
  const email = newEmail("passkeys")
  await addAuthenticator(page)
  await signIn(page, service, email, "/settings")
  await page.getByRole("link", { name: "Passkeys" }).click()
  await expect(page.getByRole("heading", { name: "No passkeys" })).toBeVisible()
  await expectAccessible(page, WIDE)
  await addPasskey(page, "Laptop")
  await expectAccessible(page, WIDE)
  expect((await service.mailed(email, "A passkey was added")).text).toContain("next=%2Fsettings%2Fpasskeys")

  await ageSession(service, email)
  await createToken(page, service)
  await expect(noticeOf(page)).toContainText(
    "To create an account token, use a passkey, or open a link that we mail to you",
  )
  await expectAccessible(page, WIDE)
  await page.getByRole("button", { name: "Use a passkey" }).click()
  await expect(page.getByRole("status").filter({ hasText: "Confirmed" })).toContainText("Select “Create token”")
  await page.getByRole("button", { name: "Create token" }).click()
  await expect(page.getByText("Copy the token “Dashboard” now.")).toBeVisible()
  const scopes = await page.evaluate(async () => (await fetch("/confirmation")).json())
  expect(scopes).toEqual({ confirmed: ["access"] })

  await page.goto(`${service.url}/settings/passkeys`)
  await chooseInRow(page, "Laptop", "Rename")
  await page.getByRole("dialog").getByLabel("Name").fill("Desk")
  await page.getByRole("button", { name: "Rename" }).click()
  await expect(page.getByText("The passkey was renamed.")).toBeVisible()
  await chooseInRow(page, "Desk", "Remove")
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
  await expect(page.getByRole("heading", { name: "No passkeys" })).toBeVisible()
})

test("a passkey that the browser does not return leaves the mailed link, and adding one needs a confirmation", async ({
  page,
  service,
}) => {
  const email = newEmail("passkey-refused")
  const authenticator = await addAuthenticator(page)
  await signIn(page, service, email, "/settings/passkeys")
  await addPasskey(page, "Laptop")
  await ageSession(service, email)
  await authenticator.refuse(true)
  await createToken(page, service)
  await page.getByRole("button", { name: "Use a passkey" }).click()
  await expect(noticeOf(page).filter({ hasText: "The browser returned no passkey." })).toBeVisible()
  await page.getByRole("button", { name: "E-mail me a link" }).click()
  await expect(noticeOf(page).filter({ hasText: "Open the link that we e-mailed you" })).toBeVisible()

  await authenticator.refuse(false)
  await page.goto(`${service.url}/settings/passkeys`)
  await page.getByRole("button", { name: "Add passkey" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name").fill("Phone")
  await dialog.getByRole("button", { name: "Add passkey" }).click()
  await expect(dialog.getByRole("alert")).toContainText("To add a passkey, use a passkey, or open a link")
  await dialog.getByRole("button", { name: "Use a passkey" }).click()
  await expect(dialog.getByRole("status").filter({ hasText: "Confirmed" })).toContainText("Select “Add passkey”")
  await dialog.getByRole("button", { name: "Add passkey" }).click()
  await expect(dialog.getByRole("alert")).toContainText("has a passkey of yours already")
})
