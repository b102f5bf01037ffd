import type { Page } from "@playwright/test"
import { writeShare } from "@/lib/shared/share-link/share-link"
import { expectAccessible, NARROW } from "./support/axe"
import { finished, signInToEvaluate } from "./support/evaluate"
import { HEAVY, type HeavyRequest } from "./support/heavy-requests"
import { PlaygroundPage } from "./support/playground"
import { MODEL } from "./support/requests"
import type { Service } from "./support/service"
import { expect, test } from "./support/test"
import { Views } from "./support/views"

const RUN = "x".repeat(100_000)
const LEVELS = [RUN, `${RUN}y`]
const REQUEST = JSON.stringify({
  model: MODEL,
  state: RUN,
  questions: {
    rating: { type: "score", instructions: RUN, criteria: LEVELS },
    fits: { type: "noul", instructions: "Does it fit?" },
    kind: { type: "choice", instructions: "Which kind?", criteria: { one: RUN, two: null } },
  },
})
const RESPONSE = JSON.stringify({
  model: MODEL,
  answers: {
    rating: {
      type: "score",
      score: 0.25,
      confidence: 0.5,
      legend: { 0: LEVELS[0], 1: LEVELS[1] },
      probabilities: { 0: 0.75, 1: 0.25 },
    },
    fits: { type: "noul", noul: 0.75 },
    kind: { type: "choice", choice: "one", confidence: 0.5, probabilities: { one: 0.75, two: 0.25 } },
  },
  usage: { input_tokens: 1, output_tokens: 3 },
})
const shareLink = async (url: string, { request = REQUEST, response = RESPONSE }: Partial<HeavyRequest> = {}) =>
  `${url}/share#${await writeShare({ requestText: request, responseText: response, thresholds: new Map() })}`

/** Answers every run. The keyword scorer would refuse texts of this length. */
const answerAll = (page: Page, body = RESPONSE) =>
  page.route(/\/(playground|evaluate)\/decisions$/, (route) => route.fulfill({ contentType: "application/json", body }))

test("the share page answers a key press with 100,000 unbroken characters in each text", async ({
  browser,
  page,
  service,
}) => {
  const views = new Views(browser, page)
  const link = await shareLink(service.url)
  const showAll = page.getByRole("button", { name: /^… Show all 100,000 characters$/ })
  await views.open("share page", () => page.goto(link), page.getByRole("heading", { name: "Answers" }))
  // A mouse may miss it: the page lays out the long text above only while it scrolls.
  const showState = () => showAll.first().dispatchEvent("click")
  await views.open("state, all", showState, page.getByRole("button", { name: "Show less" }))
  await views.open(
    "request as JSON",
    () => page.getByText("The request as JSON").dispatchEvent("click"),
    page.getByText("Body of POST /v1/decisions"),
  )
  const levels = page.getByRole("table", { name: "Probabilities of rating" })
  const showTable = () => page.getByText("Show as a table").first().dispatchEvent("click")
  await views.open("table of levels", showTable, levels)
  await views.expectFast()
})

test("the playground answers a key press with 100,000 unbroken characters in each text", async ({
  browser,
  page,
  service,
}) => {
  const views = new Views(browser, page)
  await answerAll(page)
  const play = await PlaygroundPage.enter(page, service, "long-words@example.com")
  await page.goto(await shareLink(service.url))
  await views.open(
    "form",
    () => page.getByRole("button", { name: "Open in playground" }).click(),
    page.getByText("The shared request is open"),
  )
  await play.untilEditing()
  await views.type("typing in the state", play.state)
  await views.type("typing in instructions", page.getByRole("textbox", { name: "Instructions", exact: true }).first())
  await views.type("typing in a level", page.getByRole("textbox", { name: "Level 0", exact: true }))
  await views.open("request as JSON", () => play.show("JSON"), play.json)
  await views.type("typing in JSON", play.json)
  await play.show("Form")
  const run = () => page.getByRole("button", { name: "Run", exact: true }).click()
  const table = page.getByText("Show as a table").first()
  await views.open("answers", run, table)
  const levels = page.getByRole("table", { name: "Probabilities of rating" })
  await views.open("table of levels", () => table.click(), levels)
  const raw = page.getByText("Raw request and response")
  await views.open("raw request and response", () => raw.click(), page.getByText("Response, status 200"))
  const code = page.getByRole("tabpanel", { name: "TypeScript" })
  await views.open("code", () => page.getByRole("tab", { name: "Code", exact: true }).click(), code)
  await page.getByRole("tab", { name: "Answers" }).click()
  await play.state.click()
  await page.keyboard.type("b")
  await run()
  const history = page.getByRole("tab", { name: "History" })
  await views.open("history", () => history.click(), page.getByRole("button", { name: "View run 2" }))
  for (const box of await page.getByRole("checkbox", { name: /to compare$/ }).all()) await box.check()
  const differences = page.getByRole("region", { name: "Differences: State" })
  await views.open("comparison", () => page.getByRole("button", { name: /^Compare/ }).click(), differences)
  await page.getByRole("button", { name: "Back to the list" }).click()
  await views.open("past run", () => page.getByRole("button", { name: "View run 1" }).click(), table)
  await views.expectFast()
})

