import { readdirSync } from "node:fs"
import path from "node:path"
import { confirmationMessage } from "@/lib/server/mail/confirmation-mail"
import { emailChangeMessage } from "@/lib/server/mail/email-change-mail"
import { farewellMessage } from "@/lib/server/mail/farewell-mail"
import { invitationMessage } from "@/lib/server/mail/invitation-mail"
import { NOTICE_KINDS, writeNotice } from "@/lib/server/mail/notices"
import { renderMail } from "@/lib/server/mail/render-mail"
import { signInMessage } from "@/lib/server/mail/sign-in-mail"
import { NOTICE_SAMPLES } from "@/test/notice-samples"
import { expectAccessible } from "./support/axe"
import { expect, test } from "./support/test"

const URL = "https://console.example.com"
const ACCOUNT_ID = "01990000-0000-7000-8000-000000000000"
const MAIL = path.resolve(import.meta.dirname, "../lib/server/mail")
const ending = { account: "Acme", by: "grace@example.com" }
const to = "ada.lovelace.of.the.analytical.engine@example.com"
const token = "0123456789abcdef".repeat(4)
const expiresAt = new Date("2026-11-20T15:14:59Z")
const link = { email: to, token, expiresAt, returnTo: "/keys", clientAddress: "192.0.2.7" }
const change = { oldEmail: to, newEmail: "ada@example.org", token, expiresAt }
const invitation = {
  id: "inv_01k3tfa2c4e6g8j0m2p4r6t8v0",
  email: to,
  role: "developer",
  account: "Acme",
  invitedBy: "grace@example.com",
  expiresAt,
} as const

/** The mails that are sent at once, by the file that writes them. A file that is missing here fails the test. */
const MESSAGES: Record<string, Record<string, { html: string }>> = {
  "confirmation-mail.ts": { confirmation: confirmationMessage(URL, link) },
  "email-change-mail.ts": {
    "change of address, old": emailChangeMessage(URL, { ...change, to }),
    "change of address, new": emailChangeMessage(URL, { ...change, to: change.newEmail }),
  },
  "farewell-mail.ts": {
    "account closed": farewellMessage(URL, to, { kind: "account_closed", facts: ending }),
    "address changed": farewellMessage(URL, to, { kind: "address_changed", facts: { newEmail: change.newEmail } }),
    "member removed": farewellMessage(URL, to, { kind: "member_removed", facts: { ...ending, card: "charged" } }),
    "user deleted": farewellMessage(URL, to, { kind: "user_deleted", facts: {} }),
  },
  "invitation-mail.ts": { invitation: invitationMessage(URL, invitation) },
  "sign-in-mail.ts": { "sign-in": signInMessage(URL, link) },
}

const noticeHtml = (kind: (typeof NOTICE_KINDS)[number]): string =>
  renderMail(
    writeNotice(kind, NOTICE_SAMPLES[kind] as never, { consoleUrl: URL, account: "Acme", accountId: ACCOUNT_ID }).parts,
  ).html

const MAILS: [name: string, html: string][] = [
  ...Object.values(MESSAGES).flatMap((ofFile) =>
    Object.entries(ofFile).map(([name, { html }]) => [name, html] as [string, string]),
  ),
  ...NOTICE_KINDS.map((kind) => [kind, noticeHtml(kind)] as [string, string]),
]

test("every mail is readable on a phone and on a desktop, in light and dark", async ({ page }) => {
  expect(Object.keys(MESSAGES).toSorted()).toEqual(
    readdirSync(MAIL).filter((file) => /(?<!queue)-mail\.ts$/.test(file) && file !== "render-mail.ts"),
  )
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
