import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { expect, type Page } from "@playwright/test"
import type { AxeResults } from "axe-core"

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

interface Looks {
  /** Window widths in px at which nothing may overflow sideways. axe checks light at the widest and dark at the narrowest. */
  widths?: number[]
  themes?: ("light" | "dark")[]
}

async function violations(page: Page): Promise<string[]> {
  // The page's content security policy does not apply to the debugger.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE)
  // Content that the browser skips while it is out of sight has no boxes and colours for axe.
  await page.evaluate(() => {
    const shown = new CSSStyleSheet()
    shown.replaceSync("* { content-visibility: visible !important }")
    document.adoptedStyleSheets = [shown]
  })
  const found = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: { run(node: Document, options: object): Promise<AxeResults> } }).axe.run(document, {
        runOnly: rules,
        // `expectAccessible` expects a title. Next exchanges it in two steps, and axe would see the moment between them.
        rules: { "document-title": { enabled: false } },
        resultTypes: ["violations"],
      }),
    RULES,
  )
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, any }) => `${id}: ${target} ${html} ${any.map(({ message }) => message).join("; ")}`),
  )
}

/**
 * Waits until a painted frame leaves no animation running. A change of theme starts a colour transition in an element, and a later
 * one in each descendant that inherits the colour.
 */
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

/**
 * Expects no violation of WCAG 2.2 A and AA, in light at 1440 px and in dark at 360 px. Nothing may be wider than the window at
 * 360, 768 and 1440 px. `look.spec.ts` checks every page this way; other specs check only states that it does not show.
 */
export async function expectAccessible(
  page: Page,
  { widths = [360, 768, 1440], themes = ["light", "dark"] }: Looks = {},
): Promise<void> {
  const before = page.viewportSize()
  const found: string[] = []
  const ascending = widths.toSorted((a, b) => a - b)
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    const isFirst = colorScheme === themes[0]
    const order = isFirst ? ascending : [ascending[0] ?? 360]
    for (const width of order) {
      await page.setViewportSize({ width, height: 900 })
      await settled(page)
      const tooWide = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (tooWide > 0) found.push(`${lookOf(page, width, colorScheme)}: ${tooWide} px too wide`)
    }
    const look = lookOf(page, order.at(-1) ?? 0, colorScheme)
    found.push(...(await violations(page)).map((line) => `${look}: ${line}`))
  }
  if (before) await page.setViewportSize(before)
  expect(found).toEqual([])
  await expect(page).toHaveTitle(/\S/)
}

const lookOf = (page: Page, width: number, theme: string): string =>
  `${new URL(page.url()).pathname} at ${width} px, ${theme}`
