import { expect, test } from "vitest"
import { PAGE_LIST } from "@/lib/shared/pages"
import { returnPath, signInPath } from "./return-path"

test("sign-in leads back to every page that needs a session", () => {
  // Only `requireOperator` redirects to the confirmation, which leads on to a return path of its own.
  const pages = PAGE_LIST.filter(({ path, access }) => access !== "public" && path !== "/operator/confirm")
  expect(pages.length).toBeGreaterThan(20)
  for (const { path, id } of pages) {
    const address = path
      .replace("[id]", `${id}_01h2xcejqtf2nbrexx3vqjhp41`)
      .replace(/\[(key|req)\]/, "$1_01h2xcejqtf2nbrexx3vqjhp41")
    expect(returnPath(address)).toBe(address)
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
  "/open/acc_01h2xcejqtf2nbrexx3vqjhp41?next=%2Fkeys",
  "/operator/accounts/acc_01h2xcejqtf2nbrexx3vqjhp41",
  "/operator/accounts/acc_01h2xcejqtf2nbrexx3vqjhp41/keys/key_01h2xcejqtf2nbrexx3vqjhp41",
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
  "/operator/confirm?next=%2Foperator",
  "/keys/acc_01h2xcejqtf2nbrexx3vqjhp41",
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
