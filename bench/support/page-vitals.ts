import { type Browser, type BrowserContext, devices, type Page } from "@playwright/test"
import { CPU_SLOWDOWN, definePageHelper, slowDown } from "./browser"

export type SignedIn = Awaited<ReturnType<BrowserContext["storageState"]>>

export interface Vitals {
  /** The browser's last largest contentful paint before the page is scrolled. */
  lcpMs: number
  cls: number
  /** The classes of the elements that moved. */
  shifted: string[]
  /** From the request to the last byte of the page. */
  htmlMs: number
}

const SETTLE_MS = 300

/** Records the largest contentful paint and layout shifts of every page that this one opens. */
async function watchVitals(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { lcpMs: 0, cls: 0, shifted: [] as string[] }
    Object.assign(window, { vitals: seen })
    new PerformanceObserver((list) => {
      for (const { startTime } of list.getEntries()) seen.lcpMs = startTime
    }).observe({ type: "largest-contentful-paint", buffered: true })
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources?: { node?: Node }[] }
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue
        seen.cls += value
        seen.shifted.push(...(sources ?? []).map(({ node }) => (node as Element | null)?.className ?? "gone"))
      }
    }).observe({ type: "layout-shift", buffered: true })
  })
}

/** Opens an address in a new context of a phone with a slowed processor and an empty cache, and scrolls to its end. */
export async function visit(browser: Browser, state: SignedIn | undefined, url: string): Promise<Vitals> {
  const context = await browser.newContext({ ...devices["Pixel 7"], storageState: state })
  const page = await context.newPage()
  await slowDown(page, CPU_SLOWDOWN)
  await watchVitals(page)
  await page.goto(url, { waitUntil: "networkidle" })
  // A user's scroll ends the browser's search for the largest paint, and a script's does not. So it is read before.
  const lcpMs = await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals.lcpMs)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.waitForTimeout(SETTLE_MS)
  const vitals = await page.evaluate(() => {
    const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[]
    const htmlMs = (loaded?.responseEnd ?? 0) - (loaded?.requestStart ?? 0)
    return { ...(window as unknown as { vitals: Omit<Vitals, "htmlMs" | "lcpMs"> }).vitals, htmlMs }
  })
  await context.close()
  return { ...vitals, lcpMs }
}

/**
 * Moves the pointer to a link of the menu and clicks it a little later, as a hand does. Returns the milliseconds from the click
 * to the paint of the new page's heading.
 */
async function follow(page: Page, href: string): Promise<number> {
  const link = page.getByRole("navigation", { name: "Console" }).locator(`a[href="${href}"]`)
  await link.hover()
  await page.waitForTimeout(SETTLE_MS)
  await page.evaluate((path) => {
    const shared = window as unknown as { painted: Promise<number> }
    shared.painted = new Promise((resolve) => {
      let clickedAt = 0
      const isThere = () => location.pathname === path && document.querySelector("h1") !== null
      const look = new MutationObserver(() => {
        if (clickedAt === 0 || !isThere()) return
        look.disconnect()
        // The task after the frame's callbacks runs once the frame is painted.
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - clickedAt)))
      })
      look.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
      document.addEventListener("click", (event) => (clickedAt = event.timeStamp), { capture: true, once: true })
    })
  }, href)
  await link.click()
  const ms = await page.evaluate(() => (window as unknown as { painted: Promise<number> }).painted)
  await page.waitForLoadState("networkidle")
  return ms
}

/** Goes through these pages by the menu, on a desktop with a slowed processor. Returns the milliseconds to each of them. */
export async function navigate(
  browser: Browser,
  state: SignedIn,
  origin: string,
  paths: readonly string[],
  rounds: number,
): Promise<Map<string, number[]>> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: state })
  await definePageHelper(context)
  const page = await context.newPage()
  await page.goto(`${origin}${paths.at(-1)}`, { waitUntil: "networkidle" })
  await slowDown(page, CPU_SLOWDOWN)
  const found = new Map<string, number[]>(paths.map((path) => [path, []]))
  for (let round = 0; round < rounds; round++) for (const path of paths) found.get(path)?.push(await follow(page, path))
  await context.close()
  return found
}
