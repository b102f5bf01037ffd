import { expectAccessible } from "./support/axe"
import { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

test("an owner invites a developer, who joins, creates a key and is removed: only that session ends, on every process", async ({
  service,
  page,
  browser,
}) => {
  // It starts a second server.
  const [owner, developer] = [newEmail("owner"), newEmail("developer")]
  await service.createSession(developer)
  await signIn(page, service, owner, "/members")
  await page.getByRole("button", { name: "Invite member" }).click()
  await page.getByRole("textbox", { name: "E-mail address" }).fill(developer)
  await page.getByRole("button", { name: "Send invitation" }).click()
  await expect(page.getByText("The invitation was sent.")).toBeVisible()
  await expect(page.getByRole("table", { name: "Invitations" })).toContainText(developer)

  const other = await browser.newContext()
  const theirs = await other.newPage()
  const link = /https?:\/\/\S+/.exec((await service.mailed(developer, "/join/")).text)?.[0] ?? ""
  await signIn(theirs, service, developer, new URL(link).pathname)
  await expect(theirs.getByRole("heading", { name: `Join “${owner}”` })).toBeVisible()
  await theirs.getByRole("button", { name: "Join account" }).click()
  await expect(theirs).toHaveURL(`${service.url}/playground`)

  await theirs.goto(`${service.url}/keys`)
  await theirs.getByRole("button", { name: "Create key" }).first().click()
  await theirs.getByRole("textbox", { name: "Name" }).fill("Nightly")
  await theirs.getByRole("radio", { name: "Lifetime" }).check()
  await theirs.getByRole("textbox", { name: /Amount/ }).fill("1")
  await theirs.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
  const token = (await theirs.getByText(/^svcd_[0-9A-Za-z]{20,}$/).textContent()) ?? ""
  await theirs.goto(`${service.url}/webhooks`)
  await theirs.getByRole("button", { name: "Add webhook" }).click()
  await theirs.getByRole("textbox", { name: "Address" }).fill("https://hooks.example.com/")
  await theirs.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click()
  await expect(theirs.getByRole("table", { name: "Webhooks and Slack" })).toContainText(developer)
  expect((await theirs.goto(`${service.url}/settings/audit`))?.status()).toBe(200)
  expect((await theirs.goto(`${service.url}/billing/statement`))?.status()).toBe(403)
  await expect(theirs.getByRole("heading", { name: "Your role does not include this page" })).toBeVisible()

  // Another process on the same database. Cookies do not depend on the port.
  const twin = await Service.start({ DATABASE_URL: service.settings.DATABASE_URL ?? "", LOG_LEVEL: "silent" })
  await theirs.goto(`${twin.url}/keys`)
  await expect(theirs.getByRole("table", { name: "API keys" })).toContainText("Nightly")

  await page.reload()
  await page.getByRole("button", { name: `Actions for ${developer}` }).click()
  await page.getByRole("menuitem", { name: "Remove" }).click()
  await expect(page.getByRole("dialog").getByRole("listitem")).toHaveText([/Nightly/, /hooks\.example\.com/])
  await expectAccessible(page)
  await page.getByRole("dialog").getByRole("button", { name: "Remove member" }).click()
  await expect(page.getByText(`${developer} was removed.`)).toBeVisible()
  const left = page.getByRole("region", { name: "Keys, tokens and webhooks of former members" })
  await expect(left.getByRole("listitem")).toHaveText([/^Key\s*Nightly/, /^Webhook\s*https:\/\/hooks\.example\.com\//])
  await expectAccessible(page)
  await theirs.getByRole("button", { name: "Create key" }).first().click()
  await theirs.getByRole("textbox", { name: "Name" }).fill("Too late")
  await theirs.getByRole("radio", { name: "Lifetime" }).check()
  await theirs.getByRole("textbox", { name: /Amount/ }).fill("1")
  await theirs.getByRole("dialog").getByRole("button", { name: "Create key" }).click()
  await expect(theirs.getByText("Sign in again to continue.")).toBeVisible()
  for (const { url } of [service, twin]) {
    await theirs.goto(`${url}/keys`)
    await expect(theirs).toHaveURL(`${url}/sign-in?next=%2Fkeys`)
  }
  expect(await service.sql("SELECT FROM api_key WHERE name = 'Too late'")).toEqual([])
  const answer = await twin.decide(token, {
    model: "svc-decider-latest",
    state: "The parcel is late.",
    questions: { late: { type: "noul", instructions: "Is it late?" } },
  })
  expect(answer.status).toBe(200)
  await left.getByRole("button", { name: `End all of ${developer}` }).click()
  await page.getByRole("checkbox", { name: "I understand this can't be undone." }).check()
  await page.getByRole("dialog").getByRole("button", { name: "End all" }).click()
  await expect(page.getByText(`What ${developer} created has ended.`)).toBeVisible()
  await expect(left).toHaveCount(0)
  await expect
    .poll(async () => (await twin.decide(token, { model: "svc-decider-latest", state: "Late.", questions: {} })).status)
    .toBe(401)
  await page.goto(`${service.url}/settings/audit?topic=members`)
  await expect(page.getByRole("table", { name: "Audit log" })).toContainText(`Removed ${developer}`)
  await other.close()
  await twin.destroy()
})