test("Evaluate answers a key press with 100,000 unbroken characters in each text", async ({
  browser,
  page,
  topups: { service },
}) => {
  const views = new Views(browser, page)
  await answerAll(page)
  await signInToEvaluate(service, page, "900", "/playground")
  await page.goto(await shareLink(service.url))
  await page.getByRole("button", { name: "Open in playground" }).click()
  await expect(page.getByText("The shared request is open")).toBeVisible()
  await views.open(
    "sets",
    () => page.getByRole("button", { name: "Evaluate this" }).click(),
    page.getByRole("heading", { name: "Open rows with known answers" }),
  )
  const rows = Array.from({ length: 4 }, (_, at) => `"${RUN}${at}\n\n${RUN}",1,no,two`)
  const buffer = Buffer.from(`text,rating,fits,kind\n${rows.join("\n")}\n`)
  await views.open(
    "rows",
    () => page.getByLabel("Rows from a file").setInputFiles({ name: "rows.csv", mimeType: "text/csv", buffer }),
    page.getByText("4 of 4 rows can be used"),
  )
  const tab = (name: string) => page.getByRole("tab", { name }).click()
  const button = (name: string | RegExp) => page.getByRole("button", { name })
  await views.open(
    "questions",
    () => tab("Questions"),
    page.getByRole("textbox", { name: "Instructions", exact: true }).first(),
  )
  await views.open("run", () => tab("Run"), button("Run 4 rows"))
  await page.getByLabel("Cost cap in USD").fill("")
  await views.open("running", () => button("Run 4 rows").click(), page.getByRole("heading", { name: "Finished" }))
  await finished(page)
  const wrong = button(/^Label was wrong/).first()
  await views.open("results", () => button("See the results").click(), wrong)
  await page.getByText("Costs", { exact: true }).click()
  await button("Accept this threshold").click()
  await expect(button("Accepted")).toBeVisible()
  const record = page.getByRole("article", { name: "Sign-off record" })
  await tab("Sign-off")
  await views.open("record", () => button("Make the record").click(), record)
  await tab("Results")
  const exported = page.getByText("evaluation.test.ts", { exact: true })
  await views.open("exported test", () => button("Export as a test").click(), exported)
  const code = page.getByText("The code asks your questions")
  await views.open("exported code", () => button("Export code").click(), code)
  for (const kind of ["Stability", "What moves the answer"]) {
    await tab("Robustness")
    await page.getByText(kind, { exact: true }).click()
    await page.getByLabel("Cost cap in USD").fill("")
    const found = page.getByRole("table", { name: kind === "Stability" ? "Checks" : "Parts" })
    await views.open(`robustness, ${kind}`, () => button(/^Send \d+ requests$/).click(), found)
  }
  await answerAll(page, RESPONSE.replace('"noul":0.75', '"noul":0.25'))
  await tab("Run")
  await page.getByLabel("Cost cap in USD").fill("")
  await button("Run 4 rows").click()
  await finished(page)
  await page.getByRole("tab", { name: "Compare" }).click()
  await page.getByLabel("Question", { exact: true }).selectOption("fits")
  await views.open("compared runs", () => tab("Compare"), button(/^Open in playground line/).first())
  await views.expectFast()
})

test("Evaluate answers a key press with 1,000 unbroken characters in names of columns and 100,000 in right answers", async ({
  browser,
  page,
  topups: { service },
}) => {
  const views = new Views(browser, page)
  await answerAll(page, RESPONSE)
  await signInToEvaluate(service, page, "900")
  const rows = Array.from({ length: 6 }, (_, at) => `Order ${at},${RUN}${at % 2},no,${at}`)
  const [first, last] = ["x", "y"].map((letter) => letter.repeat(1_000))
  const buffer = Buffer.from(`${first},label,fits,${last}\n${rows.join("\n")}\n`)
  const upload = () =>
    page.getByLabel("Rows from a file").setInputFiles({ name: "rows.csv", mimeType: "text/csv", buffer })
  await views.open("rows", upload, page.getByText("6 of 6 rows can be used"))
  const button = (name: string | RegExp) => page.getByRole("button", { name }).first()
  const tab = (name: string) => page.getByRole("tab", { name }).click()
  const suggested = page.getByText("These columns look like answers")
  await views.open("suggestions", () => tab("Questions"), suggested)
  await views.open(
    "added question",
    () => button(/^Add a question for/).click(),
    page.getByLabel("Name", { exact: true }),
  )
  const labels = page.getByLabel(/^Right answers of/).first()
  await views.open("right answers", () => tab("Rows"), labels)
  const choose = () => labels.selectOption({ index: 2 })
  await views.open("column that does not fit", choose, page.getByRole("table", { name: "Rows left out" }))
  await views.open("whole row as JSON", () => page.getByText("Whole row as JSON").click(), page.getByText("Row 1"))
  await views.expectFast()
})

