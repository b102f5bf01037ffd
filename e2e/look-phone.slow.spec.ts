import type { BrowserContext, Page } from "@playwright/test"
import { PAGE_LIST, type PagePath } from "@/lib/shared/pages"
import { showSkipped } from "./support/axe"
import { DemoShop } from "./support/demo-shop"
import { expect, PHONE, test } from "./support/test"

/** How many windows high a page may be. */
const MAX_SCREENS = 6
/** Two lines of text with their padding. A third line would make a row at least 85 px high. */
const MAX_ROW_PX = 76
const VIEWPORT = { width: 390, height: 844 }

test.use({ ...PHONE, viewport: VIEWPORT })

let shop: DemoShop

test.beforeAll(async ({ browser }) => {
  test.setTimeout(600_000)
  shop = await DemoShop.start(browser)
})
test.afterAll(() => shop?.destroy())

/** Pages that the seeded account cannot fill, and those of the docs: each is one text, with a table of contents. */
const LEFT_OUT: PagePath[] = [
  ...(["/docs/[slug]", "/join/[id]", "/open/[id]", "/outbox", "/share", "/sign-in/confirm"] as const),
  ...(["/billing/top-up/return", "/operator/confirm"] as const),
]

const pathsOf = (): string[] =>
  PAGE_LIST.filter(({ path }) => !LEFT_OUT.includes(path)).map(({ path }) => shop.addressOf(path))

async function open(context: BrowserContext, path: string): Promise<Page> {
  expect(path, "a parameter needs a sample").not.toContain("[")
  const page = await context.newPage()
  await page.goto(shop.service.url + path)
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1)
  return page
}

/** Expects that the page is at most six windows high, with all that the browser skips while it is out of sight. */
async function expectShort(page: Page): Promise<void> {
  await showSkipped(page)
  const screens = await page.evaluate(() => document.documentElement.scrollHeight / window.innerHeight)
  expect(screens, `screens of ${page.url()}`).toBeLessThanOrEqual(MAX_SCREENS)
}

/** Returns the rows of lists that are higher than two lines, or whose right part is left of the other, as text. */
const badRows = (page: Page): Promise<string[]> =>
  page.evaluate((max) => {
    const boxOf = (row: Element, place: string) => row.querySelector(`[data-phone="${place}"]`)?.getBoundingClientRect()
    const isReversed = (row: Element, left: string, right: string) =>
      (boxOf(row, left)?.right ?? 0) > (boxOf(row, right)?.left || Number.POSITIVE_INFINITY)
    const rows = [...document.querySelectorAll<HTMLElement>(".two-lines > tbody > tr")]
    return rows.flatMap((row) => {
      const height = row.getBoundingClientRect().height
      const text = `${location.pathname}: ${row.innerText.slice(0, 80)}`
      if (height > max) return `${height} px: ${text}`
      return isReversed(row, "title", "value") || isReversed(row, "line", "end") ? `reversed: ${text}` : []
    })
  }, MAX_ROW_PX)

/** Returns the current links of lines that scroll, unless they are in view. */
const hiddenLinks = (page: Page): Promise<string[]> =>
  page.locator("[aria-current]").evaluateAll((links) =>
    links.flatMap((link) => {
      const line = link.parentElement
      if (!line || line.scrollWidth <= line.clientWidth) return []
      const [own, around] = [link.getBoundingClientRect(), line.getBoundingClientRect()]
      return own.left >= around.left && own.right <= around.right ? [] : [`${location.pathname}: ${link.textContent}`]
    }),
  )

test("the checks find a page of seven screens, a row of three lines, one whose parts are reversed and a hidden link", async ({
  page,
}) => {
  await page.setContent(`<meta name="viewport" content="width=device-width"><main style="height: ${7 * VIEWPORT.height}px"><table class="two-lines">
    <tr style="height: 90px"><td>Production</td></tr>
    <tr><td data-phone="end">Active</td><td data-phone="line">Today</td></tr></table>
    <nav style="width: 200px; overflow: auto; white-space: nowrap"><a style="display: inline-block; width: 300px">One</a
    ><a aria-current="true">Two</a></nav></main>`)
  expect(await hiddenLinks(page)).toEqual(["blank: Two"])
  await expect(expectShort(page)).rejects.toThrow(/screens of/)
  const found = [expect.stringMatching(/^9\d px: .*Production/), expect.stringMatching(/^reversed: .*Active\sToday/)]
  expect(await badRows(page)).toEqual(found)
})

test("on a phone, no page is longer than six screens, no row of a list is higher than two lines, and current links are in view", async ({
  browser,
}) => {
  const context = await browser.newContext({ storageState: shop.signedIn })
  const bad: string[] = []
  let rows = 0
  for (const path of pathsOf()) {
    const page = await open(context, path)
    await expect.soft(expectShort(page), path).resolves.toBeUndefined()
    await expect.soft.poll(() => hiddenLinks(page), path).toEqual([])
    rows += await page.locator(".two-lines > tbody > tr").count()
    bad.push(...(await badRows(page)))
    await page.close()
  }
  expect(rows).toBeGreaterThan(100)
  expect(bad).toEqual([])
  await context.close()
})

