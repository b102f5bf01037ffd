import { setTimeout as sleep } from "node:timers/promises"
import type { BrowserContext, Page, Route } from "@playwright/test"
import { printFigure } from "@/test/figures"
import { type Control, controlsOf, findControl, mayReveal, type Part, type Point } from "./controls"
import { type Mark, reportMarks } from "./press-clock"

/** A press without a sign for this long has none. */
const NO_MARK_MS = 3_000
/** What a press asks for may follow its sign. */
const REQUEST_MS = 50
/** How long a dialog or another part may take to appear when its code is there. */
const APPEAR_MS = 5_000
const TRY_MS = 50
const ALL = "**/*"
const REMOVES = /^(remove|delete)/i
/** How many presses may lead to a control: one opens a dialog, and one a part of it. */
const MAX_DEPTH = 2

interface Pressed extends Control {
  path: string
  /** Null for a press that nothing showed. */
  mark: Mark | null
}

interface Found extends Control {
  /** The kinds of the controls that were pressed before this one appeared. */
  via: string[]
}

/** Runs in the page. Waits until nothing moves, such as a dialog that slides in. */
async function hasSettled(): Promise<void> {
  const paint = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  await paint()
  const ending = document.getAnimations().filter((one) => Number(one.effect?.getComputedTiming().endTime) < 2_000)
  await Promise.allSettled(ending.map(({ finished }) => finished))
  // What has faded out is removed.
  await paint()
}

/** Runs in the page. */
const isNothingPending = () => !document.querySelector("[data-pending], [aria-busy=true]")

/** Presses every kind of link and button of pages, while nothing that a press asks for arrives. */
export class Sweep {
  readonly pressed: Pressed[] = []
  /** Controls that did not appear again when the page was opened anew. */
  readonly gone: string[] = []
  #onMark: (mark: Mark) => void = () => undefined
  /** Whether requests are held: from the first press on a page until it is opened anew. */
  #isHolding = false
  /** How many requests were held since the page was opened, without those of the next line. */
  #held = 0
  /** The documents and the code that the current press asked for; null between presses. */
  #ofPress: { documents: Route[]; code: Route[] } | null = null
  #part: Part = "main"
  /** Whether nothing was pressed since the page was opened. */
  #isFresh = false

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {}

