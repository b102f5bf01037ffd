import type { Page } from "@playwright/test"
import { expectAccessible } from "./support/axe"
import { PlaygroundPage } from "./support/playground"
import { run, runAnswered, tableOf, untilStored } from "./support/runs"
import type { Service } from "./support/service"
import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

const enter = (page: Page) => PlaygroundPage.enter(page, service, newEmail("runner"))

test("runs are stored in the browser, searched, labelled, compared, run again and deleted", async ({ page }) => {
  const failures: string[] = []
  page.on("console", (message) => message.type() === "error" && failures.push(message.text()))
  const play = await enter(page)
  await runAnswered(page)
  await play.fill(play.state, "Where is my parcel?")
  const answer = await holdAnswer(page)
  await run(page)
  await page.getByRole("tab", { name: "History" }).click()
  await expect(page.getByText("Your last run, in this browser only.")).toBeVisible()
  // A run that ends while the history is open is added to it.
  answer()
  await expect(page.getByRole("button", { name: "View run 2" })).toBeVisible()
  await page.reload()
  await play.untilEditing()
  // The last answers are still shown.
  await expect(page.getByRole("heading", { name: "wants_refund" })).toBeVisible()
  const changed = page.getByText("request changed since")
  await play.fill(play.state, "Where is my parcel now?")
  await expect(changed).toBeVisible()
  await play.fill(play.state, "Where is my parcel?")
  await expect(changed).toHaveCount(0)
  await page.getByRole("tab", { name: "History" }).click()
  await page.getByRole("searchbox", { name: "Search your runs" }).fill("parcel")
  await expect(page.getByRole("button", { name: "View run 2" })).toBeVisible()
  await expect(page.getByRole("button", { name: "View run 1" })).toHaveCount(0)
  await page.getByRole("button", { name: "Label run 2" }).click()
  await page.keyboard.type("Another state")
  await page.keyboard.press("Enter")
  await expect(page.getByText("Another state: Where is my parcel?")).toBeVisible()
  await page.getByRole("searchbox", { name: "Search your runs" }).fill("")
  const boxes = page.getByRole("checkbox", { name: /to compare$/ })
  await expect(boxes).toHaveCount(2)
  for (const box of await boxes.all()) await box.check()
  await page.getByRole("button", { name: /^Compare/ }).click()
  await expect(page.getByText(/of 3 answers differs?\./)).toBeVisible()
  await expect(page.getByText("Differs", { exact: true }).first()).toBeVisible()
  await expect(page.getByRole("region", { name: "Differences: State" }).locator("ins").first()).toBeVisible()
  await expectAccessible(page, { themes: ["dark"] })
  await page.getByRole("button", { name: "Back to the list" }).click()
  await page.getByRole("button", { name: "View run 1" }).click()
  await page.getByRole("button", { name: "Run again" }).click()
  await expect(page.getByText("Answered", { exact: true })).toBeVisible()
  await expect(play.state).toContainText("Charged twice for my order")
  await untilStored(page, 3)
  await page.getByRole("tab", { name: "History" }).click()
  await page.getByRole("button", { name: "Clear all" }).click()
  await page.getByRole("button", { name: "Clear 3 runs" }).click()
  await expect(page.getByText("No runs yet")).toBeVisible()
  expect(failures).toEqual([])
})

/** Holds back the next response until the returned function is called. */
async function holdAnswer(page: Page): Promise<() => void> {
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const url = "**/playground/decisions"
  await page.route(url, (route) => isAnswered.then(() => route.continue()), { times: 1 })
  return answer
}

test("a share link shows request and answers to anyone, and opens in the playground after sign-in", async ({
  page,
  browser,
}) => {
  await enter(page)
  const { answers } = await runAnswered(page)
  const threshold = page.getByRole("slider", { name: "team: review below a confidence of" })
  await threshold.focus()
  await page.keyboard.press("End")
  await expect(page.getByText("review below 1.00: Review")).toBeVisible()
  await page.getByRole("button", { name: "Share" }).click()
  await expect(page.getByRole("dialog")).toContainText("The state is included")
  const href = await page.getByLabel("Link", { exact: true }).inputValue()
  expect(href.startsWith(`${service.url}/share#v1.`)).toBe(true)
  // The link with the answers is gone before the one without them is made.
  await page.evaluate(() => {
    Response.prototype.arrayBuffer = () => new Promise(() => undefined)
  })
  await page.getByRole("checkbox", { name: /^Include the answers/ }).uncheck()
  await expect(page.getByText("Making the link…")).toBeVisible()
  await expect(page.getByLabel("Link", { exact: true })).toHaveCount(0)

  const visitorEmail = newEmail("visitor")
  const otherContext = await browser.newContext()
  const visitor = await otherContext.newPage()
  const requests: string[] = []
  visitor.on("request", (request) => requests.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`))
  await visitor.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      document.documentElement.dataset.violations = `${violatedDirective} ${blockedURI}`
    })
  })
  await visitor.goto(href)
  await expect(visitor.getByText("The state is included")).toBeVisible()
  await expect(visitor.getByText("Charged twice for my order").first()).toBeVisible()
  expect((await tableOf(visitor, "wants_refund")).Yes).toBe(String(answers.wants_refund.noul))
  await expect(visitor.getByText("review below 1.00")).toBeVisible()
  expect(await visitor.locator("html").getAttribute("data-violations")).toBeNull()
  await expectAccessible(visitor)
  await visitor.getByRole("button", { name: "Open in playground" }).click()
  await expect(visitor.getByLabel("E-mail address")).toBeVisible()
  // The mailed link opens in another tab.
  await visitor.getByLabel("E-mail address").fill(visitorEmail)
  await visitor.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(visitor.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
  const tab = await otherContext.newPage()
  tab.on("request", (request) => requests.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`))
  await tab.goto(await service.mailedLink(visitorEmail))
  await tab.getByRole("button", { name: "Sign in" }).click()
  await expect(tab.getByText("The shared request is open")).toBeVisible()
  await expect(tab.getByRole("textbox", { name: "State", exact: true })).toContainText("Charged twice for my order")
  await tab.getByRole("tab", { name: "Code", exact: true }).click()
  await expect(tab.getByRole("tabpanel", { name: "TypeScript" })).toContainText(`["team", { confidence: 1, model:`)
  expect(
    requests.filter((line) => line.includes("/playground/decisions") || line.includes(href.split("#v1.")[1] ?? "x")),
  ).toEqual([])

  await visitor.goto(`${service.url}/share#v1.broken`)
  await expect(visitor.getByRole("alert").getByText("This link is damaged")).toBeVisible()
  await expectAccessible(visitor, { themes: ["light"] })
  await otherContext.close()
})
