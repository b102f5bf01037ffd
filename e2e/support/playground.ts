import { expect, type Locator, type Page } from "@playwright/test"
import type { Service } from "./service"
import { signIn } from "./sign-in"

export class PlaygroundPage {
  constructor(
    readonly page: Page,
    readonly url: string,
  ) {}

  static async enter(page: Page, service: Service, email: string): Promise<PlaygroundPage> {
    await signIn(page, service, email)
    const playground = new PlaygroundPage(page, service.url)
    await playground.untilEditing()
    return playground
  }

  /** Opens the page and waits for the code editor, which loads after the first paint. */
  async open(): Promise<void> {
    await this.page.goto(`${this.url}/playground`)
    await this.untilEditing()
  }

  async untilEditing(): Promise<void> {
    await expect(this.page.locator(".cm-content").first()).toBeVisible()
  }

  get state(): Locator {
    return this.page.getByRole("textbox", { name: "State", exact: true })
  }

  get json(): Locator {
    return this.page.getByRole("textbox", { name: "Request as JSON" })
  }

  get cost(): Locator {
    return this.page.getByRole("region", { name: "Cost of a run" })
  }

  question(name: string): Locator {
    return this.page.getByRole("group", { name: `Question ${name}`, exact: true })
  }

  show(view: "Form" | "JSON"): Promise<void> {
    return this.page.getByRole("group", { name: "Show the request as" }).getByText(view, { exact: true }).click()
  }

  /** Replaces an editor's text, as a paste does. */
  async fill(editor: Locator, text: string): Promise<void> {
    await editor.click()
    await this.page.keyboard.press("ControlOrMeta+a")
    await this.page.keyboard.insertText(text)
  }

  names(): Promise<string[]> {
    return this.page
      .getByLabel("Name", { exact: true })
      .evaluateAll((all) => all.map((input) => (input as HTMLInputElement).value))
  }

  async removeAll(): Promise<void> {
    for (const name of await this.names()) await this.page.getByRole("button", { name: `Remove ${name}` }).click()
  }

  /** Clicks a button that adds a question. Returns the name field of the new card, which comes a frame after the click. */
  async add(button: "Add yes/no" | "Add choice" | "Add score"): Promise<Locator> {
    const names = this.page.getByLabel("Name", { exact: true })
    const before = await names.count()
    await this.page.getByRole("button", { name: button }).click()
    await expect(names).toHaveCount(before + 1)
    return names.nth(before)
  }

  /** Runs the request by calling `act`. Returns the body that was sent and the tokens that were charged. */
  async run(act: () => Promise<void>): Promise<{ sent: string; tokens: number }> {
    const sending = this.page.waitForRequest("**/playground/decisions")
    await act()
    const request = await sending
    const response = await request.response()
    if (!response) throw new Error("the request got no response")
    expect(response.status()).toBe(200)
    const { usage } = (await response.json()) as { usage: { input_tokens: number } }
    return { sent: request.postData() ?? "", tokens: usage.input_tokens }
  }

  focused(): Promise<string> {
    return this.page.evaluate(() => {
      const element = document.activeElement
      if (!(element instanceof HTMLElement)) return ""
      const labels = "labels" in element ? [...((element.labels as NodeListOf<HTMLElement> | null) ?? [])] : []
      const label = element.getAttribute("aria-label") ?? labels[0]?.innerText ?? element.innerText
      const card = element.closest("[data-question]")?.querySelector("legend")?.textContent
      return card ? `${card}: ${label}` : label
    })
  }

  async tabTo(label: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
    const passed: string[] = []
    for (let i = 0; i < 120; i++) {
      const now = await this.focused()
      if (now === label) return
      passed.push(now)
      await this.page.keyboard.press(key)
    }
    throw new Error(`${label} was not reached; passed: ${passed.join(" | ")}`)
  }

  async typeInto(label: string, text: string): Promise<void> {
    await this.tabTo(label)
    await this.page.keyboard.press("ControlOrMeta+a")
    await this.page.keyboard.type(text)
  }
}
