import { test as base, devices } from "@playwright/test"
import { waitForHydration } from "./hydration"
import { setPrice } from "./price"
import { Service } from "./service"
import { Topups } from "./topups"

interface WorkerFixtures {
  /** A service with a welcome credit of $1, a price of $0.731 per million tokens and top-ups off. */
  service: Service
  topups: Topups
}

/**
 * Playwright's `test` with services that all specs of a worker share. A spec that needs other settings or prices, or kills processes,
 * starts a service of its own.
 */
export const test = base.extend<object, WorkerFixtures>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
    async ({}, use) => {
      const service = await Service.start({ LOG_LEVEL: "silent", WELCOME_CREDIT_USD: "1" })
      await setPrice(service, "0.731")
      await use(service)
      await service.destroy()
    },
    { scope: "worker", timeout: 300_000 },
  ],
  topups: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
    async ({}, use) => {
      const topups = await Topups.start()
      await use(topups)
      await topups.destroy()
    },
    { scope: "worker", timeout: 300_000 },
  ],
  browser: [
    async ({ browser }, use) => {
      const newContext = browser.newContext.bind(browser)
      browser.newContext = async (options) => {
        const context = await newContext(options)
        if (options?.javaScriptEnabled !== false) waitForHydration(context)
        return context
      }
      await use(browser)
    },
    { scope: "worker" },
  ],
})

const { defaultBrowserType: _chromium, ...pixel } = devices["Pixel 7"]

export const PHONE = { ...pixel, viewport: { width: 360, height: 740 } }

export { expect } from "@playwright/test"
