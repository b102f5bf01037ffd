import { expect, test } from "vitest"
import { parseRequestsSearch, requestsHref, thisMinute } from "./requests-search"

const parse = (text: string) => parseRequestsSearch(Object.fromEntries(new URLSearchParams(text)))

test("an address says the range to the minute and all filters, and is written back the same", () => {
  const text =
    "from=2026-11-20T09%3A30&to=2026-11-20T10%3A00&key=key_1&model=m-1&result=answered&type=choice&tag=team%3Dsearch&min_ms=5&max_ms=90&min_usd=0.01&max_usd=2"
  const search = parse(text)
  expect(search).toEqual({
    range: { from: "2026-11-20T09:30", to: "2026-11-20T10:00" },
    keyId: "key_1",
    model: "m-1",
    result: "answered",
    type: "choice",
    tag: "team=search",
    minMs: 5,
    maxMs: 90,
    minUsd: "0.01",
    maxUsd: "2",
  })
  expect(requestsHref(search)).toBe(`/requests?${text}`)
  expect(requestsHref(parse(""))).toBe("/requests")
})

test("a range of days works as on the usage page, and one without an end lasts until now", () => {
  expect(parse("from=2026-11-01&to=2026-11-20").range).toEqual({ from: "2026-11-01", to: "2026-11-20" })
  expect(parse("from=2026-11-20T09:30").range).toEqual({ from: "2026-11-20T09:30", to: thisMinute() })
  expect(parse("days=7").range).toEqual({ days: 7 })
})

test("invalid values are ignored, and the rest of the address still applies", () => {
  const invalid = [
    ...["from=2026-11-20T10:00&to=2026-11-20T09:00", "from=2026-11-31T10:00&to=2026-12-01T10:00"],
    ...["from=2020-01-01T00:00&to=2026-11-20T00:00", "from=2026-11-20T09:30:15&to=2026-11-20T10:00"],
    ...[
      "from=0000-01-01T00:00&to=0000-01-01T00:01",
      "type=essay",
      "min_ms=-1",
      "max_ms=fast",
      "min_usd=1e3",
      "max_usd=-1",
    ],
    ...["before=1", "result=a+b", "tag=team"],
  ]
  for (const text of invalid)
    expect([text, parse(`${text}&key=key_1`)]).toEqual([text, { range: { days: 30 }, keyId: "key_1" }])
})

test("a change of a filter goes back to the first page", () => {
  const before = "1763640000000000_019aa000-0000-7000-8000-000000000000"
  const search = parse(`before=${before}&key=key_1`)
  expect(search.before).toBe(before)
  expect(requestsHref(search, { keyId: undefined })).toBe("/requests")
  expect(requestsHref(search, { before })).toBe(`/requests?key=key_1&before=${before}`)
})
