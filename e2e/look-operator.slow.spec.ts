import { PAGE_LIST, type PagePath } from "@/lib/shared/pages"
import { goOver, type Look } from "./support/looks"
import { ONE_QUESTION } from "./support/requests"
import { Service } from "./support/service"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const OPERATOR = "operator@example.com"
const CUSTOMER = newEmail("ada.lovelace.of.the.analytical.engine")

let service: Service
test.beforeAll(async () => {
  service = await Service.start({ OPERATOR_EMAILS: OPERATOR })
})
test.afterAll(() => service.destroy())

test("no page of the operator's area has axe violations in light or dark, overflows at three widths, has a control too small for a finger, or logs a console error", async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { key } = await service.createAccountWithKey(CUSTOMER, { balanceUsd: "5" })
  expect((await service.decide(key, ONE_QUESTION)).status).toBe(200)
  await signIn(page, service, OPERATOR, `/operator/accounts?q=${encodeURIComponent(CUSTOMER)}`)
  const account = await page.getByRole("link", { name: CUSTOMER }).getAttribute("href")
  const samples: Partial<Record<PagePath, Look>> = { "/operator/accounts/[id]": { paths: [account ?? ""] } }
  const pages = PAGE_LIST.filter(({ access, path }) => access === "operator" && path !== "/operator/confirm")
  expect(pages).toHaveLength(9)
  await goOver(
    page.context(),
    service.url,
    pages.map(({ path }) => samples[path] ?? { paths: [path] }),
  )
})
