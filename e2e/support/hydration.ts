import type { BrowserContext, Page } from "@playwright/test"

/** A click on a control that React has not hydrated yet is lost, so `goto` and `reload` wait until every control is. */
export function waitForHydration(context: BrowserContext): void {
  context.on("page", (page) => {
    for (const name of ["goto", "reload"] as const) {
      const navigate = page[name].bind(page) as (...args: unknown[]) => ReturnType<Page["goto"]>
      page[name] = async (...args: unknown[]) => {
        const response = await navigate(...args)
        await page.waitForFunction(isHydrated)
        return response
      }
    }
  })
}

/** Waits until React handles every control of a page that was not opened by `goto`, such as after a form. */
export const waitUntilHydrated = async (page: Page): Promise<void> => void (await page.waitForFunction(isHydrated))

/** Also true of a page without React. React keeps the properties of each element that it hydrated on the element itself. */
function isHydrated(): boolean | Promise<boolean> {
  if (!document.querySelector('script[src*="/_next/"]')) return true
  const controls = [...document.querySelectorAll("button, select, input:not([type=hidden]), textarea")]
  const isReact = (name: string) => name.startsWith("__reactProps$")
  if (!controls.every((control) => Object.keys(control).some(isReact))) return false
  // Shortcuts are registered after the controls, in effects, which have run once the page is idle.
  return new Promise((resolve) => requestIdleCallback(() => resolve(true), { timeout: 2_000 }))
}
