import type { Locator, Page } from "@playwright/test"

type Act = (page: Page) => Promise<void>

const TOUCH_MS = 80
/** The time after a scroll until the page is still. */
const STILL_MS = 100

/** Touches an element. Playwright's `tap` runs code in the page between touch and click, which would count as the page's time. */
const touch = async (target: Locator): Promise<void> => {
  await target.scrollIntoViewIfNeeded()
  const page = target.page()
  await page.waitForTimeout(STILL_MS)
  const box = await target.boundingBox()
  if (!box) throw new Error("the element to touch has no box")
  const session = await page.context().newCDPSession(page)
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints })
  await page.waitForTimeout(TOUCH_MS)
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] })
  await session.detach()
}

const tap = (page: Page, name: string | RegExp, role: "button" | "link" | "radio" = "button"): Promise<void> =>
  touch(page.getByRole(role, { name }).first())

const typeInto = async (page: Page, label: string, text: string): Promise<void> => {
  await touch(page.getByLabel(label, { exact: true }).first())
  await page.keyboard.type(text, { delay: 80 })
}

const menu: Record<string, Act> = {
  "open the menu": (page) => tap(page, "Open the menu"),
  "close the menu": (page) => tap(page, "Close the menu"),
}

/** The named interactions of each page, in order. */
export const INTERACTIONS: Record<string, Record<string, Act>> = {
  "/keys": {
    ...menu,
    "open the form of a new key": (page) => tap(page, "Create key"),
    "type a name": (page) => typeInto(page, "Name", "Production"),
    "choose a limit": (page) => touch(page.getByRole("dialog").getByText("Daily")),
    "type an amount": (page) => typeInto(page, "Amount in USD", "12.50"),
    "close the form": (page) => tap(page, "Cancel"),
    "open a key's menu": (page) => tap(page, /^Actions for/),
    "close a key's menu": (page) => page.keyboard.press("Escape"),
    search: (page) => typeInto(page, "Search keys", "prod"),
  },
  "/usage": {
    ...menu,
    "touch a chart": (page) => touch(page.getByRole("slider").first()),
    "move along a chart": async (page) => {
      await page.getByRole("slider").first().focus()
      for (const key of ["Home", "ArrowRight", "ArrowRight", "End", "ArrowLeft"]) await page.keyboard.press(key)
    },
    "show a table": (page) => touch(page.getByText("Show as a table").first()),
    "type a request id": (page) => typeInto(page, "Request id", "req_01"),
  },
  "/models": {
    ...menu,
    "type a state": (page) => typeInto(page, "State", " and a good deal more"),
    "type a question": (page) => typeInto(page, "Questions", " Is it?"),
  },
  "/playground": {
    ...menu,
    "type a name": (page) => typeInto(page, "Name", "_now"),
    "add a question": (page) => tap(page, "Add yes/no"),
    run: (page) => tap(page, "Run"),
  },
  "/evaluate": { ...menu },
  "/billing": { ...menu },
  "/docs/quickstart": {
    ...menu,
    "choose another language": (page) => touch(page.locator("label", { hasText: "Python" }).first()),
    copy: (page) => tap(page, /^Copy/),
  },
}
