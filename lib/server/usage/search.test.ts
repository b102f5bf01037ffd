import { expect, test } from "vitest"
import { NO_FILTERS, parseUsageSearch, requestsOf, today, usageHref } from "./search"

test("an address says range, key, model, grouping and result, and is written back the same", () => {
  const href = "from=2026-11-01&to=2026-11-20&key=key_1&model=m-1&by=model&result=rate_limited"
  const search = parseUsageSearch(Object.fromEntries(new URLSearchParams(href)))
  expect(search).toEqual({
    range: { from: "2026-11-01", to: "2026-11-20" },
    keyId: "key_1",
    model: "m-1",
    by: "model",
    result: "rate_limited",
  })
  expect(usageHref(search)).toBe(`/usage?${href}`)
  expect(usageHref(search, { range: { days: 7 }, keyId: undefined })).toBe(
    "/usage?days=7&model=m-1&by=model&result=rate_limited",
  )
  expect(usageHref(parseUsageSearch({}))).toBe("/usage")
})

test("unknown query values are ignored, and the rest of the address still applies", () => {
  const nonsense = { days: "many", from: "2026-02-30", by: "colour", result: "a b", key: ["a", "b"] }
  expect(parseUsageSearch({ ...nonsense, model: "m-1" })).toEqual({ range: { days: 30 }, model: "m-1" })
  expect(parseUsageSearch({ from: "2026-11-20", to: "2026-11-01", days: "7" }).range).toEqual({ days: 7 })
  expect(parseUsageSearch({ days: "9999" }).range).toEqual({ days: 366 })
  expect(parseUsageSearch({ days: "0" }).range).toEqual({ days: 1 })
  expect(parseUsageSearch({ from: "2020-01-01", to: "2026-11-01" }).range).toEqual({ days: 30 })
  for (const day of ["9999-12-31", "3000-01-01", "1999-12-31", "0000-01-01"])
    expect(parseUsageSearch({ from: day, to: day }).range).toEqual({ days: 30 })
  const [first, last] = ["2000-01-01", "2999-12-31"].map((day) => parseUsageSearch({ from: day, to: day }).range)
  expect([first, last]).toEqual([
    { from: "2000-01-01", to: "2000-01-01" },
    { from: "2999-12-31", to: "2999-12-31" },
  ])
  expect(parseUsageSearch({ from: today() }).range).toEqual({ from: today(), to: today() })
})

test("the figures link to their requests, without the grouping of the charts", () => {
  const search = parseUsageSearch({ days: "7", key: "key_1", by: "model", result: "refused" })
  expect(requestsOf(search)).toBe("/requests?days=7&key=key_1&result=refused")
})

test("a tag of the address is kept, also for the requests, and a malformed one is ignored", () => {
  const search = parseUsageSearch({ tag: "team=search", by: "key" })
  expect(search).toEqual({ range: { days: 30 }, tag: "team=search", by: "key" })
  expect(usageHref(search)).toBe("/usage?by=key&tag=team%3Dsearch")
  expect(requestsOf(search)).toBe("/requests?tag=team%3Dsearch")
  expect(usageHref(search, NO_FILTERS)).toBe("/usage?by=key")
  for (const tag of ["team", "team=two words", "a=1,b=1"])
    expect(parseUsageSearch({ tag })).toEqual({ range: { days: 30 } })
})
