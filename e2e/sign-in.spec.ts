import { request as httpRequest } from "node:http"
import { expect, test } from "@playwright/test"
import { Service } from "./support/service"

let service: Service
test.beforeAll(async () => {
  service = await Service.start()
})
test.afterAll(() => service.destroy())

async function askForLink(email: string): Promise<string> {
  await fetch(`${service.url}/api/auth/signin/email`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: service.url },
    body: new URLSearchParams({ email }),
  })
  return service.mailedLink(email)
}

/** The status of a GET with these headers, `Host` among them, which fetch would not send. */
const statusOf = (path: string, headers: Record<string, string>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    httpRequest(`${service.url}${path}`, { headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on("error", reject)
      .end()
  })

test("50 GETs and 50 HEADs of a link neither use it up nor get a session", async ({ page }) => {
  const link = await askForLink("scanned@example.com")
  const fields = new URLSearchParams(new URL(link).hash.slice(1))
  const door = new URLSearchParams({ token: fields.get("t") ?? "", email: fields.get("e") ?? "" })
  for (let i = 0; i < 50; i++)
    for (const method of ["GET", "HEAD"]) {
      const opened = await fetch(link, { method })
      const knocked = await fetch(`${service.url}/api/auth/callback/email?${door}`, { method, redirect: "manual" })
      expect([opened.status, knocked.status]).toEqual([200, 405])
      expect([...opened.headers.getSetCookie(), ...knocked.headers.getSetCookie()]).toEqual([])
    }
  await page.goto(link)
  await expect(page.getByText("scanned@example.com")).toBeVisible()
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page).toHaveURL(`${service.url}/playground`)
})

test("a used link names its address and offers a new one; signing in leads on to the page asked for", async ({
  page,
  browser,
}) => {
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
  await page.getByRole("link", { name: "Open link" }).first().click()
  const link = page.url()
  await page.getByRole("button", { name: "Sign in" }).click()
  await expect(page).toHaveURL(`${service.url}/usage`)

  const stranger = await browser.newPage()
  await stranger.goto(link)
  await stranger.getByRole("button", { name: "Sign in" }).click()
  await expect(stranger.getByText("That link does not work any more")).toBeVisible()
  await expect(stranger.getByLabel("E-mail address")).toHaveValue("ada@example.com")
  await stranger.getByRole("button", { name: "Send a new link" }).click()
  await expect(stranger.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await stranger.close()
})

test("asking for a link works without scripts", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel("E-mail address").fill("plain@example.com")
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  expect(await service.mailedLink("plain@example.com")).toContain("/sign-in/confirm#t=")
  await context.close()
})

test("a link that lost its end says so and leads to sign-in", async ({ page }) => {
  await page.goto(`${service.url}/sign-in/confirm`)
  await expect(page.getByRole("heading", { name: "This link is not complete" })).toBeVisible()
  await page.getByRole("link", { name: "Ask for a new link" }).click()
  await expect(page).toHaveURL(`${service.url}/sign-in`)
})

test("the outbox is for a browser at this machine alone", async () => {
  const host = new URL(service.url).host
  expect(await statusOf("/outbox", { host })).toBe(200)
  expect(await statusOf("/outbox", { host: "evil.example" })).toBe(404)
  expect(await statusOf("/outbox", { host: "evil.example", "x-svc-local": "1" })).toBe(404)
  expect(await statusOf("/outbox", { host, "x-forwarded-for": "127.0.0.1" })).toBe(404)
  expect(await statusOf("/outbox", { host, forwarded: "for=192.0.2.1" })).toBe(404)
})
