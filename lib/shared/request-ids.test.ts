import { afterEach, expect, test, vi } from "vitest"
import { noteRequestIds, requestIdOfPage } from "./request-ids"

const ORIGIN = "https://console.example"

/** Stands for a tab at an address, whose document has an id and whose requests are answered by `answer`. */
function openTab(path: string, documentId: string | null, answer: (url: string) => Response): void {
  vi.stubGlobal("window", { location: { href: ORIGIN + path }, fetch: async (url: string) => answer(url) })
  vi.stubGlobal("document", { documentElement: { getAttribute: () => documentId } })
  noteRequestIds()
}

function responseOf(url: string, type: string, id: string): Response {
  const response = new Response("", { headers: { "content-type": type, "x-request-id": id } })
  Object.defineProperty(response, "url", { value: url })
  return response
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test("the page that a tab opened first has the id of its document", () => {
  openTab("/first?days=1", "req_document", (url) => responseOf(url, "text/x-component", "req_unused"))
  expect(requestIdOfPage()).toBe("req_document")
})

test("a page that a link opened has the id of the latest request for it, and not that of another page or file", async () => {
  let count = 0
  openTab("/linked?days=1", "req_document", (url) =>
    responseOf(url, url.includes("file") ? "text/csv" : "text/x-component", `req_${++count}`),
  )
  await window.fetch(`${ORIGIN}/linked?days=1&_rsc=a1`)
  await window.fetch(`${ORIGIN}/linked?days=1&_rsc=b2`)
  await window.fetch(`${ORIGIN}/linked?days=30&_rsc=c3`)
  await window.fetch(`${ORIGIN}/linked?days=1&file=1`)
  expect(requestIdOfPage()).toBe("req_2")
})

test("a page that a redirect led to has an id", async () => {
  openTab("/target", null, () => responseOf(`${ORIGIN}/target`, "text/x-component", "req_target"))
  await window.fetch(`${ORIGIN}/old?_rsc=a1`)
  expect(requestIdOfPage()).toBe("req_target")
})

test("a document without an id has that of its response", () => {
  openTab("/failed", null, (url) => responseOf(url, "text/x-component", "req_unused"))
  for (const entries of [[], [{} as PerformanceEntry]]) {
    vi.spyOn(performance, "getEntriesByType").mockReturnValue(entries)
    expect(requestIdOfPage()).toBe(null)
  }
  const serverTiming = [
    { name: "proxy", description: "p" },
    { name: "request", description: "req_response" },
  ]
  vi.spyOn(performance, "getEntriesByType").mockReturnValue([{ serverTiming } as unknown as PerformanceEntry])
  expect(requestIdOfPage()).toBe("req_response")
  openTab("/failed", "req_document", (url) => responseOf(url, "text/x-component", "req_unused"))
  expect(requestIdOfPage()).toBe("req_document")
})
