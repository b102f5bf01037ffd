import { gzipSync } from "node:zlib"
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test"
import { findBrowser } from "../../scripts/browser.mjs"

/** The factor by which the processor is slowed: Lighthouse's value for a mid-range phone. */
export const CPU_SLOWDOWN = 4

export function startBrowser(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : []
  return chromium.launch({ executablePath: findBrowser(), args })
}

/** Lets a page run functions of this process: tsx wraps their inner functions in a helper that only this process has. */
export const definePageHelper = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript({ content: "globalThis.__name = (wrapped) => wrapped" })

/** Returns the gzipped size in bytes of every script that a page loads, by URL. */
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
      // A script that arrives while the page closes is not counted.
      response.body().then(
        (body) => gzipSync(body, { level: 9 }).length,
        () => 0,
      ),
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

/** Slows this page's processor by a factor. 1 restores its speed. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send("Emulation.setCPUThrottlingRate", { rate })
}

/** Starts to record the longest event of each interaction, from the input to the next paint, as the browser reports it. */
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

/** Returns the durations of the interactions of at least 16 ms since the last call, in milliseconds, longest first. */
export async function takeInteractions(page: Page): Promise<number[]> {
  const taken = await page.evaluate(() => {
    const { interactions } = window as unknown as { interactions: Map<number, number> }
    const durations = [...interactions.values()]
    interactions.clear()
    return durations
  })
  return taken.toSorted((a, b) => b - a)
}
