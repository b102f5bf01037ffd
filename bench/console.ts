/**
 * Measures the built console in Chromium as a mid-range phone: LCP and CLS of a first visit, INP of typical interactions on
 * each page, and each route's gzipped JavaScript above an empty page of the same Next version. The processor is slowed four
 * times; the network is not.
 */
import { loadavg } from "node:os"
import { type Browser, type BrowserContext, devices, type Page } from "@playwright/test"
import { MODEL, ONE_QUESTION, THREE_QUESTIONS } from "../e2e/support/requests"
import { Service } from "../e2e/support/service"
import { signInByMail } from "../e2e/support/sign-in"
import {
  CPU_SLOWDOWN,
  scriptsOf,
  slowDown,
  startBrowser,
  takeInteractions,
  total,
  watchInteractions,
} from "./support/browser"
import { INTERACTIONS } from "./support/console-interactions"
import { startEmptyApp } from "./support/empty-page"

const EMAIL = "bench@example.com"
const ROUNDS = Number(process.env.ROUNDS || 5)
const SETTLE_MS = 300
const MAX = { lcpMs: 1_500, cls: 0, inpMs: 100 }
/** The limits in kB of single pages. The playground's includes its editor, as in `npm run bench playground`. */
const MAX_KB: Record<string, number> = { "/usage": 140, "/playground": 200, "/evaluate": 80 }
const DEFAULT_MAX_KB = 60
/** The pages that must meet the INP limit. */
const INP_PAGES = ["/keys", "/usage", "/models"]

type Vitals = { lcpMs: number; cls: number; shifted: string[] }
type State = Awaited<ReturnType<BrowserContext["storageState"]>>

const median = (list: number[]): number => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0

async function prepare(browser: Browser, service: Service): Promise<State> {
  await service.operator("model", "price", MODEL, "0.731")
  const { key } = await service.createAccountWithKey(EMAIL)
  for (let i = 0; i < 30; i++) await service.decide(key, i % 2 ? ONE_QUESTION : THREE_QUESTIONS)
  await service.decide(key, { ...ONE_QUESTION, model: "none" })
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${service.url}/sign-in`)
  await signInByMail(page, service, EMAIL)
  await page.getByRole("heading", { level: 1 }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

async function visit(browser: Browser, state: State, url: string): Promise<Vitals> {
  const context = await browser.newContext({ ...devices["Pixel 7"], storageState: state })
  const page = await context.newPage()
  await slowDown(page, CPU_SLOWDOWN)
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
  await page.goto(url, { waitUntil: "networkidle" })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.waitForTimeout(SETTLE_MS)
  const vitals = await page.evaluate(() => (window as unknown as { vitals: Vitals }).vitals)
  await context.close()
  return vitals
}

/** Performs a page's interactions and returns each one's name with its longest duration in milliseconds. */
async function interact(browser: Browser, state: State, service: Service, path: string): Promise<[string, number][]> {
  const context = await browser.newContext({ ...devices["Pixel 7"], storageState: state })
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const page: Page = await context.newPage()
  await page.goto(service.url + path, { waitUntil: "networkidle" })
  await watchInteractions(page)
  await slowDown(page, CPU_SLOWDOWN)
  const found: [string, number][] = []
  for (const [name, act] of Object.entries(INTERACTIONS[path] ?? {})) {
    await act(page)
    await page.waitForTimeout(SETTLE_MS)
    found.push([name, (await takeInteractions(page))[0] ?? 0])
  }
  await context.close()
  return found
}

async function measurePage(browser: Browser, state: State, service: Service, path: string): Promise<boolean> {
  const visits: Vitals[] = []
  const inps: number[] = []
  const longest = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round++) {
    visits.push(await visit(browser, state, service.url + path))
    const found = await interact(browser, state, service, path)
    inps.push(Math.max(...found.map(([, ms]) => ms)))
    for (const [name, ms] of found) longest.set(name, [...(longest.get(name) ?? []), ms])
  }
  const lcpMs = median(visits.map((seen) => seen.lcpMs))
  const cls = Math.max(...visits.map((seen) => seen.cls))
  const inpMs = median(inps)
  const load = (loadavg()[0] ?? 0).toFixed(1)
  console.log(
    `${path.padEnd(18)} LCP ${lcpMs.toFixed(0).padStart(5)} ms   CLS ${cls.toFixed(4)}   INP ${inpMs.toFixed(0).padStart(4)} ms (rounds ${inps.join(", ")})   load ${load}`,
  )
  for (const [name, all] of longest) if (median(all) > 48) console.log(`  ${name}: ${all.join(", ")} ms`)
  const shifted = new Set(visits.flatMap((seen) => seen.shifted))
  for (const name of shifted) console.log(`  moved: ${name}`)
  return lcpMs <= MAX.lcpMs && cls <= MAX.cls && (!INP_PAGES.includes(path) || inpMs <= MAX.inpMs)
}

async function measureScripts(browser: Browser, state: State, service: Service): Promise<boolean> {
  const empty = await startEmptyApp()
  const context = await browser.newContext({ ...devices["Pixel 7"], storageState: state })
  const nothing = total((await scriptsOf(context, empty.url)).values())
  await empty.stop()
  console.log(`\nGzipped JavaScript: an empty page of the same Next version ${(nothing / 1000).toFixed(1)} kB`)
  let met = true
  for (const path of Object.keys(INTERACTIONS)) {
    const all = total((await scriptsOf(context, service.url + path)).values())
    const above = (all - nothing) / 1000
    const maxKb = MAX_KB[path] ?? DEFAULT_MAX_KB
    if (above > maxKb) met = false
    console.log(
      `${path.padEnd(18)} ${(all / 1000).toFixed(1)} kB, ${above.toFixed(1)} kB above the empty page (at most ${maxKb} kB)`,
    )
  }
  await context.close()
  return met
}

const service = await Service.startEmbedded({ LOG_LEVEL: "silent", WELCOME_CREDIT_USD: "1" })
const browser = await startBrowser()
try {
  const state = await prepare(browser, service)
  console.log(
    `Pixel 7, processor slowed ${CPU_SLOWDOWN} times, ${ROUNDS} rounds: medians of LCP and INP, the worst CLS`,
  )
  for (const path of Object.keys(INTERACTIONS))
    if (!(await measurePage(browser, state, service, path))) process.exitCode = 1
  if (!(await measureScripts(browser, state, service))) process.exitCode = 1
} finally {
  await browser.close()
  await service.destroy()
}
