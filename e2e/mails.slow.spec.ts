import { FAREWELL_KINDS, FAREWELL_SAMPLE, writeFarewell } from "@/lib/server/mail/farewells"
import { LINK_KINDS, LINK_MAILS, linkMessage } from "@/lib/server/mail/link-mails"
import { NOTICE_KINDS, NOTICES, writeNotice } from "@/lib/server/mail/notices"
import { renderMail } from "@/lib/server/mail/render-mail"
import { expectAccessible } from "./support/axe"
import { expect, test } from "./support/test"

const consoleUrl = "https://console.example.com"
const accountId = "01990000-0000-7000-8000-000000000000"
const to = "ada.lovelace.of.the.analytical.engine@example.com"

const MAILS: [name: string, html: string][] = [
  ...LINK_KINDS.flatMap((kind) =>
    LINK_MAILS[kind].samples.map((facts): [string, string] => [
      `${kind} to ${facts.to}`,
      linkMessage(kind, facts as never, consoleUrl).html,
    ]),
  ),
  ...FAREWELL_KINDS.map((kind): [string, string] => [
    kind,
    renderMail(to, writeFarewell(kind, FAREWELL_SAMPLE, { consoleUrl, to })).html,
  ]),
  ...NOTICE_KINDS.map((kind): [string, string] => [
    kind,
    renderMail(to, writeNotice(kind, NOTICES[kind].sample as never, { consoleUrl, account: "Acme", accountId })).html,
  ]),
]

test("every mail is readable on a phone and on a desktop, in light and dark", async ({ page }) => {
  for (const [name, html] of MAILS)
    await test.step(name, async () => {
      await page.setContent(html)
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1)
      await expect(page.getByRole("link")).toHaveCount(1)
      // A mail loads nothing from anywhere.
      expect(html).not.toMatch(/<img|<script|url\(|@import|<link/)
      await expectAccessible(page, { widths: [390, 640] })
    })
})
