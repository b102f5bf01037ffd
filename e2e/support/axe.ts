import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { expect, type Page } from "@playwright/test"
import type { AxeResults } from "axe-core"

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
// All that a second theme changes.
const COLOUR_RULES = ["color-contrast", "link-in-text-block"]

interface Looks {
  widths?: number[]
  themes?: ("light" | "dark")[]
}

/** What axe finds against WCAG 2.2 A and AA on the page as it stands, one line for each element. */
async function violations(page: Page, runOnly: string[]): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not stop.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SOURCE)
  // What is skipped while out of sight has neither the boxes nor the colours that axe asks for.
  await page.evaluate(() => {
    const shown = new CSSStyleSheet()
    shown.replaceSync("* { content-visibility: visible !important }")
    document.adoptedStyleSheets = [shown]
  })
  const found = await page.evaluate(
    (rules) =>
      (window as unknown as { axe: { run(node: Document, options: object): Promise<AxeResults> } }).axe.run(document, {
        runOnly: rules,
        resultTypes: ["violations"],
      }),
    runOnly,
  )
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, html }) => `${id}: ${target} ${html}`))
}

/** Waits until a new width and theme are painted, and nothing is on its way from one colour to another. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })

/** No violation of WCAG 2.2 A and AA at 360, 768 and 1440 px, light and dark, and nothing wider than its window. */
export async function expectAccessible(
  page: Page,
  { widths = [360, 768, 1440], themes = ["light", "dark"] }: Looks = {},
): Promise<void> {
  const before = page.viewportSize()
  const found: string[] = []
  for (const colorScheme of themes) {
    const rules = colorScheme === themes[0] ? RULES : COLOUR_RULES
    for (const width of widths) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
      await page.setViewportSize({ width, height: 900 })
      await settled(page)
      const look = `${new URL(page.url()).pathname} at ${width} px, ${colorScheme}`
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      if (over > 0) found.push(`${look}: ${over} px too wide`)
      found.push(...(await violations(page, rules)).map((line) => `${look}: ${line}`))
    }
  }
  if (before) await page.setViewportSize(before)
  expect(found).toEqual([])
}
