import { expectAccessible } from "./support/axe"
import { ONE_QUESTION } from "./support/requests"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const linkIn = (text: string): string => /https?:\/\/\S+/.exec(text)?.[0] ?? ""

const keysOf = (service: Service, email: string) =>
  service.sql<{ name: string }>(
    `SELECT k.name FROM api_key k JOIN member m ON m.account_id = k.account_id AND m.role = 'owner'
     JOIN app_user u ON u.id = m.user_id WHERE u.email = $1 AND k.kind = 'secret' ORDER BY k.id`,
    [email],
  )

test("a user changes the address with both mailboxes, on another device", async ({ service, page, browser }) => {
  const [before, after] = [newEmail("before"), newEmail("after")]
  await signIn(page, service, before, "/settings")
  await page.getByRole("button", { name: "Change address" }).click()
  await expectAccessible(page)
  await page.getByRole("textbox", { name: "New e-mail address" }).fill(after)
  await page.getByRole("button", { name: "Send both links" }).click()
  const pending = page.getByRole("status").filter({ hasText: `Changing to ${after}` })
  await expect(pending).toContainText(`${before} and the one to ${after}`)

  const other = await browser.newContext()
  const device = await other.newPage()
  for (const [email, title] of [
    [after, "One address is confirmed"],
    [before, "Your address was changed"],
  ] as const) {
    await device.goto(linkIn((await service.mailed(email, "/sign-in/confirm#m=")).text))
    await expect(device).toHaveURL(`${service.url}/sign-in/confirm`)
    await device.getByRole("button", { name: "Confirm address" }).click()
    await expect(device.getByRole("heading", { name: title })).toBeVisible()
    await expectAccessible(device)
  }
  await other.close()
  await page.reload()
  await expect(page.getByRole("main").getByText(after, { exact: true })).toBeVisible()
  await expect(pending).toBeHidden()
})

test("a tab that was left open never acts in the account that another tab switched to, and a key's link offers to switch", async ({
  service,
  page,
}) => {
  const [email, team] = [newEmail("two"), newEmail("team")]
  const { keyId } = await service.createAccountWithKey(team)
  await service.operator("account", "create", email)
  await service.sql(
    `INSERT INTO member (account_id, user_id, role) SELECT m.account_id, o.id, 'developer'
     FROM member m JOIN app_user u ON u.id = m.user_id AND u.email = $1, app_user o WHERE o.email = $2`,
    [team, email],
  )
  await signIn(page, service, email, "/keys")
  const second = await page.context().newPage()
  await second.goto(`${service.url}/keys/${keyId}`)
  await expect(second.getByRole("heading", { name: `Switch to “${team}”?` })).toBeVisible()
  await expectAccessible(second)
  await second.getByRole("button", { name: "Switch account" }).click()
  await expect(second).toHaveURL(`${service.url}/keys/${keyId}`)

  const notice = page.getByRole("dialog", { name: "You switched to another account" })
  await expect(notice).toContainText(`This tab still shows “${email}”.`)
  await expectAccessible(page)
  await notice.getByRole("button", { name: "Close" }).click()
  // The theme belongs to the browser, so every tab can choose it and stays where it is.
  const menu = page.getByRole("complementary").locator("summary", { hasText: "Account menu" })
  const search = page.getByRole("button", { name: "Search everything" })
  const place = await search.boundingBox()
  await menu.click()
  // The menu lies above the page, and closes at a press beside it.
  expect(await search.boundingBox()).toEqual(place)
  await page.getByRole("main").click({ position: { x: 4, y: 4 } })
  await expect(page.getByRole("form", { name: "Theme" })).toBeHidden()
  await menu.click()
  await page.getByRole("form", { name: "Theme" }).getByRole("button", { name: "Dark" }).click()
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark")
  await page.getByRole("button", { name: "Create key" }).first().click()
  await page.getByRole("textbox", { name: "Name" }).fill("Astray")
  await page.getByRole("radio", { name: "Lifetime" }).check()
  await page.getByRole("textbox", { name: /Amount/ }).fill("1")
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
  await expect(page.getByText("This tab shows another account than the one you switched to.")).toBeVisible()
  expect([await keysOf(service, email), await keysOf(service, team)]).toEqual([[], [{ name: "Test" }]])
  await page.getByRole("button", { name: "Reload page" }).click()
  await expect(page.getByRole("table", { name: "API keys" })).toContainText("Test")
})

test("a person adds an account, which starts without keys, and switches in two steps, in the menu and by the keyboard", async ({
  service,
  page,
}) => {
  const email = newEmail("several")
  const { key } = await service.createAccountWithKey(email)
  await signIn(page, service, email, "/settings")
  await page.getByRole("button", { name: "Add account" }).click()
  const dialog = page.getByRole("dialog", { name: "Add an account" })
  await expectAccessible(page)
  await dialog.getByRole("textbox", { name: "Account name" }).fill("Staging")
  await dialog.getByRole("button", { name: "Add account" }).click()
  await expect(page).toHaveURL(`${service.url}/start`)

  const frame = page.getByRole("complementary")
  const shown = frame.locator("summary", { hasText: "Account menu" })
  await expect(shown).toContainText("Staging")
  await shown.click()
  await frame.getByRole("form", { name: "Accounts" }).getByRole("button", { name: email }).click()
  await expect(shown).not.toContainText("Staging")
  await page.goto(`${service.url}/keys`)
  await expect(page.getByRole("table", { name: "API keys" })).toContainText("Test")

  await page.keyboard.press("Control+k")
  await page.getByRole("dialog", { name: "Search and commands" }).getByRole("combobox").fill("switch to staging")
  await page.keyboard.press("Enter")
  await expect(shown).toContainText("Staging")
  await expect(page.getByRole("main").getByText("Test", { exact: true })).toHaveCount(0)
  expect(await keysOf(service, email)).toEqual([{ name: "Test" }])
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
})
