import type { Page } from "@playwright/test"
import { PlaygroundPage } from "./support/playground"
import { exactly, shown } from "./support/price"
import { MODEL } from "./support/requests"
import type { Service } from "./support/service"
import { newEmail } from "./support/sign-in"
import { expect, test } from "./support/test"

let service: Service
test.beforeAll(({ service: shared }) => {
  service = shared
})

const enter = (page: Page, email = newEmail("builder")) => PlaygroundPage.enter(page, service, email)

const BUILT = {
  model: "svc-decider-latest",
  state: 'The lamp arrived broken. "Refund me," says the customer.',
  questions: {
    wants_refund: { type: "noul", instructions: "Does the customer want money back?", criteria: { true: "A refund" } },
    team: {
      type: "choice",
      instructions: "Which team?",
      criteria: { billing: "Payments", shipping: "Parcels", other: null },
    },
    anger: { type: "score", criteria: ["calm", "angry"] },
  },
}

test("each question type is built by mouse alone, and the charge equals the cost shown", async ({ page }) => {
  const email = newEmail("mouse")
  const play = await enter(page, email)
  await play.removeAll()
  await play.fill(play.state, BUILT.state)
  await (await play.add("Add yes/no")).fill("wants_refund")
  await play
    .question("wants_refund")
    .getByLabel("Instructions", { exact: true })
    .fill("Does the customer want money back?")
  await play.question("wants_refund").getByLabel("Yes means", { exact: true }).fill("A refund")
  await (await play.add("Add choice")).fill("team")
  const team = play.question("team")
  await team.getByLabel("Instructions", { exact: true }).fill("Which team?")
  await team.getByRole("button", { name: "Paste a list" }).click()
  await team.getByLabel("List").fill("- billing: Payments\n- shipping: Parcels")
  await team.getByRole("button", { name: "Add 2 options" }).click()
  await team.getByRole("button", { name: "Add “other”" }).click()
  await team.getByRole("button", { name: "Write as JSON: What option 3 covers" }).click()
  await team.getByLabel("What option 3 covers, as JSON").fill("null")
  await (await play.add("Add score")).fill("anger")
  const anger = play.question("anger")
  for (const [level, words] of ["calm", "angry"].entries())
    await anger.getByLabel(`Level ${level}`, { exact: true }).fill(words)
  await anger.getByRole("button", { name: "Remove level 2" }).click()

  await expect(play.cost).toContainText("Per run")
  await expect(play.cost).toHaveAttribute("aria-busy", "false")
  const [tokens = "", perRun = "", , left = ""] = await play.cost.locator("dd").allInnerTexts()
  // Rounded, with the exact amount on hover.
  const exactAt = (index: number) => play.cost.locator("dd").nth(index).locator("[title]").getAttribute("title")
  const [exactPerRun, exactPer1000] = [await exactAt(1), await exactAt(2)]
  const ran = await play.run(() => page.getByRole("button", { name: "Run", exact: true }).click())
  expect(JSON.parse(ran.sent)).toEqual(BUILT)
  expect(tokens).toBe(String(ran.tokens))
  const { balance_usd: balance } = await service.operator<{ balance_usd: string }>("account", "show", email)
  const chargedPico = 1_000_000_000_000n - BigInt(balance.replace(".", ""))
  expect(chargedPico).toBe(BigInt(ran.tokens) * 731_000n)
  expect(perRun).toBe(shown(chargedPico))
  expect([exactPerRun, exactPer1000]).toEqual([exactly(chargedPico), exactly(chargedPico * 1000n)])
  expect(left).toBe((1_000_000_000_000n / chargedPico).toLocaleString("en-US"))

  // The restored draft replaces the example entirely, options included.
  await page.reload()
  await play.untilEditing()
  const again = await play.run(() => page.getByRole("button", { name: "Run", exact: true }).click())
  expect(JSON.parse(again.sent)).toEqual(BUILT)
})

