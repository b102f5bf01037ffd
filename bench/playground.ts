/**
 * Measures the playground's JavaScript: gzip, editor included, above an empty Next page. Then measures its response to keys (INP,
 * Event Timing API) while typing into a 50 kB state, with the processor slowed four times.
 */
import type { Browser, BrowserContext, Page } from "@playwright/test"
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
import { startEmptyApp } from "./support/empty-page"

const MAX_KB = 200
const MAX_INP_MS = 100
const KEYS = 120
const STATE_BYTES = 50_000

const SENTENCE = "The customer writes that the parcel came late and asks what happens next. "
const cut = (text: string, length: number) => text.match(new RegExp(`.{1,${length}}`, "g")) ?? []
const LONG = SENTENCE.repeat(Math.ceil(STATE_BYTES / SENTENCE.length)).slice(0, STATE_BYTES)

/** Typical states, and the worst case: all in one line. */
const STATES = [
  { what: "paragraphs", isJson: false, text: cut(LONG, 500).join("\n") },
  { what: "one line", isJson: false, text: LONG },
  { what: "JSON", isJson: true, text: JSON.stringify({ lines: cut(LONG, 90) }, null, 2) },
]

async function signIn(page: Page, service: Service): Promise<void> {
  await page.goto(`${service.url}/sign-in`)
  await signInByMail(page, service, "bench@example.com")
  await page.getByRole("heading", { level: 1 }).waitFor()
}

const editorIsOpen = (page: Page): Promise<void> => page.locator(".cm-content").first().waitFor()

/**
 * Subtracts an empty app of the same Next version: a page of this build would count the console's frame as Next's. Current
 * browsers do not load the polyfills, so they do not count.
 */
async function measureScripts(context: BrowserContext, service: Service): Promise<number> {
  const app = await startEmptyApp()
  const empty = total((await scriptsOf(context, app.url)).values())
  await app.stop()
  const address = `${service.url}/playground`
  const text = total((await scriptsOf(context, address, editorIsOpen)).values())
  const json = await scriptsOf(context, address, async (page) => {
    await editorIsOpen(page)
    // The code for JSON loads with the first JSON.
    await page.getByRole("group", { name: "State format" }).getByText("JSON").click()
    await page.locator(".cm-lineNumbers").waitFor()
  })
  const own = total(json.values()) - empty
  const kB = (bytes: number) => (bytes / 1000).toFixed(1)
  console.log(`empty app    ${kB(empty)} kB of JavaScript in gzip`)
  console.log(`playground   ${kB(text - empty)} kB above it, an editor of text included`)
  console.log(`with JSON    ${kB(own)} kB above it, ${json.size} files (at most ${MAX_KB} kB)`)
  return own / 1000
}

/** Returns the times from a key to the next paint in ms, as the browser reports them, longest first. */
async function typeInto(page: Page, service: Service, { isJson, text }: (typeof STATES)[number]): Promise<number[]> {
  await page.goto(`${service.url}/playground`)
  await editorIsOpen(page)
  if (isJson) await page.getByRole("group", { name: "State format" }).getByText("JSON").click()
  await page.getByRole("textbox", { name: "State", exact: true }).click()
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.insertText(text)
  await page.waitForTimeout(2_000)
  await watchInteractions(page)
  await slowDown(page, CPU_SLOWDOWN)
  await page.keyboard.press("ArrowLeft")
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(key % 6 === 5 ? "Space" : "KeyE")
    // Pauses now and then, as people do: errors, token counts and the draft are updated then.
    await page.waitForTimeout(key % 30 === 29 ? 900 : 90)
  }
  await page.waitForTimeout(1_000)
  await slowDown(page, 1)
  return takeInteractions(page)
}

async function measureTyping(context: BrowserContext, service: Service): Promise<number> {
  let worst = 0
  for (const state of STATES) {
    const page = await context.newPage()
    const durations = await typeInto(page, service, state)
    await page.close()
    // The metric's definition drops one of every 50 interactions.
    const inp = durations[Math.floor((KEYS + 1) / 50)] ?? 0
    worst = Math.max(worst, inp)
    console.log(
      `typing into ${state.what}   INP ${inp} ms, longest ${durations[0] ?? 0} ms, ${durations.length} of ${KEYS} keys over 16 ms (at most ${MAX_INP_MS} ms)`,
    )
  }
  return worst
}

async function measure(browser: Browser, service: Service): Promise<boolean> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await signIn(page, service)
  await page.close()
  const kB = await measureScripts(context, service)
  const inp = await measureTyping(context, service)
  return kB <= MAX_KB && inp <= MAX_INP_MS
}

const service = await Service.startEmbedded({ LOG_LEVEL: "silent", WELCOME_CREDIT_USD: "1" })
const browser = await startBrowser()
try {
  if (!(await measure(browser, service))) process.exitCode = 1
} finally {
  await browser.close()
  await service.destroy()
}
