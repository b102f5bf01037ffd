import { startLlamaCpp } from "../test/doubles/llama-cpp"
import type { AnyDouble } from "../test/doubles/system-one-double"
import { chooseInRow } from "./support/row-menu"
import { Service } from "./support/service"
import { signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const OPERATOR = "operator@example.com"
const KEYWORD_SCORER = "Recorded from svc-lexical-baseline-1 on "

let engine: AnyDouble
let service: Service
test.beforeAll(async () => {
  engine = await startLlamaCpp()
  service = await Service.start({ LOG_LEVEL: "silent", ENGINE_URL: engine.url, OPERATOR_EMAILS: OPERATOR })
})
test.afterAll(async () => {
  await service?.destroy()
  await engine?.stop()
})

test("the first page and the playground show a model's answers once the operator has recorded them", async ({
  page,
  browser,
}) => {
  const visitor = await (await browser.newContext()).newPage()
  const examples = visitor.getByRole("region", { name: "Examples with their answers" })
  await visitor.goto(service.url)
  await expect(examples).toContainText(KEYWORD_SCORER)

  await signIn(page, service, OPERATOR, "/operator/models")
  await chooseInRow(page, "svc-decider-latest", "Record the examples")
  const dialog = page.getByRole("dialog", { name: "Record the examples" })
  await dialog.getByRole("button", { name: "Record" }).click()
  await expect(dialog.getByText("Recorded the answers to 5 examples")).toBeVisible()
  const [, model] = /(\S+) read [\d,]+ tokens\./.exec(await dialog.innerText()) ?? []
  expect(model).toBe("svc-decider-4b-v1-1-api-1")
  await dialog.getByRole("button", { name: "Close" }).first().click()
  await expect(dialog).toBeHidden()

  await visitor.reload()
  await expect(examples).toContainText(`Recorded from ${model} on `)
  await expect(examples).not.toContainText(KEYWORD_SCORER)
  await page.goto(`${service.url}/playground`)
  await expect(page.getByText(`Recorded from ${model} on `)).toBeVisible()
})