test("each question type is built by keyboard alone", async ({ page }) => {
  const play = await enter(page)
  const press = (key: string) => page.keyboard.press(key)
  for (const name of ["wants_refund", "team", "urgency"]) {
    await play.tabTo(`Question ${name}: Remove ${name}`)
    await press("Enter")
    await expect.poll(() => play.focused()).toBe(`Undo: Removed ${name}`)
  }
  await play.typeInto("State", BUILT.state)
  await expect(play.state).toHaveAccessibleDescription(/Tab leaves the editor/)
  await press("Tab")
  await expect(play.state).not.toBeFocused()
  await play.tabTo("Add yes/no")
  await press("Enter")
  await page.keyboard.type("Does the customer want money back?")
  await play.tabTo("Question question_1: Name", "Shift+Tab")
  await page.keyboard.press("ControlOrMeta+a")
  await page.keyboard.type("wants_refund")
  await play.typeInto("Question wants_refund: Yes means", "A refund")
  await play.tabTo("Add choice")
  await press("Enter")
  await page.keyboard.type("Which team?")
  await play.typeInto("Question question_1: Name of option 1", "billing")
  await play.typeInto("Question question_1: What option 1 covers", "Payments")
  await play.typeInto("Question question_1: Name of option 2", "shipping")
  await play.typeInto("Question question_1: What option 2 covers", "Parcels")
  await play.tabTo("Question question_1: Add option")
  await press("Enter")
  await expect.poll(() => play.focused()).toBe("Question question_1: Name of option 3")
  await page.keyboard.type("other")
  await play.tabTo("Question question_1: Name", "Shift+Tab")
  await press("ControlOrMeta+a")
  await page.keyboard.type("team")
  await play.tabTo("Add score")
  await press("Enter")
  await play.typeInto("Question question_1: Level 0", "calm")
  await play.typeInto("Question question_1: Level 1", "angry")
  // The focus follows a level. At an end it goes to the other arrow.
  await play.tabTo("Question question_1: Move level 1 up")
  for (const arrow of ["Move level 0 down", "Move level 1 down", "Move level 2 up", "Move level 1 up"]) {
    await press("Enter")
    await expect.poll(() => play.focused()).toBe(`Question question_1: ${arrow}`)
  }
  await play.tabTo("Question question_1: Remove level 2")
  await press("Enter")
  await play.tabTo("Question question_1: Name")
  await press("ControlOrMeta+a")
  await page.keyboard.type("anger")
  await play.tabTo("Question anger: Move anger up", "Shift+Tab")
  await press("Enter")
  await expect.poll(() => play.names()).toEqual(["wants_refund", "anger", "team"])
  for (const arrow of ["up", "down", "down"]) {
    await expect.poll(() => play.focused()).toBe(`Question anger: Move anger ${arrow}`)
    await press("Enter")
  }
  await expect.poll(() => play.focused()).toBe("Question anger: Move anger up")
  const { sent } = await play.run(() => press("ControlOrMeta+Enter"))
  expect(sent.replaceAll(/\n\s*/g, "")).toBe(
    JSON.stringify(BUILT)
      .replaceAll(/,(?=")/g, ",")
      .replaceAll(/":(?=[{["n])/g, '": ')
      .replace('"calm","angry"', '"calm", "angry"'),
  )
})

