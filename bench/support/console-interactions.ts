import type { Page } from "@playwright/test"

type Act = (page: Page) => Promise<void>

const tap = async (page: Page, name: string | RegExp, role: "button" | "link" | "radio" = "button"): Promise<void> =>
  page.getByRole(role, { name }).first().tap()

const typeInto = async (page: Page, label: string, text: string): Promise<void> => {
  await page.getByLabel(label, { exact: true }).first().tap()
  await page.keyboard.type(text, { delay: 80 })
}

const sheet: Record<string, Act> = {
  "open the menu": (page) => tap(page, "Open the menu"),
  "close the menu": (page) => tap(page, "Close the menu"),
}

/** What somebody does on each page, in this order, each named. */
export const INTERACTIONS: Record<string, Record<string, Act>> = {
  "/keys": {
    ...sheet,
    "open the form of a new key": (page) => tap(page, "Create key"),
    "type a name": (page) => typeInto(page, "Name", "Production"),
    "choose a limit": (page) => page.getByRole("dialog").getByText("Daily").tap(),
    "type an amount": (page) => typeInto(page, "Amount in USD", "12.50"),
    "close the form": (page) => tap(page, "Cancel"),
    "open a key's menu": (page) => tap(page, /^Actions for/),
    "close a key's menu": (page) => page.keyboard.press("Escape"),
    search: (page) => typeInto(page, "Search keys", "prod"),
  },
  "/usage": {
    ...sheet,
    "touch a chart": (page) => page.getByRole("slider").first().tap(),
    "move along a chart": async (page) => {
      await page.getByRole("slider").first().focus()
      for (const key of ["Home", "ArrowRight", "ArrowRight", "End", "ArrowLeft"]) await page.keyboard.press(key)
    },
    "show a table": (page) => page.getByText("Show as a table").first().tap(),
    "type a request id": (page) => typeInto(page, "Request id", "req_01"),
  },
  "/models": {
    ...sheet,
    "type a state": (page) => typeInto(page, "State", " and a good deal more"),
    "type a question": (page) => typeInto(page, "Questions", " Is it?"),
  },
  "/playground": {
    ...sheet,
    "type a name": (page) => typeInto(page, "Name", "_now"),
    "add a question": (page) => tap(page, "Add yes/no"),
    run: (page) => tap(page, "Run"),
  },
  "/billing": { ...sheet },
  "/docs/quickstart": {
    ...sheet,
    "another language": (page) => page.locator("label", { hasText: "Python" }).first().tap(),
    copy: (page) => tap(page, /^Copy/),
  },
}
