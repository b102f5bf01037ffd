import { expect, type Page } from "@playwright/test"
import { waitUntilHydrated } from "./hydration"
import type { Service } from "./service"

let emails = 0

export const newEmail = (name: string): string => `${name}-${++emails}@example.com`

export async function signIn(page: Page, service: Service, email: string, path = "/playground"): Promise<void> {
  const token = await service.createSession(email)
  await page.context().addCookies([{ name: "svcd-session", value: token, url: service.url, httpOnly: true }])
  await page.goto(service.url + path)
  await expect(page).toHaveURL(service.url + path)
}

export async function signInByMail(page: Page, service: Service, email: string): Promise<void> {
  await page.getByLabel("E-mail address").fill(email)
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await page.goto(await service.mailedLink(email))
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(({ pathname }) => !pathname.startsWith("/sign-in"))
  await waitUntilHydrated(page)
}
