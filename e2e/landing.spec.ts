import { PlaygroundPage } from "./support/playground"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

test("a visitor reads the price, the welcome credit, the limits and what is different", async ({ page, service }) => {
  await page.goto(service.url)
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Ask your text yes/no, multiple-choice or scale questions. Get probabilities you can act on.",
  )
  const term = (name: string) => page.getByRole("definition").filter({ hasText: name })
  await expect(term("$0.731 per million input tokens.")).toBeVisible()
  await expect(term("$1.00 for each new account, without a card.")).toBeVisible()
  await expect(term("20 requests per second and 128 questions per request.")).toBeVisible()
  const differences = page.getByRole("table", { name: "What is different from asking a chat model through a gateway" })
  await expect(differences.getByRole("row")).toHaveCount(6)
})

test("a visitor sees each example with answers that name their model and day, and opens it in the playground", async ({
  page,
  service,
}) => {
  await page.goto(service.url)
  const examples = page.getByRole("region", { name: "Examples with their answers" })
  const titles = ["Support ticket", "Moderation", "Sales lead", "Invoice", "Agent step"]
  await expect(examples.getByRole("tab")).toHaveText(titles)
  for (const title of titles) {
    await examples.getByRole("tab", { name: title }).click()
    await expect(examples.getByText("Recorded from svc-lexical-baseline-1 on 28 Nov 2026")).toBeVisible()
  }
  await expect(examples.getByRole("heading", { name: "What should the agent do now?" })).toBeVisible()
  await examples.getByRole("link", { name: "Open in the playground" }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
  await signIn(page, service, newEmail("visitor"))
  await expect(page.getByLabel("Name", { exact: true }).first()).toHaveValue("step_serves_goal")
  await expect(page.getByText("Recorded from svc-lexical-baseline-1 on 28 Nov 2026")).toBeVisible()
})

test("a visitor runs an example with a text of their own, without an account", async ({ page, service }) => {
  await page.goto(service.url)
  const examples = page.getByRole("region", { name: "Examples with their answers" })
  await examples.getByLabel("State").fill("Please send me the money for the broken lamp back.")
  await examples.getByRole("button", { name: "Run it now" }).click()
  await expect(examples.getByText("Answered just now by svc-lexical-baseline-1")).toBeVisible()
  await expect(examples.getByText("Recorded from")).toHaveCount(0)

  await examples.getByRole("tab", { name: "Invoice" }).click()
  await expect(examples.getByLabel("State")).toHaveValue(/Brandt Office Supply/)
  await examples.getByLabel("State").fill("{")
  await examples.getByRole("button", { name: "Run it now" }).click()
  await expect(examples.getByRole("alert")).toBeVisible()
  await expect(examples.getByText("Recorded from")).toBeVisible()
})

test("an example in the playground shows recorded answers at once, and a run replaces them", async ({
  page,
  service,
}) => {
  await PlaygroundPage.enter(page, service, newEmail("newcomer"))
  const answers = page.getByRole("region", { name: "Answers", exact: true })
  await expect(answers.getByText("Recorded from svc-lexical-baseline-1 on 28 Nov 2026")).toBeVisible()
  await page.getByRole("button", { name: "Moderation" }).click()
  await expect(answers.getByRole("heading", { name: "insults_someone" })).toBeVisible()
  await answers.getByRole("button", { name: "Run it now" }).click()
  await expect(answers.getByText("Recorded from")).toHaveCount(0)
  await expect(answers.getByText("Details")).toBeVisible()
})
