import type { Page } from "@playwright/test"
import { SLUGS } from "@/lib/server/docs/slugs"
import { PAGE_LIST, type PagePath } from "@/lib/shared/pages"
import { NARROW } from "./support/axe"
import { goOver, type Look } from "./support/looks"
import { newEmail, signIn } from "./support/sign-in"
import { expect, test } from "./support/test"

const EMAIL = newEmail("ada.lovelace.of.the.analytical.engine")

async function askForLink(page: Page): Promise<void> {
  await page.getByLabel("E-mail address").fill(EMAIL)
  await page.getByRole("button", { name: "Send sign-in link" }).click()
  await expect(page.getByRole("heading", { name: "Check your e-mail" })).toBeVisible()
}

const CONFIRM = "/sign-in/confirm"
/** How a page is opened, where that differs from its address alone. */
const SAMPLES: Partial<Record<PagePath, Look>> = {
  "/sign-in": { paths: ["/sign-in?problem=limit"] },
  "/sign-in/check": { paths: ["/sign-in"], act: askForLink },
  "/sign-in/confirm": { paths: [CONFIRM, `${CONFIRM}#t=a&e=ada@example.com`, `${CONFIRM}?address=half`] },
  "/share": { paths: ["/share#damaged"] },
}
const DOCS: PagePath[] = ["/docs", "/docs/[slug]"]

test("no public page has axe violations in light or dark, overflows at three widths, has a control too small for a finger, or logs a console error", async ({
  context,
  service,
}) => {
  const outbox = (await service.outboxUrl()).slice(service.url.length)
  const samples = { ...SAMPLES, "/outbox": { paths: [outbox] } }
  const pages = PAGE_LIST.filter(({ path, access }) => access === "public" && !DOCS.includes(path))
  await goOver(
    context,
    service.url,
    pages.map(({ path }) => samples[path] ?? { paths: [path] }),
  )
})

test("no page of the docs has axe violations, overflows, has a control too small for a finger, or logs a console error", async ({
  page,
  service,
}) => {
  await signIn(page, service, EMAIL)
  const [first = "", ...others] = SLUGS.filter((slug) => slug !== "index").map((slug) => `/docs/${slug}`)
  await goOver(page.context(), service.url, [
    { paths: ["/docs", "/docs?q=confidence", first] },
    { paths: [first], at: NARROW },
    // All pages of the docs have the same components: the others are checked in one theme.
    { paths: others, at: { widths: [360], themes: ["dark"] } },
  ])
})
