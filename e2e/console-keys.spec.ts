import type { Locator, Page } from "@playwright/test"
import { expectAccessible, NARROW } from "./support/axe"
import { tabTo } from "./support/keyboard"
import { ONE_QUESTION } from "./support/requests"
import { chooseInRow } from "./support/row-menu"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, PHONE, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

const rowOf = (page: Page, name: string | RegExp): Locator => page.getByRole("row", { name })

/** The row of the key "Production" only. */
const productionRow = (page: Page): Locator =>
  page.getByRole("row").filter({ has: page.getByRole("link", { name: "Production", exact: true }) })

async function closeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole("dialog")
  const secret = dialog.getByLabel("Your key")
  await expect(secret).toBeFocused()
  const token = await secret.inputValue()
  await dialog.getByRole("button", { name: "Copy the key" }).click()
  await expect(dialog.getByText("Copied")).toBeVisible()
  await dialog.getByRole("button", { name: "Done" }).click()
  await expect(dialog).toBeHidden()
  return token
}

test.describe("on a phone", () => {
  test.use(PHONE)

  // The journey in journey.spec.ts creates and revokes a key with a mouse.
  test("a key is created, guarded until it is copied, duplicated and revoked", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    const failures: string[] = []
    page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
    await signIn(page, service, newEmail("keys"), "/keys")
    await expect(page.getByRole("heading", { name: "You haven't created any API keys yet" })).toBeVisible()
    await page.getByRole("button", { name: "Create key" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("Production")
    await expect(dialog.getByRole("radio", { name: "Daily" })).toBeChecked()
    await expect(dialog.getByText("The limit resets at 00:00 UTC. You cannot change it later.")).toBeVisible()
    await expect(dialog.getByLabel("Amount in USD")).toHaveValue("1")
    await expect(dialog.getByText("$1.00 a day pays for about 1,300,000 input tokens at today's price.")).toBeVisible()
    await dialog.getByRole("button", { name: "Create key" }).click()

    await expect(dialog.getByText("Copy it now. You won't be able to see it again.")).toBeVisible()
    await dialog.getByRole("button", { name: "Done" }).click()
    await expect(dialog.getByRole("alert")).toContainText("You won't see this key again")
    await dialog.getByRole("button", { name: "Go back" }).click()
    const token = await closeSecret(page)
    expect((await service.decide(token, ONE_QUESTION)).status).toBe(200)

    // The estimate uses the requests sent before the page was loaded.
    await page.reload()
    await chooseInRow(page, "Production", "Duplicate")
    await expect(dialog.getByRole("heading", { name: "Duplicate “Production”" })).toBeVisible()
    await expectAccessible(page, NARROW)
    await expect(dialog.getByLabel("Name")).toHaveValue("Production")
    await expect(dialog.getByRole("radio", { name: "Daily" })).toBeChecked()
    await expect(dialog.getByLabel("Amount in USD")).toHaveValue("1.00")
    await expect(dialog.getByText(/^\$1\.00 a day is about [\d,]+0 decisions like your last one\.$/)).toBeVisible()
    await dialog.getByLabel("Name").fill("Production 2")
    await dialog.getByRole("button", { name: "Create key" }).click()
    const second = await closeSecret(page)
    expect(second).not.toBe(token)

    // "Last used" is saved every five seconds.
    await expect(async () => {
      await page.reload()
      await expect(productionRow(page)).toContainText(/just now|1 min ago/, { timeout: 500 })
    }).toPass()
    await chooseInRow(page, "Production", "Revoke")
    await expect(dialog).toContainText(`${token.slice(0, 9)}…${token.slice(-4)} was last used`)
    await dialog.getByRole("button", { name: "Revoke key" }).click()
    await expect(dialog.getByText("Select the box to continue.")).toBeVisible()
    await expectAccessible(page, NARROW)
    await dialog.getByRole("checkbox").check()
    await dialog.getByRole("button", { name: "Revoke key" }).click()
    await expect(dialog).toBeHidden()
    await expect(productionRow(page)).toHaveCount(0)
    await expect(page.getByRole("button", { name: "Create key" })).toBeFocused()
    await expect.poll(async () => (await service.decide(token, ONE_QUESTION)).status).toBe(401)
    expect((await service.decide(second, ONE_QUESTION)).status).toBe(200)

    await page.getByRole("button", { name: "Filters" }).click()
    await page.getByRole("link", { name: /^Ended/ }).click()
    await expect(page).toHaveURL(`${service.url}/keys?show=ended`)
    await page.getByRole("link", { name: "Production", exact: true }).click()
    await expect(page.getByText("This key is revoked")).toBeVisible()
    await expect(page.getByText(/for 1 decision with \d+ input tokens/)).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${service.url}/settings/audit?topic=keys`)
    await expect(page.getByRole("row").nth(0)).toContainText("Revoked the key “Production”")
    await expect(page.getByRole("row").nth(1)).toContainText("Created the key “Production 2”")
    await expect(page.getByRole("row").nth(1)).toContainText("127.0.0.1")
    expect(failures).toEqual([])
  })
})

test("a key is created, copied, found, sorted and revoked by keyboard alone", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  await signIn(page, service, newEmail("keyboard"), "/keys")
  const key = page.keyboard
  await tabTo(page, page.getByRole("button", { name: "Create key" }))
  await key.press("Enter")
  const dialog = page.getByRole("dialog")
  await expect(dialog.getByLabel("Name")).toBeFocused()
  await key.type("Staging")
  await tabTo(page, dialog.getByRole("radio", { name: "Daily" }))
  await key.press("ArrowRight")
  await expect(dialog.getByRole("radio", { name: "Lifetime" })).toBeChecked()
  await tabTo(page, dialog.getByLabel("Amount in USD"))
  await key.press("Control+a")
  await key.type("0")
  await key.press("Enter")
  await expect(dialog.getByText("Enter more than zero.")).toBeVisible()
  await expect(dialog.getByLabel("Amount in USD")).toBeFocused()
  await key.press("Control+a")
  await key.type("2.5")
  await key.press("Enter")
  await expect(dialog.getByLabel("Your key")).toBeFocused()
  await expectAccessible(page, NARROW)
  await key.press("Escape")
  await expect(dialog.getByRole("alert")).toBeVisible()
  await expectAccessible(page, { widths: [1440] })
  await expect(dialog.getByRole("button", { name: "Go back" })).toBeFocused()
  await key.press("Enter")
  await tabTo(page, dialog.getByRole("button", { name: "Copy the key" }))
  await key.press("Enter")
  await expect(dialog.getByText("Copied")).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^svcd_[0-9A-Za-z]{42}$/)
  await key.press("Escape")
  await expect(dialog).toBeHidden()
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused()

  await tabTo(page, page.getByRole("searchbox", { name: "Search keys" }))
  await key.type("stag")
  await expect(rowOf(page, /Playground/)).toHaveCount(0)
  await expect(page).toHaveURL(/[?&]q=stag/)
  await tabTo(page, page.getByRole("link", { name: "Name" }))
  await key.press("Enter")
  await expect(page.getByRole("columnheader", { name: "Name" })).toHaveAttribute("aria-sort", "ascending")

  await page.getByRole("searchbox", { name: "Search keys" }).fill("none")
  await page.getByRole("link", { name: "Show all keys" }).click()
  await expect(page.getByRole("searchbox", { name: "Search keys" })).toHaveValue("")
  await expect(rowOf(page, /Playground/)).toHaveCount(1)

  await tabTo(page, page.getByRole("button", { name: "Actions for Staging" }))
  await key.press("Enter")
  await expect(page.getByRole("menuitem", { name: "Rename" })).toBeFocused()
  await expectAccessible(page, NARROW)
  for (const entry of ["Duplicate", "Replace secret", "Pause", "Revoke"]) {
    await key.press("ArrowDown")
    await expect(page.getByRole("menuitem", { name: entry })).toBeFocused()
  }
  await key.press("Enter")
  await tabTo(page, dialog.getByRole("checkbox"))
  await key.press("Space")
  await tabTo(page, dialog.getByRole("button", { name: "Revoke key" }))
  await key.press("Enter")
  await expect(dialog).toBeHidden()
  await expect(page.getByRole("row", { name: /Staging/ })).toContainText("Revoked")
})

test("Back asks before a new key that was not copied is lost", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  await signIn(page, service, newEmail("back"), "/usage")
  await page.getByRole("link", { name: "API keys", exact: true }).click()
  await page.getByRole("button", { name: "Create key" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Name").fill("Staging")
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByLabel("Your key")).toBeFocused()
  await page.evaluate(() => history.back())
  await expect(dialog.getByRole("alert")).toContainText("You won't see this key again")
  await dialog.getByRole("button", { name: "Go back" }).click()
  await closeSecret(page)
  await page.goBack()
  await expect(page).toHaveURL(`${service.url}/usage`)
})

test("more than 100 keys cannot be revoked at once, and the dialog says so", async ({ page }) => {
  const email = newEmail("many")
  await signIn(page, service, email, "/keys")
  await service.sql(
    `INSERT INTO api_key (id, account_id, kind, name, masked, secret_sha256)
     SELECT gen_random_uuid(), account_id, 'secret', 'Key ' || n, 'svcd_…' || n, sha256((email || n)::bytea)
     FROM member JOIN app_user ON app_user.id = user_id CROSS JOIN generate_series(1, 101) n WHERE email = $1`,
    [email],
  )
  await page.reload()
  await page.getByRole("checkbox", { name: "Select Key 101" }).check()
  await page.getByRole("button", { name: "Select all" }).click()
  await page.getByRole("button", { name: "Revoke 101 keys" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByRole("checkbox").check()
  await dialog.getByRole("button", { name: "Revoke 101 keys" }).click()
  await expect(dialog.getByText("Choose at most 100 keys at once.")).toBeVisible()
  const revoked = await service.sql(
    `SELECT FROM api_key JOIN member USING (account_id) JOIN app_user ON app_user.id = user_id
     WHERE email = $1 AND revoked_at IS NOT NULL`,
    [email],
  )
  expect(revoked).toEqual([])
})

test("the focus stays on Create key when the list comes after the dialog for the first key has closed", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  await signIn(page, service, newEmail("slow"), "/keys")
  await page.getByRole("button", { name: "Create key" }).click()
  const dialog = page.getByRole("dialog")
  // With its error, the form has loaded all that it needs.
  await dialog.getByRole("button", { name: "Create key" }).click()
  await expect(dialog.getByText("Enter a name.")).toBeVisible()
  await dialog.getByLabel("Name").fill("First")
  // The new key takes about 3 s, and the rest of the response 12 s more.
  const network = await context.newCDPSession(page)
  const limits = { offline: false, latency: 0, uploadThroughput: -1 }
  await network.send("Network.emulateNetworkConditions", { ...limits, downloadThroughput: 1_000 })
  await dialog.getByRole("button", { name: "Create key" }).click()
  await closeSecret(page)
  await expect(page.getByRole("heading", { name: "You haven't created any API keys yet" })).toBeVisible()
  await network.send("Network.emulateNetworkConditions", { ...limits, downloadThroughput: -1 })
  await expect(page.getByRole("table", { name: "API keys" })).toBeVisible()
  await expect(page.getByRole("button", { name: "Create key" })).toBeFocused()
})
