import { gzipSync } from "node:zlib"
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test"
import { findBrowser } from "../../scripts/browser.mjs"

/** How many times slower the processor is made: Lighthouse's own factor for a phone of the middle class. */
export const SLOWED = 4

export function startBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []
  return chromium.launch({ executablePath: findBrowser(), args })
}

/** Bytes of every script that a page loads, each gzipped as a whole, by address. */
export async function scriptsOf(
  context: BrowserContext,
  url: string,
  ready: (page: Page) => Promise<void> = async () => {},
): Promise<Map<string, number>> {
  const page = await context.newPage()
  const sizes = new Map<string, Promise<number>>()
  page.on("response", (response) => {
    if (response.request().resourceType() !== "script") return
    sizes.set(
      response.url(),
      response.body().then((body) => gzipSync(body, { level: 9 }).length),
    )
  })
  await page.goto(url)
  await ready(page)
  await page.waitForLoadState("networkidle")
  const all = new Map<string, number>()
  for (const [address, size] of sizes) all.set(address, await size)
  await page.close()
  return all
}

export const total = (sizes: Iterable<number>): number => [...sizes].reduce((sum, size) => sum + size, 0)

/** Sets how many times slower this page's processor is. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate })
}

/** Each interaction from now on with the longest of its events, from the touch to the next paint, as the browser reports them. */
export async function watchInteractions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const window_ = window as unknown as { interactions: Map<number, number> }
    window_.interactions = new Map()
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
        if (interactionId)
          window_.interactions.set(interactionId, Math.max(duration, window_.interactions.get(interactionId) ?? 0))
    }).observe({ type: "event", durationThreshold: 16, buffered: false } as PerformanceObserverInit)
  })
}

/** The interactions that took 16 ms or more since the last call, in milliseconds, the longest first. */
export async function takeInteractions(page: Page): Promise<number[]> {
  const taken = await page.evaluate(() => {
    const { interactions } = window as unknown as { interactions: Map<number, number> }
    const durations = [...interactions.values()]
    interactions.clear()
    return durations
  })
  return taken.toSorted((a, b) => b - a)
}