const limit = async (service: Service, questions: string): Promise<void> => {
  await service.operator("model", "limits", MODEL, "--questions", questions)
}

test.beforeAll(({ service }) => limit(service, "128"))
test.afterAll(({ service }) => limit(service, "16"))

for (const [name, content] of Object.entries(HEAVY)) {
  test(`a link to ${name} answers a key press`, async ({ browser, page, service }) => {
    const views = new Views(browser, page)
    const link = await shareLink(service.url, content)
    await views.open("share page", () => page.goto(link), page.getByRole("heading", { name: "Answers" }))
    const showAll = page.locator("button", { hasText: "Show all" }).first()
    if (await showAll.isVisible()) await views.open("all", () => showAll.dispatchEvent("click"), page.locator("main"))
    const json = page.locator("figcaption", { hasText: "Body of POST /v1/decisions" })
    const summary = page.locator("summary", { hasText: "The request as JSON" })
    await views.open("request as JSON", () => summary.click(), json)
    await views.expectFast()
  })

  test(`the playground answers a key press with ${name}`, async ({ browser, page, service }) => {
    const views = new Views(browser, page)
    await answerAll(page, content.response ?? RESPONSE)
    const play = await PlaygroundPage.enter(page, service, "heavy-links@example.com")
    await page.goto(await shareLink(service.url, content))
    // By CSS: looking for a role computes the name of each of 10,000 buttons within the page, which takes seconds.
    const button = (text: string | RegExp) => page.locator("button", { hasText: text }).first()
    const tab = (text: string) => page.locator("[role=tab]", { hasText: text }).click()
    const shared = page.locator("p", { hasText: "The shared request is open" })
    await views.open("form", () => button("Open in playground").click(), shared)
    await play.untilEditing()
    await views.type("typing in the state", page.locator(".cm-content").first())
    const raw = page.locator("summary", { hasText: "Raw request and response" })
    await views.open("answers", () => button(/^Run$/).click(), raw)
    await views.open(
      "raw request and response",
      () => raw.click(),
      page.locator("figcaption", { hasText: "Response," }),
    )
    await views.open("code", () => tab("Code"), page.locator("figcaption", { hasText: "decide.ts" }))
    const view = button("View")
    await views.open("history", () => tab("History"), view)
    await views.open("past run", () => view.click(), button("Back to the list"))
    await views.expectFast()
  })
}

test("a text that is slow to edit is shown in part, sent whole, and edited whole on demand", async ({
  page,
  service,
}) => {
  const instructions = "a\u05d0".repeat(4_001)
  const request = JSON.stringify({ model: MODEL, state: "s", questions: { fits: { type: "noul", instructions } } })
  await answerAll(page)
  const play = await PlaygroundPage.enter(page, service, "excerpts@example.com")
  await page.goto(await shareLink(service.url, { request }))
  await page.getByRole("button", { name: "Open in playground" }).click()
  const field = page.getByRole("textbox", { name: "Instructions", exact: true })
  await expect(field).toHaveAccessibleDescription(/^These are the first 2,000 of 8,002 characters\./)
  await expect(field).toHaveValue(instructions.slice(0, 2_000))
  await expectAccessible(page, NARROW)
  await play.untilEditing()
  const sending = page.waitForRequest("**/playground/decisions")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  expect((await sending).postDataJSON().questions.fits.instructions).toBe(instructions)
  await page.getByRole("button", { name: "Edit all" }).click()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(instructions)
  await page.keyboard.press("Control+End")
  await page.keyboard.type("b")
  await expect(field).toHaveValue(`${instructions}b`)
})

test("the text of a field that does not wrap is not seen under the button of the field", async ({ page, service }) => {
  await page.setViewportSize({ width: 768, height: 900 })
  await PlaygroundPage.enter(page, service, "unwrapped@example.com")
  const field = page.getByRole("textbox", { name: "Instructions", exact: true }).first()
  const button = page.getByRole("button", { name: "Write as JSON: Instructions" }).first()
  // Without the edges: Chromium draws the corner of a field that scrolls in another shade.
  const screenshotInside = async () => {
    const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return await page.screenshot({ clip: { x: x + 4, y: y + 4, width: width - 8, height: height - 8 } })
  }
  await field.fill("short")
  const shown = await screenshotInside()
  await field.fill("x".repeat(600))
  await expect(field).toHaveAttribute("wrap", "off")
  await field.evaluate((area) => {
    area.scrollLeft = 100
  })
  expect(await screenshotInside()).toEqual(shown)
})
