import { expectAccessible } from "./support/axe"
import { chooseInRow } from "./support/row-menu"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

test("a transfer of ownership changes nothing until the other member accepts it, in another browser", async ({
  service,
  page,
  browser,
}) => {
  const [owner, heir] = [newEmail("giving"), newEmail("taking")]
  await service.createSession(heir)
  await signIn(page, service, owner, "/members")
  await page.getByRole("button", { name: "Invite member" }).click()
  await page.getByRole("textbox", { name: "E-mail address" }).fill(heir)
  await page.getByRole("button", { name: "Send invitation" }).click()
  await expect(page.getByText("The invitation was sent.")).toBeVisible()

  const linkOf = async () =>
    new URL(/https?:\/\/\S+/.exec((await service.mailed(heir, "/join/")).text)?.[0] ?? "").pathname
  const other = await browser.newContext()
  const theirs = await other.newPage()
  await signIn(theirs, service, heir, await linkOf())
  await theirs.getByRole("button", { name: "Join account" }).click()
  await expect(theirs).toHaveURL(`${service.url}/playground`)

  await page.reload()
  await chooseInRow(page, heir, "Transfer ownership")
  const dialog = page.getByRole("dialog", { name: "Transfer ownership" })
  await dialog.getByRole("checkbox").check()
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Send offer" }).click()
  await expect(page.getByText(`The offer was sent to ${heir}.`)).toBeVisible()
  await expect(page.getByRole("table", { name: "Invitations" })).toContainText("Owner, as a transfer")
  const roleIn = (email: string) => page.getByRole("table", { name: "Members" }).getByRole("row", { name: email })
  await expect(roleIn(heir)).toContainText("Developer")

  await theirs.goto(service.url + (await linkOf()))
  await expect(theirs.getByRole("heading", { name: `Take over “${owner}”` })).toBeVisible()
  await expectAccessible(theirs)
  await theirs.getByRole("button", { name: "Accept ownership" }).click()
  await expect(theirs).toHaveURL(`${service.url}/playground`)

  await theirs.goto(`${service.url}/members`)
  const nowRole = (email: string) => theirs.getByRole("table", { name: "Members" }).getByRole("row", { name: email })
  await expect(nowRole(heir)).toContainText("Owner")
  await expect(nowRole(owner)).toContainText("Developer")
  await page.reload()
  await expect(page.getByRole("button", { name: "Invite member" })).toHaveCount(0)
  await other.close()
})
