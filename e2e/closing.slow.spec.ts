import { expectAccessible } from "./support/axe"
import { ONE_QUESTION } from "./support/requests"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

test("an owner exports the account and closes it: its key is refused, its members get a mail, the ledger is sound", async ({
  service,
  page,
}) => {
  const [email, member] = [newEmail("closing"), newEmail("member")]
  const { key } = await service.createAccountWithKey(email, { balanceUsd: "12.5" })
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  await service.operator("account", "create", member)
  await service.sql(
    `INSERT INTO member (account_id, user_id, role) SELECT m.account_id, o.id, 'developer'
     FROM member m JOIN app_user u ON u.id = m.user_id AND u.email = $1, app_user o WHERE o.email = $2`,
    [email, member],
  )
  await signIn(page, service, email, "/settings")
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: "Export account data" }).click()
  expect((await download).suggestedFilename()).toMatch(/^acc_[0-9a-z]{26}-\d{4}-\d\d-\d\d\.zip$/)

  await page.getByRole("button", { name: "Close account" }).click()
  const dialog = page.getByRole("dialog")
  await expect(dialog).toContainText("Its 1 API key stops working within two seconds. 1 other member loses access.")
  await expect(dialog).toContainText(/\$13\.4\d+ of credit remains/)
  await expectAccessible(page)
  const name = dialog.getByRole("textbox", { name: /^Type “/ })
  await name.fill("something else")
  await dialog.getByRole("button", { name: "Close account" }).click()
  await expect(dialog).toContainText("This is not the name of the account.")
  await name.fill(email)
  await dialog.getByRole("button", { name: "Close account" }).click()
  await expect(page).toHaveURL(`${service.url}/sign-in?problem=closed`)
  await expect(page.getByText("The account was closed")).toBeVisible()

  await expect.poll(async () => (await service.decide(key, ONE_QUESTION)).status).toBe(401)
  expect((await service.mailed(member, "closed the account")).subject).toContain("An account was closed")
  expect(await service.operator("ledger", "verify", "--all")).toMatchObject({ ok: true })
  await page.goto(`${service.url}/settings`)
  await expect(page).toHaveURL(`${service.url}/sign-in?next=%2Fsettings`)
})

test("a user deletes themselves, and this browser keeps no session", async ({ service, page }) => {
  const email = newEmail("deleting")
  await signIn(page, service, email, "/settings")
  await page.getByRole("button", { name: "Delete user" }).click()
  await page.getByRole("textbox", { name: "Type your e-mail address" }).fill(email)
  await page.getByRole("dialog").getByRole("button", { name: "Delete user" }).click()
  // The response clears what the browser stores, which takes a while on a loaded machine.
  await page.waitForURL(`${service.url}/sign-in?problem=deleted`, { timeout: 60_000 })
  await expect(page.getByText("Your user was deleted")).toBeVisible()
  expect(await page.context().cookies()).not.toContainEqual(expect.objectContaining({ name: "svcd-session" }))
  expect(await service.sql("SELECT FROM app_user WHERE email = $1", [email])).toEqual([])
})
