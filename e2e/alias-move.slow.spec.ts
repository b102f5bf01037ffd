import { startLlamaCpp } from "../test/doubles/llama-cpp"
import type { AnyDouble } from "../test/doubles/system-one-double"
import { ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const ALIAS = "svc-decider-latest"
const EARLIER = "svc-lexical-baseline-1"
const NEXT = "svc-next-1"
const OPERATOR = "operator@example.com"
const DAY_MS = 86_400_000

let engine: AnyDouble
let service: Service
test.beforeAll(async () => {
  engine = await startLlamaCpp()
  service = await Service.start({ LOG_LEVEL: "silent", OPERATOR_EMAILS: OPERATOR })
})
test.afterAll(async () => {
  await service?.destroy()
  await engine?.stop()
})

const ask = (key: string) => service.decide(key, { ...ONE_QUESTION, model: ALIAS })
const modelOf = async (key: string): Promise<string> => (await (await ask(key)).json()).model

test("a move of the alias is tried, announced with the account's own figures and made, and an owner stays on the earlier model", async ({
  page,
  browser,
}) => {
  const [email, otherEmail] = [newEmail("stays"), newEmail("moves")]
  const { key } = await service.createAccountWithKey(email)
  const { key: otherKey } = await service.createAccountWithKey(otherEmail)
  await service.operator("model", "add", NEXT, "--engine-url", engine.url, "--engine-model", "kev-4b", "--price", "1")

  await service.operator("model", "shadow", ALIAS, "--to", NEXT, "--share", "100%")
  const compared = async () => {
    await ask(key)
    return (await service.operator<{ shadow: { answered: number } }>("model", "shadow", ALIAS)).shadow.answered
  }
  await expect.poll(compared).toBeGreaterThan(0)

  const on = new Date(Date.now() + 5 * DAY_MS).toISOString().slice(0, 10)
  await service.sql("INSERT INTO alias_use SELECT $1, id, now() FROM account ON CONFLICT DO NOTHING", [ALIAS])
  await service.operator("model", "alias", NEXT, "--on", on, "--notice", "14")
  const announced = () => service.sql("SELECT FROM alias_announcement WHERE announced_at IS NOT NULL")
  await expect.poll(announced, { timeout: 120_000 }).toHaveLength(1)
  const { text } = await service.mailed(email, "compared noul answers of your account")
  expect(text).toContain(`To stay on ${EARLIER}`)
  expect((await service.mailed(otherEmail, NEXT)).text).not.toContain("compared")

  const operator = await (await browser.newContext()).newPage()
  await signIn(operator, service, OPERATOR, "/operator/models")
  await expect(operator.getByText("A move of the alias is planned for")).toBeVisible()
  await expect(operator.getByText("The mails to its accounts are queued.")).toBeVisible()
  await signIn(page, service, email, "/models")
  await expect(page.getByText(`${ALIAS} moves to another model on`)).toBeVisible()
  await expect(page.getByRole("heading", { name: "A new model on your requests" })).toBeVisible()
  await expect(page.getByText(`${ALIAS} will move away from ${EARLIER}.`)).toBeVisible()
  await page.getByRole("checkbox", { name: "Keep the alias on the earlier model" }).check()
  await page.getByRole("button", { name: "Save model setting" }).click()
  await expect(page.getByText(`When ${ALIAS} moves, it stays on ${EARLIER} for this account until`)).toBeVisible()
  expect(await modelOf(key)).toBe(EARLIER)

  // As if its day had come.
  await service.sql("UPDATE alias_announcement SET moves_on = current_date WHERE ended_at IS NULL")
  await expect.poll(() => modelOf(otherKey), { timeout: 120_000 }).toBe(NEXT)
  expect(await modelOf(key)).toBe(EARLIER)
  await page.reload()
  await expect(page.getByText(`${ALIAS} stays on ${EARLIER} for this account until`)).toBeVisible()

  await operator.goto(`${service.url}/operator/accounts`)
  await operator.getByRole("link", { name: email }).click()
  await expect(operator.getByText(`${ALIAS} stays on`)).toBeVisible()
  await expect(operator.getByText(EARLIER)).toBeVisible()

  await page.getByRole("checkbox", { name: "Keep the alias on the earlier model" }).uncheck()
  await page.getByRole("button", { name: "Save model setting" }).click()
  await expect(page.getByText(`${ALIAS} moved away from ${EARLIER}.`)).toBeVisible()
  await expect.poll(() => modelOf(key)).toBe(NEXT)
})
