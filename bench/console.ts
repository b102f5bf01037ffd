/**
 * Measures the built console in Chromium as a mid-range phone: LCP and CLS of a first visit, and INP of typical interactions on
 * each page. Measures each route's gzipped JavaScript above an empty page of the same Next version. Then measures the time from
 * one page to the next by the menu, and until all of `/keys` is there. The processor is slowed four times; the network is not.
 *
 * `ROUNDS=2 PAGES=/keys,/usage npm run bench console` measures less.
 */
import { loadavg } from "node:os"
import { type Browser, devices, type Page } from "@playwright/test"
import { startStripe } from "@/test/doubles/stripe/start-stripe"
import { PRETEND_TEST_KEY } from "@/test/doubles/stripe/stripe-double"
import { MODEL, ONE_QUESTION, THREE_QUESTIONS } from "../e2e/support/requests"
import { Service } from "../e2e/support/service"
import {
  CPU_SLOWDOWN,
  scriptsOf,
  slowDown,
  startBrowser,
  takeInteractions,
  total,
  watchInteractions,
} from "./support/browser"
import { type ConsolePage, PAGES } from "./support/console-interactions"
import { startEmptyApp } from "./support/empty-page"
import { median } from "./support/load"
import { navigate, type SignedIn, type Vitals, visit } from "./support/page-vitals"

const EMAIL = "bench@example.com"
const KEYS = 12
const ROUNDS = Number(process.env.ROUNDS || 5)
const ONLY = process.env.PAGES?.split(",")
const SETTLE_MS = 300
const ACT_WITHIN_MS = 10_000
const MAX = { lcpMs: 500, cls: 0, inpMs: 60, navigationMs: 100, keysMs: 150, commandMenuKb: 15 }
/** The limits in kB of single pages. The playground's includes its editor. */
const MAX_KB: Record<string, number> = { "/usage": 140, "/playground": 200, "/evaluate": 80 }
const DEFAULT_MAX_KB = 60
/** The pages of the menu, in an order that opens each from another one. */
const MENU = [
  "/keys",
  "/usage",
  "/requests",
  "/billing",
  "/models",
  "/playground",
  "/docs",
  "/evaluate",
  "/members",
  "/settings",
]

interface Bench {
  browser: Browser
  state: SignedIn
  service: Service
  /** The id of a key with usage. */
  keyId: string
}

let met = true
function report(isMet: boolean, text: string): void {
  met &&= isMet
  console.log(`${isMet ? "met   " : "MISSED"} ${text}   load ${(loadavg()[0] ?? 0).toFixed(1)}`)
}

async function prepare(browser: Browser, service: Service): Promise<Bench> {
  await service.operator("model", "price", MODEL, "0.731")
  const { key, keyId } = await service.createAccountWithKey(EMAIL)
  for (let i = 1; i < KEYS; i++) await service.operator("key", "create", EMAIL, "--name", `Key ${i}`)
  for (let i = 0; i < 30; i++) await service.decide(key, i % 2 ? ONE_QUESTION : THREE_QUESTIONS)
  await service.decide(key, { ...ONE_QUESTION, model: "none" })
  const context = await browser.newContext()
  const value = await service.createSession(EMAIL)
  await context.addCookies([{ name: "svcd-session", value, url: service.url, httpOnly: true }])
  const state = await context.storageState()
  await context.close()
  return { browser, state, service, keyId }
}

/** Performs a page's interactions and returns each one's name with its longest duration in milliseconds. */
async function interact({ browser, service }: Bench, url: string, { acts }: ConsolePage, state?: SignedIn) {
  const context = await browser.newContext({ ...devices["Pixel 7"], storageState: state })
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const page: Page = await context.newPage()
  page.setDefaultTimeout(ACT_WITHIN_MS)
  await page.goto(service.url + url, { waitUntil: "networkidle" })
  await watchInteractions(page)
  await slowDown(page, CPU_SLOWDOWN)
  const found: [string, number][] = []
  for (const [name, act] of Object.entries(acts)) {
    try {
      await act(page)
    } catch (error) {
      report(
        false,
        `${url}: "${name}" could not be done: ${error instanceof Error ? error.message.split("\n")[0] : error}`,
      )
    }
    await page.waitForTimeout(SETTLE_MS)
    found.push([name, (await takeInteractions(page))[0] ?? 0])
  }
  await context.close()
  return found
}

