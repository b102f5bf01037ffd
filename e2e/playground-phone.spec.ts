import { PlaygroundPage } from "./support/playground"
import type { Service } from "./support/service"
import { newEmail } from "./support/sign-in"
import { expect, PHONE, test } from "./support/test"

test.use(PHONE)

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

test("on a phone Run is always visible, every control is large enough to touch, and a run shows its answers", async ({
  page,
}) => {
  const play = await PlaygroundPage.enter(page, service, newEmail("phone"))
  const run = page.getByRole("button", { name: "Run", exact: true })
  await expect(run).toBeInViewport()
  await page.getByRole("button", { name: "Add score" }).scrollIntoViewIfNeeded()
  await expect(run).toBeInViewport()
  const small = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("main :is(button, input, select, textarea, summary, label:has(input))")]
      .filter((element) => element.checkVisibility() && !element.matches(".sr-only"))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.width < 44 || box.height < 44))
      .map(({ element, box }) => `${element.ariaLabel ?? element.textContent} ${box.width}×${box.height}`),
  )
  expect(small).toEqual([])
  // The sticky bar never covers the focused element.
  await play.state.focus()
  const covered: (string | null)[] = []
  for (let i = 0; i < 30; i++) {
    await page.keyboard.press("Tab")
    const name = await page.evaluate(() => {
      const bar = document.querySelector("[data-bottom-bar]")
      const focused = document.activeElement
      if (!bar || !focused || bar.contains(focused)) return null
      return focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top
        ? focused.outerHTML.slice(0, 80)
        : null
    })
    covered.push(name)
  }
  expect(covered.filter(Boolean)).toEqual([])
  await play.run(() => run.tap())
  await expect(play.state).toBeHidden()
  await expect(page.getByRole("button", { name: "Answers", exact: true })).toHaveAttribute("aria-pressed", "true")
  await expect(page.getByRole("heading", { name: "wants_refund" })).toBeVisible()
  await page.getByText("Raw request and response").scrollIntoViewIfNeeded()
  await expect(run).toBeInViewport()
})
