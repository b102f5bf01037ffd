import type { Locator, Page } from "@playwright/test"

const MOST = 120

/** Presses Tab until this has the focus: nobody needs a mouse to get there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let i = 0; i < MOST; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press("Tab")
  }
  throw new Error("the keyboard does not get there")
}
