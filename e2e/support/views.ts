import type { Browser, Locator, Page } from "@playwright/test"
import { printFigure } from "@/test/figures"
import { expect } from "./test"

/** A longest task may take this many times the processor time of the control. On a quiet machine, that is about a second. */
const MAX_CONTROLS = 5
/** A task may take this share of the control's processor time where sets are large. On a quiet machine, that is a tenth of a second. */
const MAX_TASK_CONTROLS = 0.5
/** Two million characters that any browser lays out in time that grows with their number. */
const CONTROL_WORDS = 400_000

const MAX_RUN = 2_000

/** Returns the length of the longest run without a blank that the page wraps, which it does in time that grows with the square. */
function longestRun(): number {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: string[] = []
  while (walker.nextNode()) {
    const { parentElement, nodeValue } = walker.currentNode
    if (parentElement?.checkVisibility() && getComputedStyle(parentElement).textWrapMode !== "nowrap")
      texts.push(nodeValue ?? "")
  }
  return Math.max(...texts.flatMap((text) => text.split(/[ \t\n]+/)).map((run) => run.length))
}

/** Presses a key again and again while `act` runs, and returns the longest that the page needed to show a frame after it, in ms. */
async function slowestKey(page: Page, key: string, act: () => Promise<unknown>): Promise<number> {
  let isDone = false
  const acting = act().finally(() => {
    isDone = true
  })
  let slowest = 0
  for (let more = 3; more > 0; isDone && more--) {
    const at = performance.now()
    // The page is replaced while it loads, and answers the next press.
    await page.keyboard.press(key).catch(() => {})
    await page.evaluate(() => new Promise(requestAnimationFrame)).catch(() => {})
    slowest = Math.max(slowest, performance.now() - at)
  }
  await acting
  return Math.round(slowest)
}

interface Times {
  /** The slowest answer to a key press. */
  keyMs: number
  /** The processor time of the page's longest task, which a key press may wait for. Other suites on the machine do not change it. */
  taskMs: number
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  /** Processor time in µs. */
  tdur?: number
  args?: { name?: string }
}

/** Returns the processor time of the longest task of a page's main thread, in ms. */
function longestTask(trace: Buffer): number {
  const { traceEvents: events } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const main = new Set(events.filter(({ args }) => args?.name === "CrRendererMain").map(threadOf))
  const tasks = events.filter((event) => main.has(threadOf(event)))
  if (tasks.length === 0) throw new Error("the trace has no main thread")
  // As arguments of one call, hundreds of thousands of tasks overflow the stack.
  return Math.round(tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur), 0) / 1_000)
}

const CATEGORIES = ["toplevel", "devtools.timeline"]

/** Waits until no elements are added any more: long lists and texts grow from frame to frame. */
const untilWhole = (page: Page) =>
  page.waitForFunction(async () => {
    const count = () => document.getElementsByTagName("*").length
    const before = count()
    await new Promise((resolve) => setTimeout(resolve, 300))
    return count() === before
  })

/** Lays out a long ordinary text in a page of its own. Returns the processor time, which grows when others load the machine. */
async function controlMs(browser: Browser, page: Page): Promise<number> {
  const control = await page.context().newPage()
  await browser.startTracing(control, { categories: CATEGORIES })
  await control.evaluate((words) => {
    document.body.textContent = "word ".repeat(words)
    return document.body.offsetHeight
  }, CONTROL_WORDS)
  const ms = longestTask(await browser.stopTracing())
  await control.close()
  return ms
}

/** Measures how the views of one page answer a key press, against a control in the same browser. */
export class Views {
  readonly times: Record<string, Times> = {}
  #controlMs = 0
  /** The length of the longest run in one text node of each view. */
  readonly runs: Record<string, number> = {}

  constructor(
    readonly browser: Browser,
    readonly page: Page,
  ) {}

  async #control(): Promise<void> {
    this.#controlMs = Math.max(this.#controlMs, await controlMs(this.browser, this.page))
  }

  async #measure(name: string, key: string, act: () => Promise<unknown>): Promise<void> {
    if (this.#controlMs === 0) await this.#control()
    await this.browser.startTracing(this.page, { categories: CATEGORIES })
    const keyMs = await slowestKey(this.page, key, act)
    this.times[name] = { keyMs, taskMs: longestTask(await this.browser.stopTracing()) }
    printFigure(`answer to a key press, ${name}`, this.times[name])
  }

  /** Measures how a key is answered while the view is opened. */
  async open(name: string, act: () => Promise<unknown>, shown: Locator): Promise<void> {
    await this.#measure(name, "Shift", async () => {
      await act()
      await shown.waitFor()
      await untilWhole(this.page)
    })
    this.runs[name] = await this.page.evaluate(longestRun)
  }

  /** Measures how a field with the focus answers typed letters. */
  async type(name: string, field: Locator): Promise<void> {
    await field.click()
    await this.#measure(name, "a", async () => {})
  }

  async #limitMs(controls: number): Promise<number> {
    await this.#control()
    printFigure("control", { controlMs: this.#controlMs })
    return controls * this.#controlMs
  }

  /** Expects that no task of a view keeps the page for long, whether or not a key was pressed meanwhile. */
  async expectShortTasks(): Promise<void> {
    const maxMs = await this.#limitMs(MAX_TASK_CONTROLS)
    expect(Object.entries(this.times).filter(([, { taskMs }]) => taskMs > maxMs)).toEqual([])
  }

  async expectFast(): Promise<void> {
    const maxMs = await this.#limitMs(MAX_CONTROLS)
    const slow = ([, { keyMs, taskMs }]: [string, Times]) => Math.min(keyMs, taskMs) > maxMs
    expect(Object.entries(this.times).filter(slow)).toEqual([])
    expect(Object.entries(this.runs).filter(([, length]) => length > MAX_RUN)).toEqual([])
  }
}
