import { expect, test } from "vitest"
import type { ConfirmedVerb } from "@/lib/shared/auth/confirmations"
import { LINK_KINDS, LINK_MAILS, type LinkFacts, linkMessage } from "./link-mails"
import { firstLink } from "./outbox"

const MAIL = {
  to: "ada+tag@example.com",
  token: "0123456789abcdef".repeat(4),
  expiresAt: new Date("2026-11-20T15:14:59Z"),
  returnTo: "/keys?new=1&limit=none",
  clientAddress: null,
  verb: "createKey",
} as const
const LINK =
  "https://decide.example.com/sign-in/confirm#c=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef&e=ada%2Btag%40example.com&n=%2Fkeys%3Fnew%3D1%26limit%3Dnone&v=createKey"

const confirmation = (facts: LinkFacts["confirmation"]) =>
  linkMessage("confirmation", facts, "https://decide.example.com")

/** Returns the text and links of an HTML body, as a mail program shows them. */
const shown = (html: string): string =>
  html
    .replace(/^[\s\S]*<body[^>]*>/, "")
    .replace(/<[^>]+>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")

test("text and HTML of a confirmation hold the same link, and no other", () => {
  const { text, html, subject } = confirmation(MAIL)
  expect(subject).toBe("Confirm a change at decide.example.com")
  expect(firstLink(text)).toBe(LINK)
  expect(text.match(/https?:\/\/\S+/g)).toEqual([LINK])
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link?.replaceAll("&amp;", "&"))
  expect(links).toEqual([LINK])
  expect(shown(html).match(/https?:\/\/\S+/g)).toEqual([LINK])
})

test("text and HTML of a confirmation say what it confirms, who asks, how long it works and what to do otherwise", () => {
  const { text, html } = confirmation({ ...MAIL, clientAddress: "203.0.113.9" })
  for (const body of [text, shown(html)]) {
    expect(body).toContain(
      "Someone who is signed in as ada+tag@example.com from 203.0.113.9 wants to create an API key with a high spend limit or none. If that is you, confirm it:",
    )
    expect(body).toContain(
      "The link works once, until 15:14 UTC (10 minutes), on any device. For 24 hours, that browser may then pay, change the saved card, create or resume API keys with a high spend limit or none, and change spend limits and budgets, and nothing else that needs a confirmation.",
    )
    expect(body).toContain(
      "If that is not you, do not open the link. Sign in, and under Settings end every session that you do not recognize.",
    )
  }
})

test("a confirmation names what was refused and what else it opens, for each scope", () => {
  const mailOf = (verb: ConfirmedVerb) => confirmation({ ...MAIL, verb }).text
  expect(mailOf("operate")).toContain("wants to operate this service. If")
  expect(mailOf("operate")).toContain("that browser may then operate this service, and nothing else")
  expect(mailOf("createAccountToken")).toContain("wants to create an account token. If")
  expect(mailOf("createAccountToken")).toContain(
    "that browser may then change who and what may use the account: members, account tokens, webhooks and the export, and nothing else",
  )
  expect(mailOf("transferOwnership")).toContain("wants to change who owns the account. If")
  expect(mailOf("transferOwnership")).toContain(
    "that browser may then change the user's address, add a passkey that can confirm other changes later, delete the user, and close the account or hand it over, and nothing else",
  )
})

test("a confirmation names no address when it is unknown or local", () => {
  for (const clientAddress of [null, "127.0.0.1"])
    expect(confirmation({ ...MAIL, clientAddress }).text).toContain(
      "signed in as ada+tag@example.com wants to create an API key",
    )
})

test.each(LINK_KINDS)("%s has one link, to the console, and reads as a sentence", (kind) => {
  for (const facts of LINK_MAILS[kind].samples) {
    const { subject, text, to } = linkMessage(kind, facts as never, "https://decide.example.com")
    expect([to, subject]).toEqual([facts.to, expect.stringMatching(/^[A-Z].{3,60} (?:to|at) decide\.example\.com$/)])
    expect(text.match(/https?:\/\/\S+/g)?.map((link) => new URL(link).origin)).toEqual(["https://decide.example.com"])
    expect(text).not.toMatch(/undefined|NaN/)
    expect(text).toMatch(/^[^\n]*[^.:\n]:\n/)
  }
})
