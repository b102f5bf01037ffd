import { expect, type Page } from "@playwright/test"

const scrollOf = (page: Page): Promise<number> => page.evaluate(() => window.scrollY)

/**
 * Chooses from the menu of a row, which opens a dialog. Opening the menu must not scroll the page. The row is scrolled to the
 * middle first: at the edge of a phone the menu changes sides whenever Playwright scrolls to an entry.
 */
export async function chooseInRow(page: Page, name: string, entry: string): Promise<void> {
  const dialog = page.getByRole("dialog")
  const opener = page.getByRole("button", { name: `Actions for ${name}`, exact: true })
  // A dialog of the step before may still be closing.
  await expect(dialog).toBeHidden()
  await opener.evaluate((button) => button.scrollIntoView({ block: "center" }))
  const before = await scrollOf(page)
  await opener.click()
  await expect(page.getByRole("menuitem").first()).toBeFocused()
  expect(await scrollOf(page)).toBe(before)
  await page.getByRole("menuitem", { name: entry }).click()
  await expect(dialog).toBeVisible()
}
