import type { Page } from "@playwright/test"
import { PAGE_LIST, type PagePath } from "@/lib/shared/pages"
import { printFigure } from "@/test/figures"
import { DemoShop } from "./support/demo-shop"
import { expect, test } from "./support/test"

/** The kB that a page loads before anything is pressed, as the service sends them to a browser. */
interface Weight {
  scripts: number
  fonts: number
}

const MAX_FONTS = 45
/** The maximum of scripts for pages of each kind. */
const MAX_SCRIPTS = { public: 190, docs: 175, console: 205, tool: 325 }
type Kind = keyof typeof MAX_SCRIPTS

/** They need an id that the seeded account has not, or redirect to another page. */
const LEFT_OUT: PagePath[] = [
  ...(["/join/[id]", "/open/[id]", "/outbox", "/sign-in/check"] as const),
  ...(["/billing/top-up/return", "/operator/confirm"] as const),
]
const TOOLS: PagePath[] = ["/playground", "/evaluate"]

let shop: DemoShop
test.beforeAll(async ({ browser }) => {
  test.setTimeout(600_000)
  shop = await DemoShop.start(browser)
})
test.afterAll(() => shop?.destroy())

async function weightOf(page: Page, url: string): Promise<Weight> {
  await page.goto(url, { waitUntil: "networkidle" })
  return page.evaluate(() => {
    const loaded = performance.getEntriesByType("resource") as PerformanceResourceTiming[]
    const sizeOf = (ending: string) =>
      loaded
        .filter(({ name }) => new URL(name).pathname.endsWith(ending))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize / 1_000, 0)
    return { scripts: sizeOf(".js"), fonts: sizeOf(".woff2") }
  })
}

const faultsOf = (path: string, { scripts, fonts }: Weight, maxScripts: number): string[] => [
  ...(scripts > maxScripts ? [`${path}: ${scripts.toFixed(1)} kB of scripts, at most ${maxScripts}`] : []),
  ...(fonts > MAX_FONTS ? [`${path}: ${fonts.toFixed(1)} kB of fonts, at most ${MAX_FONTS}`] : []),
]

test("the check finds a page with too much of scripts and fonts", async ({ page }) => {
  const bytes = { scripts: 300_000, fonts: 50_000 }
  await page.route("**/*", (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname.endsWith(".js"))
      return route.fulfill({ contentType: "text/javascript", body: " ".repeat(bytes.scripts) })
    if (pathname.endsWith(".woff2")) return route.fulfill({ contentType: "font/woff2", body: " ".repeat(bytes.fonts) })
    const parts = `<script src="/a.js"></script><link rel="preload" href="/b.woff2" as="font" crossorigin>`
    return route.fulfill({ contentType: "text/html", body: parts })
  })
  expect(faultsOf("/", await weightOf(page, "http://localhost/"), 240)).toEqual([
    "/: 300.0 kB of scripts, at most 240",
    "/: 50.0 kB of fonts, at most 45",
  ])
})

test("scripts and style sheets are sent with Brotli to clients that accept it, and are the same for all others", async () => {
  const page = await (await fetch(`${shop.service.url}/sign-in`)).text()
  const files = new Set(page.match(/\/_next\/static\/chunks\/[^"\\]+\.(?:js|css)/g))
  expect(files.size).toBeGreaterThan(3)
  for (const file of files) {
    const get = async (accepted: string) => {
      const response = await fetch(shop.service.url + file, { headers: { "accept-encoding": accepted } })
      const of = (name: string) => response.headers.get(name)
      expect(of("cache-control"), file).toBe("public, max-age=31536000, immutable")
      expect(of("vary"), file).toBe("Accept-Encoding")
      return { coding: of("content-encoding"), type: of("content-type"), text: await response.text() }
    }
    const { coding, ...content } = await get("gzip, br")
    expect(coding, file).toBe("br")
    expect(await get("identity"), file).toEqual({ coding: null, ...content })
    expect((await get("gzip")).text, file).toBe(content.text)
  }
})

test("no page loads more scripts and fonts than pages of its kind may", async ({ browser }) => {
  const signedIn = await browser.newContext({ storageState: shop.signedIn })
  const signedOut = await browser.newContext()
  const pages = { signedIn: await signedIn.newPage(), signedOut: await signedOut.newPage() }
  const faults: string[] = []
  const seen = { scripts: 0, fonts: 0 }
  for (const { path, access } of PAGE_LIST.filter(({ path }) => !LEFT_OUT.includes(path))) {
    const isDocs = path.startsWith("/docs")
    const kind: Kind = isDocs ? "docs" : TOOLS.includes(path) ? "tool" : access === "public" ? "public" : "console"
    const address = path === "/docs/[slug]" ? "/docs/quickstart" : shop.addressOf(path)
    const page = access === "public" ? pages.signedOut : pages.signedIn
    const weight = await weightOf(page, shop.service.url + address)
    expect(new URL(page.url()).pathname, path).toBe(address)
    printFigure("weight of a page in kB", { path, kind, scripts: weight.scripts, fonts: weight.fonts })
    faults.push(...faultsOf(path, weight, MAX_SCRIPTS[kind]))
    seen.scripts += weight.scripts
    seen.fonts += weight.fonts
  }
  await Promise.all([signedIn.close(), signedOut.close()])
  expect(faults).toEqual([])
  // A page whose files the check does not see would pass.
  expect(seen.scripts).toBeGreaterThan(1_000)
  expect(seen.fonts).toBeGreaterThan(500)
})