  static async start(context: BrowserContext, origin: string): Promise<Sweep> {
    const page = await context.newPage()
    const sweep = new Sweep(page, origin)
    await reportMarks(context, (mark) => sweep.#onMark(mark))
    for (const event of ["filechooser", "download", "popup"] as const)
      page.on(event as "download", () => sweep.#onMark({ by: event, ms: Number.NaN }))
    page.on("dialog", (dialog) => dialog.accept())
    return sweep
  }

  /** Holds a request until the press has its sign. Then code arrives, and a document ends without content, so that the page stays. */
  async #answer(route: Route): Promise<void> {
    const isCode = new URL(route.request().url()).pathname.startsWith("/_next/static/")
    if (!this.#isHolding || (isCode && !this.#ofPress)) return route.fallback()
    if (isCode) return void this.#ofPress?.code.push(route)
    this.#held += 1
    if (!route.request().isNavigationRequest()) return
    if (this.#ofPress) this.#ofPress.documents.push(route)
    else await route.fulfill({ status: 204 })
  }

  async #release(): Promise<void> {
    await sleep(REQUEST_MS)
    const { documents, code } = this.#ofPress ?? { documents: [], code: [] }
    this.#ofPress = null
    const ends = [...documents.map((one) => one.fulfill({ status: 204 })), ...code.map((one) => one.fallback())]
    await Promise.all(ends)
    const deadline = Date.now() + (code.length > 0 ? APPEAR_MS : 0)
    while (this.#held === 0 && Date.now() < deadline && !(await this.page.evaluate(isNothingPending)))
      await sleep(TRY_MS)
  }

  /** Presses each kind of control of a page, and those that the presses show. */
  async goOver(path: string, part: Part = "main"): Promise<void> {
    this.#part = part
    await this.#open(path)
    const known = new Set<string>()
    const stack: Found[] = []
    const note = async (via: string[]) => {
      const { controls: shown, areOnTop } = await controlsOf(this.page, this.#part)
      if (via.length > 0 && !areOnTop && !mayReveal(via.at(-1) ?? "")) return
      const found = shown.filter(({ kind }) => !known.has(kind))
      for (const { kind } of found) known.add(kind)
      const controls = found.map((control) => ({ ...control, via })).toReversed()
      // What removes something comes last, because other controls may belong to it.
      stack.unshift(...controls.filter(({ name }) => REMOVES.test(name)))
      stack.push(...controls.filter(({ name }) => !REMOVES.test(name)))
    }
    await note([])
    for (let next = stack.pop(); next; next = stack.pop()) {
      const at = await this.#show(path, next)
      const isThere = at !== null && (await this.#pointAt(next.kind, at))
      if (!isThere) {
        this.gone.push(`${path}: ${next.name}`)
        continue
      }
      const mark = await this.#press()
      this.pressed.push({ path, kind: next.kind, name: next.name, mark })
      printFigure("sign of a press", { path, name: next.name, by: mark?.by, ms: Math.round(mark?.ms ?? Number.NaN) })
      const isHere = new URL(this.page.url()).pathname === new URL(path, this.origin).pathname
      if (this.#held > 0 || !isHere || !(await this.page.evaluate(isNothingPending))) await this.#open(path)
      else if (next.via.length < MAX_DEPTH) await note([...next.via, next.kind])
    }
  }

  /** Opens a page without routes, which would disable the browser's cache. An empty page first cancels what is held. */
  async #open(path: string): Promise<void> {
    await this.page.goto("about:blank")
    await this.page.unroute(ALL)
    this.#isHolding = false
    this.#held = 0
    this.#isFresh = true
    await this.page.goto(this.origin + path)
    await this.page.route(ALL, (route) => this.#answer(route))
  }

  #find(kind: string): Promise<Point | null> {
    return findControl(this.page, kind, this.#part)
  }

  /** Shows a control, if necessary on a new copy of the page. Returns where it is; null if it does not appear. */
  async #show(path: string, { kind, via }: Found): Promise<Point | null> {
    if (this.#held > 0) await this.#open(path)
    const at = await this.#findStill(kind)
    if (at) return at
    if (!this.#isFresh) await this.#open(path)
    this.#isHolding = false
    for (const opener of via) {
      const shown = await this.#findSoon(opener)
      if (!shown) return null
      this.#isFresh = false
      await this.page.mouse.click(shown.x, shown.y)
    }
    return this.#findSoon(kind)
  }

  async #findSoon(kind: string): Promise<Point | null> {
    const deadline = Date.now() + APPEAR_MS
    while (!(await this.#find(kind)) && Date.now() < deadline) await sleep(TRY_MS)
    return this.#findStill(kind)
  }

  /** Finds a control once nothing moves. */
  async #findStill(kind: string): Promise<Point | null> {
    await this.page.evaluate(hasSettled)
    const at = await this.#find(kind)
    await sleep(TRY_MS)
    const then = await this.#find(kind)
    return at?.x === then?.x && at?.y === then?.y ? then : this.#findStill(kind)
  }

  /** Moves the pointer to a control, and after it when the page moves it. Holds what is asked for from now on. */
  async #pointAt(kind: string, { x, y }: Point): Promise<boolean> {
    this.#isHolding = true
    this.#isFresh = false
    this.#ofPress ??= { documents: [], code: [] }
    await this.page.mouse.move(x, y)
    const at = await this.#find(kind)
    if (!at) return false
    return (at.x === x && at.y === y) || this.#pointAt(kind, at)
  }

  /** Presses what is below the pointer. */
  async #press(): Promise<Mark | null> {
    const { page } = this
    const marked = new Promise<Mark | null>((resolve) => {
      this.#onMark = resolve
      setTimeout(resolve, NO_MARK_MS, null)
    })
    await page.mouse.down()
    await page.mouse.up()
    const mark = await marked
    await this.#release()
    return mark
  }
}
