import { expect, test } from "vitest"
import { confirmationMessage } from "./confirmation-mail"
import { firstLink } from "./outbox"

const MAIL = {
  email: "ada+tag@example.com",
  token: "0123456789abcdef".repeat(4),
  expiresAt: new Date("2026-11-20T15:14:59Z"),
  returnTo: "/keys?new=1&limit=none",
  clientAddress: null,
}
const LINK =
  "https://decide.example.com/sign-in/confirm#c=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef&e=ada%2Btag%40example.com&n=%2Fkeys%3Fnew%3D1%26limit%3Dnone"

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
  const { text, html, subject } = confirmationMessage("https://decide.example.com", MAIL)
  expect(subject).toBe("Confirm a change at decide.example.com")
  expect(firstLink(text)).toBe(LINK)
  expect(text.match(/https?:\/\/\S+/g)).toEqual([LINK])
  const links = [...html.matchAll(/href="([^"]+)"/g)].map(([, link]) => link?.replaceAll("&amp;", "&"))
  expect(links).toEqual([LINK])
  expect(shown(html).match(/https?:\/\/\S+/g)).toEqual([LINK])
})

test("text and HTML of a confirmation say what it confirms, who asks, how long it works and what to do otherwise", () => {
  const { text, html } = confirmationMessage("https://decide.example.com", { ...MAIL, clientAddress: "203.0.113.9" })
  for (const body of [text, shown(html)]) {
    expect(body).toContain(
      "Someone who is signed in as ada+tag@example.com from 203.0.113.9 wants to pay or to create an API key without a spend limit. If that is you, confirm it:",
    )
    expect(body).toContain(
      "The link works once, until 15:14 UTC (10 minutes), on any device. It confirms that browser for 24 hours.",
    )
    expect(body).toContain(
      "If that is not you, do not open the link. Sign in, and under Settings end every session that you do not recognize.",
    )
  }
})

test("a confirmation of an operator says that it lets the session operate the service", () => {
  for (const returnTo of ["/operator", "/operator/accounts"])
    expect(confirmationMessage("https://decide.example.com", { ...MAIL, returnTo }).text).toContain(
      "signed in as ada+tag@example.com wants to operate this service. If that is you",
    )
})

test("a confirmation names no address when it is unknown or local", () => {
  for (const clientAddress of [null, "127.0.0.1"])
    expect(confirmationMessage("https://decide.example.com", { ...MAIL, clientAddress }).text).toContain(
      "signed in as ada+tag@example.com wants to pay",
    )
})
