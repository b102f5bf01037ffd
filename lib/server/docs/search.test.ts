import { expect, test } from "vitest"
import { testRuntime } from "@/test/database"
import { readGuide } from "./guide"
import { searchGuide } from "./search"

await testRuntime()
const guide = await readGuide()
const paths = (query: string) => searchGuide(guide, query).map(({ path }) => path)

test("the section whose heading has the word comes first", () => {
  expect(paths("confidence")[0]).toBe("/docs/concepts#confidence")
  expect(paths("Rate  HEADERS")[0]).toBe("/docs/limits#rate-headers")
})

test("every word must be there, and an error is found by its code", () => {
  expect(paths("insufficient_balance topup_url")).toContain("/docs/errors#all-codes")
  expect(paths("insufficient_balance zebra")).toEqual([])
  expect(paths("   ")).toEqual([])
})

test("a hit shows words around the place, without marks", () => {
  const [hit] = searchGuide(guide, "idempotency")
  expect(hit?.excerpt).toContain("idempotency")
  expect(hit?.excerpt).not.toMatch(/[`*|]/)
})
