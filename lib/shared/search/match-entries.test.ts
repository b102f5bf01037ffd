import { expect, test } from "vitest"
import { matchEntries } from "./match-entries"

const entries = [
  { id: "billing", label: "Billing" },
  { id: "create", label: "Create an API key", keywords: "new token" },
  { id: "keys", label: "API keys" },
  { id: "key", label: "Monkey", detail: "svcd_AbCd…wXyZ" },
]
const ids = (query: string) => matchEntries(entries, query).map(({ id }) => id)

test("an entry matches when it contains every word, and a label that starts with the first word comes first", () => {
  expect(ids("API")).toEqual(["keys", "create"])
  expect(ids("key")).toEqual(["create", "keys", "key"])
  expect(ids(" NEW  key ")).toEqual(["create"])
  expect(ids("wxyz")).toEqual(["key"])
  expect(ids("zebra")).toEqual([])
  expect(ids("")).toEqual(["billing", "create", "keys", "key"])
})
