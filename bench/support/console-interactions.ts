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

const open = (name: string | RegExp) => (page: Page) => tap(page, name)

const press =
  (...keys: string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key)
  }

const choose = (label: string, text: string) => async (page: Page) => {
  await page.getByLabel(label, { exact: true }).first().selectOption({ label: text })
}

const search: Record<string, Act> = {
  "open the command menu": (page) => tap(page, "Search everything"),
  "type a command": (page) => page.keyboard.type("usage", { delay: 80 }),
  "close the command menu": press("Escape", "Escape"),
}

/** A page of the console. `[id]` stands for a key with usage. */
export interface ConsolePage {
  /** Interactions by name, in their order. */
  acts: Record<string, Act>
  /** Whether the page is opened without a session. */
  isPublic?: boolean
}

/** The pages with their main interactions. */
export const PAGES: Record<string, ConsolePage> = {
  "/start": { acts: { ...menu } },
  "/playground": {
    acts: {
      ...menu,
      "type a name": (page) => typeInto(page, "Name", "_now"),
      "add a yes/no question": open("Add yes/no"),
      "add a choice": open("Add choice"),
      "add a score": open("Add score"),
      "move a question": open(/^Move .* down$/),
      "remove a question": open(/^Remove /),
      run: open("Run"),
    },
  },
  "/evaluate": {
    acts: {
      ...menu,
      "use the sample": open("Use the sample"),
      "show the rows": (page) => touch(page.getByRole("tab", { name: "Rows" })),
      "show the questions": (page) => touch(page.getByRole("tab", { name: "Questions" })),
      "type a name": (page) => typeInto(page, "Name", "_now"),
      "add a question": open("Add yes/no"),
    },
  },
  "/keys": {
    acts: {
      ...menu,
      ...search,
      "open the form of a new key": open("Create key"),
      "type a name": (page) => typeInto(page, "Name", "Production"),
      "choose a limit": (page) => touch(page.getByRole("dialog").getByText("Daily")),
      "type an amount": (page) => typeInto(page, "Amount in USD", "12.50"),
      "close the form": open("Cancel"),
      "open a key's menu": open(/^Actions for/),
      "close a key's menu": press("Escape"),
      search: (page) => typeInto(page, "Search keys", "prod"),
    },
  },
  "/keys/[id]": { acts: { ...menu } },
  "/usage": {
    acts: {
      ...menu,
      "touch a chart": (page) => touch(page.getByRole("slider").first()),
      "move along a chart": async (page) => {
        await page.getByRole("slider").first().focus()
        await press("Home", "ArrowRight", "ArrowRight", "End", "ArrowLeft")(page)
      },
      "show a table": (page) => touch(page.getByText("Show as a table").first()),
      "type a request id": (page) => typeInto(page, "Request id", "req_01"),
      "choose a result": choose("Result", "200 answered"),
    },
  },
  "/billing": { acts: { ...menu, "choose a kind": choose("Entry", "Decision") } },
  "/billing/top-up": {
    acts: { ...menu, "choose an amount": (page) => touch(page.locator("label", { hasText: "$50" })) },
  },
  "/billing/statement": { acts: { ...menu } },
  "/models": {
    acts: {
      ...menu,
      "type a state": (page) => typeInto(page, "State", " and a good deal more"),
      "type a question": (page) => typeInto(page, "Questions", " Is it?"),
    },
  },
  "/members": { acts: { ...menu, "open the invitation": open(/^Invite/), "close the invitation": open("Cancel") } },
  "/settings": {
    acts: { ...menu, "choose a theme": open("Dark") },
  },
  "/settings/audit": { acts: { ...menu } },
  "/docs": { acts: { ...menu } },
  "/docs/quickstart": {
    acts: {
      ...menu,
      "choose another language": (page) => touch(page.locator("label", { hasText: "Python" }).first()),
      copy: (page) => tap(page, /^Copy/),
    },
  },
  "/docs/api": { acts: { ...menu } },
  "/status": { acts: {}, isPublic: true },
  "/sign-in": {
    acts: { "type an address": (page) => typeInto(page, "E-mail address", "ada@example.com") },
    isPublic: true,
  },
}
