import type { Locator, Page } from "@playwright/test"

const MAX_PRESSES = 120

/** Presses Tab until the target has the focus, so that it is reachable without a mouse. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // The search by role costs more than the key press, so it is repeated only if React replaced the element.
  let element = await target.elementHandle()
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    const found = await element?.evaluate((it) => (it.isConnected ? it === document.activeElement : "replaced"))
    if (found === true) return
    if (found === "replaced") element = await target.elementHandle()
    await page.keyboard.press("Tab")
  }
  throw new Error("the Tab key does not reach the target")
}
