import type { Page } from "@playwright/test"
import { PAGE_LIST } from "@/lib/shared/pages"
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

/** Expects the links of an account's page to lead to the docs or to other pages of the area: the operator's own account has others. */
async function expectOwnLinks(page: Page): Promise<void> {
  const hrefs = await page
    .locator("main a[href]")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")))
  expect(hrefs.filter((href) => !/^(?:\/operator(?:[/?]|$)|\/docs\/|#|https?:)/.test(href ?? ""))).toEqual([])
}

test("no page of the operator's area has axe violations in light or dark, overflows at three widths, has a control too small for a finger, or logs a console error", async ({
  page,
}) => {
  const { key, keyId } = await service.createAccountWithKey(CUSTOMER, { balanceUsd: "5" })
  const response = await service.decide(key, ONE_QUESTION)
  expect(response.status).toBe(200)
  const requestId = response.headers.get("x-request-id") ?? ""
  await signIn(page, service, OPERATOR, `/operator/accounts?q=${encodeURIComponent(CUSTOMER)}`)
  const account = await page.getByRole("link", { name: CUSTOMER }).getAttribute("href")
  const ids = { "/operator/accounts/[id]": account ?? "", "[key]": keyId, "[req]": requestId }
  const addressOf = (path: string) =>
    Object.entries(ids).reduce((address, [name, value]) => address.replace(name, value), path)
  const pages = PAGE_LIST.filter(({ access, path }) => access === "operator" && path !== "/operator/confirm")
  expect(pages).toHaveLength(26)
  await goOver(
    page.context(),
    service.url,
    pages.map(({ path }): Look => ({ paths: [addressOf(path)], act: expectOwnLinks })),
  )
})