async function measurePage(bench: Bench, path: string, at: ConsolePage): Promise<void> {
  const { browser, service, keyId } = bench
  const state = at.isPublic ? undefined : bench.state
  const url = path.replace("[id]", keyId)
  // The first request of a route loads its code on the server.
  await visit(browser, state, service.url + url)
  const visits: Vitals[] = []
  const longest = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round++) {
    visits.push(await visit(browser, state, service.url + url))
    for (const [name, ms] of await interact(bench, url, at, state))
      longest.set(name, [...(longest.get(name) ?? []), ms])
  }
  const lcpMs = median(visits.map((seen) => seen.lcpMs))
  const cls = Math.max(...visits.map((seen) => seen.cls))
  const inpMs = Math.max(0, ...[...longest.values()].map(median))
  report(
    lcpMs <= MAX.lcpMs && cls <= MAX.cls && inpMs <= MAX.inpMs,
    `${path.padEnd(18)} LCP ${lcpMs.toFixed(0).padStart(4)} ms   CLS ${cls.toFixed(4)}   INP ${inpMs.toFixed(0).padStart(4)} ms   whole page in ${median(visits.map((seen) => seen.htmlMs)).toFixed(0)} ms`,
  )
  for (const [name, all] of longest)
    if (median(all) > MAX.inpMs - 20) console.log(`         ${name}: ${all.join(", ")} ms`)
  for (const name of new Set(visits.flatMap((seen) => seen.shifted))) console.log(`         moved: ${name}`)
  if (path === "/keys") reportWhole(visits)
}

function reportWhole(visits: readonly Vitals[]): void {
  const all = visits.map(({ htmlMs }) => htmlMs)
  report(median(all) <= MAX.keysMs, `/keys is whole in ${median(all).toFixed(0)} ms (at most ${MAX.keysMs} ms)`)
}

async function measureNavigation({ browser, state, service }: Bench): Promise<void> {
  const paths = MENU.filter((path) => !ONLY || ONLY.includes(path))
  if (paths.length < 2) return
  console.log(`\nFrom a click on the menu to the painted page, at most ${MAX.navigationMs} ms`)
  for (const [path, all] of await navigate(browser, state, service.url, paths, ROUNDS)) {
    const rounds = all.map((ms) => ms.toFixed(0)).join(", ")
    report(
      median(all) <= MAX.navigationMs,
      `${path.padEnd(18)} ${median(all).toFixed(0).padStart(4)} ms (rounds ${rounds})`,
    )
  }
}

async function measureScripts({ browser, state, service, keyId }: Bench): Promise<void> {
  const empty = await startEmptyApp()
  const signedIn = await browser.newContext({ ...devices["Pixel 7"], storageState: state })
  const signedOut = await browser.newContext(devices["Pixel 7"])
  const nothing = total((await scriptsOf(signedIn, empty.url)).values())
  await empty.stop()
  console.log(`\nGzipped JavaScript: an empty page of the same Next version ${(nothing / 1000).toFixed(1)} kB`)
  for (const [path, { isPublic }] of Object.entries(PAGES)) {
    const url = service.url + path.replace("[id]", keyId)
    const all = total((await scriptsOf(isPublic ? signedOut : signedIn, url)).values())
    const above = (all - nothing) / 1000
    const maxKb = MAX_KB[path] ?? DEFAULT_MAX_KB
    const sizes = `${(all / 1000).toFixed(1)} kB, ${above.toFixed(1)} kB above the empty page`
    report(above <= maxKb, `${path.padEnd(18)} ${sizes} (at most ${maxKb} kB)`)
  }
  const bare = total((await scriptsOf(signedIn, `${service.url}/keys`)).values())
  const opened = await scriptsOf(signedIn, `${service.url}/keys`, async (page) => {
    await page.keyboard.press("Control+k")
    await page.getByRole("dialog").getByRole("option").first().waitFor()
  })
  const menuKb = (total(opened.values()) - bare) / 1000
  report(
    menuKb <= MAX.commandMenuKb,
    `the command menu, on first use: ${menuKb.toFixed(1)} kB (at most ${MAX.commandMenuKb} kB)`,
  )
  await signedIn.close()
  await signedOut.close()
}

const double = await startStripe({ taxPercent: 19 })
const service = await Service.startEmbedded({
  LOG_LEVEL: "silent",
  WELCOME_CREDIT_USD: "1",
  STRIPE_SECRET_KEY: PRETEND_TEST_KEY,
  STRIPE_WEBHOOK_SECRET: "whsec_bench",
  STRIPE_API_BASE: double.url,
})
const browser = await startBrowser()
try {
  const bench = await prepare(browser, service)
  console.log(
    `Pixel 7, processor slowed ${CPU_SLOWDOWN} times, ${ROUNDS} rounds: medians of LCP and INP, the worst CLS`,
  )
  for (const [path, at] of Object.entries(PAGES)) if (!ONLY || ONLY.includes(path)) await measurePage(bench, path, at)
  await measureNavigation(bench)
  if (!ONLY) await measureScripts(bench)
  if (!met) process.exitCode = 1
} finally {
  await browser.close()
  await service.destroy()
  await double.stop()
}
