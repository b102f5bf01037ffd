import { expect, test } from "vitest"
import type { Command } from "@/components/command-menu/commands"
import { listGroups } from "@/components/command-menu/groups"
import { roleHas } from "@/lib/shared/accounts/roles"
import { namedPagesOf } from "@/lib/shared/pages"
import { COMMON_ACTIONS } from "./common-actions"

const SOURCES = { account: null, docs: null, failed: [], byId: null }

/** Returns what an owner finds first: an address, or the id of an action. */
function found(query: string): string | undefined {
  const pages = namedPagesOf({ role: "owner", isOperator: false }).map(
    ({ path, label, keywords }): Command => ({ id: path, href: path, label, ...(keywords && { keywords }) }),
  )
  const [first] = listGroups({ pages, actions: COMMON_ACTIONS }, SOURCES, query, "all", new Date(0))
  return first?.options[0]?.href ?? first?.options[0]?.id
}

test.each([
  ["invoice", "/billing/statement"],
  ["receipt", "/billing/statement"],
  ["vat", "/settings#billing-details"],
  ["refund", "/billing"],
  ["gdpr", "/settings#export"],
  ["deletion of data", "/settings#close-account"],
  ["delete my data", "/settings#delete-user"],
  ["delete", "/settings#delete-user"],
  ["limits", "/settings#limits"],
  ["rate limits", "/settings#limits"],
  ["status", "/status"],
  ["invite", "/members?invite=1"],
  ["colleague", "/members?invite=1"],
  ["new evaluation", "/evaluate"],
  ["run model", "/playground"],
  ["notifications", "/webhooks"],
  ["slack", "/webhooks?slack=1"],
  ["devices", "/settings#sessions"],
  ["log out", "/settings#sessions"],
  ["logout", "sign-out"],
])("the words %j find %s first", (query, address) => {
  expect(found(query)).toBe(address)
})

test("every action leads to something that each role with its right may do", () => {
  const mayAct = COMMON_ACTIONS.filter(({ right }) => right === undefined || roleHas("viewer", right))
  expect(mayAct.map(({ id }) => id)).toEqual(["e-mail", "mails", "limits", "sessions", "delete-user", "sign-out"])
})
