import type { BrowserContext, Page } from "@playwright/test"
import { expectAccessible, type Looks } from "./axe"
import { expect } from "./test"

/** How a page is opened and checked. */
export interface Look {
  paths: string[]
  /** What is done on the page before the check. */
  act?: (page: Page) => Promise<unknown>
  /** By default all widths and themes. */
  at?: Looks
  /** Whether the response is 404. */
  isMissing?: boolean
}

/**
 * Expects every page to have one heading of the first level, to be accessible and to log no error to the console. Opens all pages
 * in one tab: a new one would compile the scripts again.
 */
export async function goOver(context: BrowserContext, origin: string, looks: Look[]): Promise<void> {
  const complaints: string[] = []
  const page = await context.newPage()
  let path = ""
  let isMissing: boolean | undefined
  page.on("console", (message) => {
    const isExpected = isMissing && /status of 404/.test(message.text())
    if (message.type() === "error" && !isExpected) complaints.push(`${path}: ${message.text()}`)
  })
  page.on("pageerror", (error) => complaints.push(`${path}: ${error.message}`))
  for (const look of looks) {
    isMissing = look.isMissing
    for (path of look.paths) {
      expect(path, "a parameter needs a sample").not.toContain("[")
      await page.goto(origin + path)
      // An address that differs only after its # does not load the page again.
      if (path.includes("#")) await page.reload()
      expect(new URL(page.url()).pathname).toBe(new URL(path, page.url()).pathname)
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1)
      await expect(page.getByText("This page failed")).toHaveCount(0)
      await look.act?.(page)
      await expectAccessible(page, look.at)
    }
  }
  expect(complaints).toEqual([])
}