test("form and JSON are two views of one request, and nothing typed is lost", async ({ page, context }) => {
  const play = await enter(page)
  const odd =
    '{"questions":{"10":{"criteria":{"no":null,"10":{"n":1e400},"__proto__":"\\u0041"},"type":"choice","instructions":null},"2":{"type":"noul","criteria":{}}},"state":[-0,1.10,"\\ud83d\\ude00"],"model":"svc-decider-latest"}'
  await play.show("JSON")
  await play.fill(play.json, odd)
  await expect(play.cost).toContainText("Per run")
  await play.show("Form")
  await expect.poll(() => play.names()).toEqual(["10", "2"])
  await expect(play.question("10").getByLabel("What option 3 covers", { exact: true })).toHaveValue("A")
  await play.question("2").getByLabel("Instructions", { exact: true }).fill("Is it?")
  const expected = odd.replace('"criteria":{}}', '"criteria":{},"instructions":"Is it?"}')
  const tight = (text: string) => text.replaceAll(/\n\s*/g, "").replaceAll(/": /g, '":')
  const { sent } = await play.run(() => page.getByRole("button", { name: "Run", exact: true }).click())
  expect(tight(sent)).toBe(expected)

  // Shift would otherwise select text from the field to the control, and the press would be lost.
  await play.question("2").getByLabel("Instructions", { exact: true }).click()
  await page.keyboard.down("Shift")
  await play.show("JSON")
  await page.keyboard.up("Shift")
  // The JSON follows the model select. JSON with an error cannot be shown as a form.
  await page.getByLabel("Model", { exact: true }).selectOption(MODEL)
  await expect(play.json).toContainText(`"model": "${MODEL}"`)
  await play.fill(play.json, '{"model": "m",\n "state": "s",\n "state": "t"}')
  await expect(page.getByText("Line 3, column 2: An object has two members with the same name.")).toBeVisible()
  await page.keyboard.press("Shift+Tab")
  await expect(page.getByRole("button", { name: "Go to error" })).toBeFocused()
  await play.show("Form")
  await expect(page.getByRole("alert").getByText("The form cannot show this request.")).toBeVisible()
  await play.fill(play.json, '{"model": "m",\n "state": nul,\n "questions": {}}')
  await expect(page.getByText('Line 2, column 11: Expected a value: "text", a number')).toBeVisible()
  await page.getByRole("heading", { name: "Request" }).click()
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await expect(play.json).toBeFocused()
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe("nul")

  // Every error is listed, not only the first.
  await play.fill(play.json, '{"model": "",\n "state": null,\n "questions": {"q": {"type": "nul"}}}')
  await expect(page.getByText("Line 1, column 11: The model must be a string")).toBeVisible()
  await expect(page.getByText("Line 3, column 30: The type of a question is")).toBeVisible()
  await page.getByRole("button", { name: "Go to error" }).nth(1).click()
  await expect.poll(() => page.evaluate(() => getSelection()?.toString())).toBe("null")

  // One question more than the model takes is marked in both views while typing.
  const questions = Array.from({ length: 17 }, (_, at) => `"q${at}":{"type":"noul","instructions":"Is it?"}`)
  await play.fill(play.json, `{"model":"${MODEL}","state":"s",\n"questions":{${questions}}}`)
  await expect(page.getByText("Line 2, column 13: This model takes at most 16 questions in a request.")).toBeVisible()
  await play.show("Form")
  await expect(page.getByText("This model takes up to 16 questions. Remove 1.")).toBeInViewport()
  await play.show("JSON")
  await play.fill(play.json, '{"model": "m",\n "state": "s",\n "state": "t"}')

  await page.reload()
  await play.untilEditing()
  await expect(play.json).toContainText('"state": "t"')
  await play.fill(play.json, odd)
  await play.show("Form")
  await play.state.click()
  await page.keyboard.press("ControlOrMeta+End")
  await page.keyboard.type(" typed and gone at once")
  await page.reload()
  await play.untilEditing()
  await expect(play.state).toContainText("typed and gone at once")

  // Each line of a state runs in the direction of its first letter.
  await page.getByRole("group", { name: "State format" }).getByText("Text").click()
  await play.fill(play.state, "שלום\nhello")
  await expect(play.state.locator(".cm-line").nth(0)).toHaveCSS("direction", "rtl")
  await expect(play.state.locator(".cm-line").nth(1)).toHaveCSS("direction", "ltr")

  // Another account in the same browser starts with the example.
  await context.clearCookies()
  const other = await enter(page)
  await expect(other.state).toContainText("Charged twice for my order")
  await expect(page.getByText("typed and gone at once")).toHaveCount(0)
})

test("leaving the page while a question is dragged ends the drag", async ({ page }) => {
  await page.addInitScript(() => {
    const request = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (callback) => {
      performance.mark("frame")
      return request(callback)
    }
  })
  const countFrames = () =>
    page.evaluate(async () => {
      performance.clearMarks("frame")
      await new Promise((resolve) => setTimeout(resolve, 300))
      return performance.getEntriesByName("frame").length
    })
  const play = await enter(page)
  const rail = page.getByRole("complementary")
  await rail.getByRole("link", { name: "API keys" }).click()
  await expect(page).toHaveURL(`${service.url}/keys`)
  await rail.getByRole("link", { name: "Playground" }).click()
  await play.untilEditing()
  await play.question("team").getByTitle("Drag to reorder").hover()
  await page.mouse.down()
  await page.mouse.move(400, 400)
  // A busy machine may draw no frame for a while.
  await expect.poll(countFrames).toBeGreaterThan(1)
  await page.goBack()
  await expect(page).toHaveURL(`${service.url}/keys`)
  await expect.poll(countFrames).toBe(0)
})
