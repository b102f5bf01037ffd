import { expect, type Page } from "@playwright/test"
import type { Service } from "./service"

/** From the sign-in page by the mailed link to wherever it leads on. */
export async function signInHere(page: Page, service: Service, email: string): Promise<void> {
  await page.getByLabel("E-mail address").fill(email)
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  await page.goto(await service.mailedLink(email))
  await page.getByRole("button", { name: "Sign in" }).click()
}
