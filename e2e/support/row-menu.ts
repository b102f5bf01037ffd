import { expect, type Page } from "@playwright/test"

/**
 * Chooses from the menu of a row until the dialog opens. The row is scrolled to the middle first: at the edge of a phone's screen
 * the menu changes sides whenever Playwright scrolls to an entry. On a busy machine a click sometimes has no effect; the reason is
 * not known.
 */
export async function chooseInRow(page: Page, name: string, entry: string): Promise<void> {
  const dialog = page.getByRole("dialog")
  const opener = page.getByRole("button", { name: `Actions for ${name}`, exact: true })
  // A dialog of the step before may still be closing.
  await expect(dialog).toBeHidden()
  await expect(async () => {
    if (await dialog.isVisible()) return
    await opener.evaluate((button) => button.scrollIntoView({ block: "center" }))
    if ((await opener.getAttribute("aria-expanded")) !== "true") await opener.click()
    await page.getByRole("menuitem", { name: entry }).click({ timeout: 10_000 })
    await expect(dialog).toBeVisible({ timeout: 10_000 })
  }).toPass()
}