test("on a phone, a page of the docs begins with a table of its contents, which leads to its parts", async ({
  page,
}) => {
  await page.goto(`${shop.service.url}/docs/api`)
  await page.getByText("On this page", { exact: true }).and(page.locator("summary")).tap()
  const links = page.getByRole("navigation", { name: "On this page" }).getByRole("link")
  await expect(links.first()).toBeInViewport({ ratio: 1 })
  const last = links.last()
  const id = (await last.getAttribute("href"))?.slice(1) ?? ""
  await last.tap()
  await expect(page.locator(`[id="${id}"]`)).toBeInViewport()
})

test("on a phone, the first screen shows a figure of each page that has figures", async ({ browser }) => {
  const context = await browser.newContext({ storageState: shop.signedIn })
  for (const path of [
    "/usage",
    "/billing",
    "/keys",
    "/requests",
    "/models",
    "/operator/accounts",
    "/operator/payments",
  ]) {
    const page = await open(context, path)
    const figure = page.locator("main").locator("dd, td").filter({ hasText: /\d/, visible: true }).first()
    await expect(figure, path).toBeInViewport({ ratio: 1 })
    await page.close()
  }
  await context.close()
})

test("on a phone, one button hides the filters of every list, counts those that are set, and shows them on a page of six screens", async ({
  browser,
}) => {
  const context = await browser.newContext({ storageState: shop.signedIn })
  for (const [path, set, filter] of [
    ["/usage", "by=key", "Key"],
    ["/requests", "type=noul", "Key"],
    ["/billing", "kind=charge", "Entry"],
    ["/keys", "show=all", "Search keys"],
    ["/settings/audit", "topic=keys", "Sign-ins"],
    ["/operator/accounts", "show=active", "Suspended"],
    ["/operator/payments", "show=paid", "Refunded"],
    ["/operator/audit", "show=keys", "Sign-ins"],
  ] as const) {
    const page = await open(context, path)
    const field = page.getByRole("main").getByLabel(filter, { exact: true })
    const shown = field.or(page.getByRole("main").getByRole("link", { name: filter, exact: true }))
    await page.getByRole("button", { name: "Filters", exact: true }).tap()
    await expect(shown.first(), path).toBeVisible()
    await expect.soft(expectShort(page), path).resolves.toBeUndefined()
    await page.goto(`${shop.service.url}${path}?${set}`)
    await expect(shown.first(), path).toBeHidden()
    await page.getByRole("button", { name: "Filters (1)" }).tap()
    await expect(shown.first(), path).toBeVisible()
    await page.close()
  }
  await context.close()
})

test("on a phone, a touch opens a row with its other values, also without JavaScript", async ({ browser }) => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ storageState: shop.signedIn, javaScriptEnabled })
    const page = await context.newPage()
    await page.goto(`${shop.service.url}/keys`)
    const row = page.locator(".two-lines > tbody > tr").nth(1)
    const spend = row.locator('[data-label="Used this period"]')
    await expect(spend).toBeHidden()
    await row.tap({ position: { x: 200, y: 55 } })
    await expect(spend).toBeVisible()
    await row.getByRole("checkbox", { name: "Show the whole row" }).press("Space")
    await expect(spend).toBeHidden()
    await context.close()
  }
})

test("the tables of models and requests do not scroll sideways in narrow windows", async ({ browser }) => {
  const context = await browser.newContext({ storageState: shop.signedIn })
  for (const [path, name, widths] of [
    ["/models", "Models", [720, 760, 800]],
    ["/requests", "Requests", [640, 700]],
  ] as const) {
    const page = await open(context, path)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const over = await page
        .getByRole("table", { name, exact: true })
        .evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : Number.NaN))
      expect(over, `${path} at ${width} px`).toBeLessThanOrEqual(0)
    }
    await page.close()
  }
  await context.close()
})

test("the keyboard reaches every block of code of the API's page, which may be wider than the window", async ({
  page,
}) => {
  await page.goto(`${shop.service.url}/docs/api`)
  await showSkipped(page)
  const blocks = await page.locator("main pre").evaluateAll((all) => {
    const shown = all.filter((block): block is HTMLElement => block instanceof HTMLElement && block.checkVisibility())
    const focused = shown.filter((block) => {
      block.focus()
      return block.tabIndex === 0 && document.activeElement === block
    })
    return [shown.length, focused.length]
  })
  expect(blocks[0]).toBeGreaterThan(3)
  expect(blocks[1]).toBe(blocks[0])
})
