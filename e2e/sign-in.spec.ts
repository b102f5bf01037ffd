import { request as httpRequest } from "node:http"
import { expectAccessible, NARROW } from "./support/axe"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

/** Returns the status of a GET with these headers. `fetch` does not send `Host`. */
const statusOf = (path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(`${service.url}${path}`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on("error", reject)
      .end()
  })

test("a link requested on a desktop signs in on a phone, and its mail has the same link as text and as HTML", async ({
  page,
  browser,
}) => {
  const email = "two-devices@example.com"
  await page.goto(`${service.url}/sign-in?next=${encodeURIComponent("https://evil.example/")}`)
  await expectAccessible(page)
  await page.getByLabel("E-mail address").fill(email)
  await page.getByLabel("E-mail address").press("Enter")
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  const { subject, text, html } = await service.mailed(email)
  expect(subject).toBe(`Sign in to ${new URL(service.url).host}`)
  const phone = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await phone.setContent(html)
  expect(text).toContain(await phone.getByRole("link", { name: "Sign in" }).getAttribute("href"))
  for (const paragraph of [/^If you did not request this/, /^The link works once, until \d\d:\d\d UTC/])
    expect(text.split("\n").some((line) => paragraph.test(line))).toBe(true)
  await expect(phone.getByText("If you did not request this")).toBeVisible()
  await expectAccessible(phone, NARROW)
  await phone.getByRole("link", { name: "Sign in" }).click()
  await expect(phone.getByRole("heading", { name: "Sign in" })).toBeVisible()
  await phone.getByRole("button", { name: "Sign in" }).press("Enter")
  await expect(phone).toHaveURL(`${service.url}/playground`)
  // The desktop is not signed in: only the link counts.
  await page.goto(`${service.url}/settings`)
  await expect(page).toHaveURL(`${service.url}/sign-in?next=%2Fsettings`)
  await phone.close()
})

test("a malformed percent encoding in a path returns 404, or 405 below /api/auth", async () => {
  const status = async (path: string) => (await fetch(`${service.url}${path}`, { redirect: "manual" })).status
  expect(await status("/api/auth/%zz")).toBe(405)
  for (const path of ["/%zz", "/docs/%ff", "/docs/%c0%80"]) expect([path, await status(path)]).toEqual([path, 404])
})

test("a used link shows its address and offers a new link, and signing in leads to the requested page", async ({
  page,
  browser,
}) => {
  await page.goto(await service.outboxUrl())
  await expect(page).toHaveURL(`${service.url}/outbox`)
  await page.goto(`${service.url}/usage`)
  await page.getByLabel("E-mail address").fill("ada@localhost")
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByText("Enter an e-mail address such as ada@example.com.")).toBeVisible()
  await expect(page.getByLabel("E-mail address")).toHaveValue("ada@localhost")
  await page.getByLabel("E-mail address").fill("Ada@Example.com")
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await expect(page.getByRole("button", { name: /^Send again in \d+ s$/ })).toBeDisabled()
  await page.getByRole("link", { name: "Open the outbox" }).click()
  const mails = page.getByRole("listitem").filter({ hasText: "ada@example.com" })
  await mails.first().getByRole("link", { name: "Open link" }).click()
  const link = await service.mailedLink("ada@example.com")
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible()
  await expect(page, "the secret leaves the address bar").toHaveURL(`${service.url}/sign-in/confirm`)
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page).toHaveURL(`${service.url}/usage`)

  const otherBrowser = await browser.newPage()
  await otherBrowser.goto(link)
  await otherBrowser.getByRole("button", { name: "Sign in" }).click()
  await expect(otherBrowser.getByText("This link no longer works")).toBeVisible()
  await expectAccessible(otherBrowser)
  await expect(otherBrowser.getByLabel("E-mail address")).toHaveValue("ada@example.com")
  await otherBrowser.getByRole("button", { name: "Send a new link" }).click()
  await expect(otherBrowser.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await otherBrowser.close()
})

test("requesting a link works without JavaScript", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel("E-mail address").fill("plain@example.com")
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  expect(await service.mailedLink("plain@example.com")).toContain("/sign-in/confirm#t=")
  await context.close()
})

test("a truncated link is reported and leads to sign-in", async ({ page }) => {
  await page.goto(`${service.url}/sign-in/confirm`)
  await expect(page.getByRole("heading", { name: "This link is incomplete" })).toBeVisible()
  await page.getByRole("link", { name: "Request a new link" }).click()
  await expect(page).toHaveURL(`${service.url}/sign-in`)
})

test("the outbox is visible only to a browser on this machine that opened its secret address", async () => {
  const host = new URL(service.url).host
  const opened = await fetch(await service.outboxUrl(), { redirect: "manual" })
  const cookie = opened.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  expect(await statusOf("/outbox", { host, cookie })).toBe(200)
  expect(await statusOf("/outbox", { host })).toBe(404)
  expect(await statusOf("/outbox", { host, "x-svc-outbox": "1" })).toBe(404)
  expect(await statusOf("/outbox", { host, cookie: "svcd-outbox=x" })).toBe(404)
  expect(await statusOf("/outbox?key=x", { host })).toBe(404)
  expect(await statusOf("/outbox", { host: "evil.example", cookie })).toBe(404)
  expect(await statusOf("/outbox", { host, cookie, "x-forwarded-for": "127.0.0.1" })).toBe(404)
  expect(await statusOf("/outbox", { host, cookie, forwarded: "for=192.0.2.1" })).toBe(404)
})
