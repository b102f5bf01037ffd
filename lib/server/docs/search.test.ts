import { expect, test } from "vitest"
import { indexDocs } from "@/lib/shared/search/search-docs"
import { testRuntime } from "@/test/database"
import { readGuide } from "./guide"
import { listSections, searchGuide } from "./search"

await testRuntime()
const guide = await readGuide()
const paths = async (query: string) => (await searchGuide(guide, query)).map(({ path }) => path)

test("a section with the word in its heading comes first", async () => {
  expect((await paths("confidence"))[0]).toBe("/docs/concepts#confidence")
  expect((await paths("Rate  HEADERS"))[0]).toBe("/docs/limits#rate-headers")
})

test.each([
  ["invoice", "/docs/billing#statements-and-invoices"],
  ["refund", "/docs/billing#refunds"],
  ["VAT", "/docs/billing#statements-and-invoices"],
  ["deletion of data", "/docs/privacy#leave-and-take-your-data-with-you"],
  ["limits", "/docs/limits"],
  ["status", "/docs#status"],
])("what the docs say about %s comes first", async (query, path) => {
  expect((await paths(query))[0]).toBe(path)
})

test("a section must contain every word, and an error is found by its code", async () => {
  expect(await paths("insufficient_balance topup_url")).toContain("/docs/errors#all-codes")
  expect(await paths("insufficient_balance zebra")).toEqual([])
  expect(await paths("   ")).toEqual([])
})

test("a hit shows the text around the match, without Markdown marks", async () => {
  const [hit] = await searchGuide(guide, "idempotency")
  expect(hit?.excerpt.toLowerCase()).toContain("idempotency")
  expect(hit?.excerpt).not.toMatch(/[`*|]/)
})

test("a hit in a long text without spaces shows it too", async () => {
  const text = `path ${"x".repeat(100)}/needle`
  const find = await indexDocs([{ path: "/docs/a", title: "A › B", heading: "B", subheadings: "", text }])
  expect(find("needle")[0]?.excerpt).toBe(`… ${"x".repeat(69)}/needle`)
})

test("the docs are indexed in several tasks, so that a key that is pressed meanwhile waits for one of them", async () => {
  let isIndexed = false
  const indexing = indexDocs(listSections(guide)).then(() => {
    isIndexed = true
  })
  await new Promise((resolve) => setTimeout(resolve))
  expect(isIndexed).toBe(false)
  await indexing
})
