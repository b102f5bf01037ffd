import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { type CDPSession, expect, type Page } from "@playwright/test"
import type { AxeResults } from "axe-core"

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
/** Options of axe for all rules. */
const allRules = (isPhone: boolean) => ({
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
  rules: {
    // `expectAccessible` expects a title. Next exchanges it in two steps, and axe would see the moment between them.
    "document-title": { enabled: false },
    // `smallControls` asks for more. This rule also finds what a bar that stays at the bottom covers, until it is scrolled up.
    "target-size": { enabled: !isPhone },
  },
})
/** Options of axe for the rules whose result depends on the theme. */
const COLOR_RULES = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }

export interface Looks {
  /** Window widths in px at which nothing may overflow sideways. axe checks the page at the widest. */
  widths?: number[]
  /** axe checks all rules in the first theme, and those of colour in the others. */
  themes?: ("light" | "dark")[]
}

/** In px: a narrower window is a touch screen. */
const PHONE_BELOW = 600

/** One width is enough for a state whose page is checked at every width elsewhere. */
export const NARROW: Looks = { widths: [360] }

async function violations(page: Page, options: object): Promise<string[]> {
  // The page's content security policy does not apply to the debugger.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE)
  const found = await page.evaluate(
    (options) =>
      (window as unknown as { axe: { run(node: Document, options: object): Promise<AxeResults> } }).axe.run(
        document,
        options,
      ),
    { ...options, resultTypes: ["violations"] },
  )
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, any }) => `${id}: ${target} ${html} ${any.map(({ message }) => message).join("; ")}`),
  )
}

/** Shows content that the browser skips while it is out of sight, because it has no boxes and colours for axe. */
export const showSkipped = (page: Page) =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync("* { content-visibility: visible !important }")
    document.adoptedStyleSheets = [sheet]
  })

/** Waits until a painted frame leaves no animation running that ends by itself. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    const isEnding = ({ effect }: Animation) => effect?.getComputedTiming().endTime !== Infinity
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      const ending = document.getAnimations().filter(isEnding)
      if (ending.length === 0) return
      await Promise.allSettled(ending.map(({ finished }) => finished))
    }
  })

/** Finds controls that a finger misses: lower than 44 px, or narrower than the 24 px of WCAG 2.2. */
const smallControls = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    // A link within a sentence is as high as its line. Its block then has more text than the link.
    const isInSentence = (element: HTMLElement) => {
      let block = element.parentElement
      while (block && getComputedStyle(block).display === "inline") block = block.parentElement
      return getComputedStyle(element).display === "inline" && block?.textContent !== element.textContent
    }
    return [...document.querySelectorAll<HTMLElement>("a, button, summary, select, textarea, input:not([type=range])")]
      .filter((element) => element.checkVisibility() && !element.matches(".sr-only") && !element.closest("[inert]"))
      .filter((element) => !isInSentence(element))
      .map((element) => ({ element, box: (element.closest("label") ?? element).getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && box.height > 1 && (box.height < 43.5 || box.width < 24))
      .map(
        ({ element, box }) =>
          `${element.tagName} ${element.ariaLabel ?? element.textContent} is ${box.width} × ${box.height} px`,
      )
  })

/** Emulates a touch screen until the returned session is detached. */
async function touch(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true })
  return session
}

/**
 * Expects no violation of WCAG 2.2 A and AA at the widest of the widths, by default at 1440 px in light and dark. Nothing may be
 * wider than the window at any of them. Below 600 px it emulates a touch screen and allows no control lower than 44 px.
 * `look*.spec.ts` check every page this way; other specs check only states that these do not show.
 */
export async function expectAccessible(
  page: Page,
  { widths = [360, 768, 1440], themes = ["light", "dark"] }: Looks = {},
): Promise<void> {
  const before = page.viewportSize()
  const found: string[] = []
  const look = async (width: number, colorScheme: "light" | "dark", rules?: object) => {
    const finger = width < PHONE_BELOW ? await touch(page) : null
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await page.setViewportSize({ width, height: 900 })
    await settled(page)
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    const lines = tooWide > 0 ? [`${tooWide} px too wide`] : []
    if (rules) lines.push(...(await violations(page, rules)))
    if (finger) lines.push(...(await smallControls(page)))
    await finger?.detach()
    found.push(...lines.map((line) => `${new URL(page.url()).pathname} at ${width} px, ${colorScheme}: ${line}`))
  }
  const [widest = 1440, ...narrower] = widths.toSorted((a, b) => b - a)
  const [theme = "light", ...others] = themes
  await showSkipped(page)
  await look(widest, theme, allRules(widest < PHONE_BELOW))
  for (const other of others) await look(widest, other, COLOR_RULES)
  for (const width of narrower) await look(width, others.at(-1) ?? theme)
  if (before) await page.setViewportSize(before)
  expect(found).toEqual([])
  await expect(page).toHaveTitle(/\S/)
}
