import { asText } from "@/lib/shared/json-source/text-or-json"
import choice from "@/lib/shared/statistics/fixture/ref-choice-5.json" with { type: "json" }
import score from "@/lib/shared/statistics/fixture/ref-score-5.json" with { type: "json" }
import { emptyQuestion } from "@/questions/question-form"
import { expectAccessible, NARROW } from "./support/axe"
import { signInToEvaluate } from "./support/evaluate"
import { setFileOf } from "./support/set-file"
import { expect, test } from "./support/test"

const TOPIC = {
  ...emptyQuestion("choice", "topic"),
  instructions: asText("What is the message about?"),
  options: choice.options.map((name) => ({ name, description: asText("") })),
}
const ANGER = {
  ...emptyQuestion("score", "anger"),
  instructions: asText("How angry is the customer?"),
  levels: ["calm", "annoyed", "cross", "angry", "furious"].map((label) => ({ label: asText(label) })),
}

/** 300 rows with a topic. The first 250 have a level of anger too. */
const SET = setFileOf({
  questions: [TOPIC, ANGER],
  labels: choice.y.map((topic, row) => [choice.options[topic] ?? "", `${score.y[row] ?? ""}`]),
  runs: [choice.P.map((topic, row) => [topic, score.P[row] ?? [0.2, 0.2, 0.2, 0.2, 0.2]])],
})

const ACCEPTED =
  /^Accepted on \d+ \w+ 20\d\d, .* The rows and their labels are the same\.(?: Compare it with outcomes)?$/

test("a rule per option and a score within one level are accepted, kept, recorded and exported as code", async ({
  page,
  service,
}) => {
  await signInToEvaluate(service, page, "1")
  const file = { name: "rules.evaluation.json", mimeType: "application/json", buffer: SET }
  await page.getByLabel("Rows from a file").setInputFiles(file)
  await page.getByRole("tab", { name: "Results" }).click()
  const automation = page.getByRole("region", { name: "What can be automatic?" })
  const accepted = page.getByText(ACCEPTED)
  const accept = () => automation.getByRole("button", { name: "Accept this threshold" }).click()
  /** Raises a target by half a percent per step. */
  const raise = async (slider: string, steps: number) => {
    await automation.getByRole("slider", { name: slider }).focus()
    for (let step = 0; step < steps; step++) await page.keyboard.press("ArrowRight")
  }

  await automation.getByText("Error target per option", { exact: true }).click()
  await expect(automation).toContainText("it takes 228 without any mistake, and there are 67.")
  await expect(automation.getByRole("button", { name: "Accept this threshold" })).toHaveCount(0)
  await raise("Wrong automatic answers of each option", 16)
  await expect(automation).toContainText("Act on 2 of 5 options, each from its own probability up.")
  const single = automation.getByRole("table", { name: "Thresholds of single options" })
  await expect(single.getByRole("row")).toHaveText([/^Answer/, "abuse0.7480", "other0.8450"])
  await expect(automation).toContainText("The surest answers are wrong too often for: billing, technical, sales.")
  await accept()
  await expect(accepted).toContainText(
    "At most 10.0% of the automatic answers of each of “abuse” and “other” are wrong (95% confidence, for all of these together).",
  )
  await expectAccessible(page, NARROW)

  await page.getByLabel("Question", { exact: true }).selectOption("anger")
  await raise("Wrong automatic answers", 6)
  await expect(automation).toContainText("At most 5.0% of the automatic scores are more than one level off")
  await expect(automation).toContainText("1 of 132 is wrong.")
  await accept()
  await expect(accepted).toContainText("At most 5.0% of the automatic scores are more than one level off")

  await page.reload()
  await expect(accepted).toContainText("each of “abuse” and “other”")
  await page.getByLabel("Question", { exact: true }).selectOption("anger")
  await expect(accepted).toContainText("more than one level off")
  await page.getByRole("button", { name: "Export code" }).click()
  const code = page.getByRole("tabpanel", { name: "TypeScript" })
  await expect(code).toContainText(
    '["topic", { options: [["billing",null],["technical",null],["sales",null],["abuse",0.7],["other",0.8]], model: ',
  )
  await page.getByRole("tab", { name: "Sign-off" }).click()
  await page.getByRole("button", { name: "Make the record" }).click()
  const record = page.getByRole("article", { name: "Sign-off record" })
  await expect(record).toContainText("Automatic abuse from 0.7 up, other from 0.8 up. All else is reviewed.")
  await expect(record).toContainText("300 count: 93 automatic, 0 of them wrong")
  await expect(record).toContainText("250 count: 132 automatic, 1 of them wrong")
})
