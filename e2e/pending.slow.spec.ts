import { setTimeout as sleep } from "node:timers/promises"
import type { Page } from "@playwright/test"
import { signInToEvaluate } from "./support/evaluate"
import { HeldPresses } from "./support/held-press"
import type { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { type Spent, spend } from "./support/spent"
import { expect, test } from "./support/test"

const LATENCY_MS = 1_500

let service: Service
let spent: Spent
test.beforeAll(async ({ service: shared }) => {
  service = shared
  spent = await spend(service, newEmail("pending"))
})

const bar = (page: Page) => page.getByRole("progressbar", { name: "Loading the page" })
const menu = (page: Page) => page.getByRole("navigation", { name: "Console" })

test("at 1.5 s of latency, a bar and then a skeleton follow the mark, and the page follows them", async ({ page }) => {
  const presses = await HeldPresses.of(page)
  await signIn(page, service, spent.email, "/members")
  for (const [name, heading] of [
    ["Usage", "Usage"],
    ["Requests", "Requests"],
    ["Settings", "Settings"],
  ] as const) {
    const link = menu(page).getByRole("link", { name, exact: true })
    presses.hold()
    await link.click()
    await expect(link).toHaveAttribute("data-pending", "")
    const delays = await bar(page).evaluate((element) =>
      element.getAnimations().map((animation) => animation.effect?.getTiming().delay),
    )
    expect(delays).toEqual([300])
    await Promise.all([sleep(LATENCY_MS), expect(page.locator("[data-skeleton]")).toBeVisible()])
    await expect(page.getByRole("heading", { level: 1 })).toBeHidden()
    await presses.release()
    await expect(page.getByRole("heading", { level: 1, name: heading })).toBeVisible()
    await expect(bar(page)).toHaveCount(0)
    await expect(page.locator("[data-pending], [data-skeleton]")).toHaveCount(0)
  }
  await page.goBack()
  await expect(page.getByRole("heading", { level: 1, name: "Requests" })).toBeVisible()
  await expect(bar(page)).toHaveCount(0)
})

test("a filter marks its field while its result loads, and shows no skeleton", async ({ page }) => {
  const presses = await HeldPresses.of(page)
  await signIn(page, service, spent.email, "/usage")
  const select = page.getByRole("form", { name: "Filters" }).getByLabel("Group by")
  presses.hold()
  await select.selectOption("key")
  await expect(select).toHaveAttribute("data-pending", "")
  await expect(bar(page)).toHaveCount(1)
  await sleep(LATENCY_MS)
  await expect(page.locator("[data-skeleton]")).toHaveCount(0)
  await presses.release()
  await expect(page).toHaveURL(/by=key/)
  await expect(bar(page)).toHaveCount(0)
  await expect(select).not.toHaveAttribute("data-pending")
})

for (const [path, names] of [
  ["/keys", ["Create key", /^Actions for/]],
  ["/playground", ["Share"]],
] as const)
  test(`a button of ${path} is marked while the code of the dialog or menu that it opens loads`, async ({ page }) => {
    await signIn(page, service, spent.email, path)
    let release: (() => void) | undefined
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route("**/_next/static/**", async (route) => {
      await isReleased
      await route.continue()
    })
    for (const name of names) {
      const opener = page.getByRole("button", { name }).first()
      await opener.click()
      await expect(opener).toHaveAttribute("data-pending", "")
    }
    release?.()
    await expect(page.getByRole("dialog").or(page.getByRole("menu")).first()).toBeVisible()
    await expect(page.locator("[data-pending]")).toHaveCount(0)
  })

test("each button for the sample is pending while the sample loads, and no other one", async ({ page }) => {
  await signInToEvaluate(service, page, "1")
  for (const name of ["Use the sample", "Open these rows"]) {
    await page.route("**/samples/support-tickets.csv", () => undefined)
    await page.getByRole("button", { name }).click()
    await expect(page.locator("main [aria-busy=true]")).toHaveText(["Reading…", "Reading…"])
    await expect(page.getByRole("button", { name: "Open file" })).toBeDisabled()
    await page.reload()
  }
})
