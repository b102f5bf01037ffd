import { expect, test } from "vitest"
import { listPages } from "@/test/list-routes"
import { returnPath, signInPath } from "./return-path"

/** Pages that need no session, and `/operator/confirm`, to which only `requireOperator` redirects. */
const OTHERS = ["/", "/docs", "/docs/[slug]", "/operator/confirm", "/outbox", "/share", "/status"]
const PREFIXES: Record<string, string> = { keys: "key", accounts: "acc", open: "acc", join: "inv" }

test("sign-in leads back to every page that needs a session", () => {
  const pages = listPages().filter((page) => !OTHERS.includes(page) && !page.startsWith("/sign-in"))
  expect(pages).toContain("/settings/webhooks")
  for (const page of pages) {
    const path = page.replace(/(\w+)\/\[id\]/, (_, of: string) => `${of}/${PREFIXES[of]}_01h2xcejqtf2nbrexx3vqjhp41`)
    expect(returnPath(path)).toBe(path)
  }
})

test.each([
  "/playground",
  "/evaluate",
  "/keys",
  "/keys/key_01h2xcejqtf2nbrexx3vqjhp41",
  "/usage",
  "/billing",
  "/billing/top-up?amount=25.00",
  "/billing/top-up/return?session_id=cs_test_a1B2c3",
  "/billing/statement?month=2026-11",
  "/settings",
  "/settings/audit?topic=keys",
])("sign-in leads back to %s", (path) => {
  expect(returnPath(path)).toBe(path)
})

test.each([
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/keys/../../evil",
  "/keys/..",
  "/keys//evil.example",
  "/keys@evil.example",
  "/keys?next=//evil.example",
  "/keys\r\nSet-Cookie: a=b",
  "/keys\n",
  "/playground#x",
  "javascript:alert(1)",
  "/api/auth/signout",
  "/outbox",
  "",
  ["/keys", "/usage"],
  undefined,
])("%j leads to the playground instead", (next) => {
  expect(returnPath(next)).toBe("/playground")
})

test("the sign-in page keeps only a known console page", () => {
  expect(signInPath("/keys")).toBe("/sign-in?next=%2Fkeys")
  expect(signInPath("//evil.example", "link")).toBe("/sign-in?problem=link")
  expect(signInPath("/playground")).toBe("/sign-in")
})
