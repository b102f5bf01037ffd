import { renderToStaticMarkup } from "react-dom/server"
import { afterEach, expect, test, vi } from "vitest"
import GlobalError from "./global-error"

afterEach(() => vi.unstubAllGlobals())

/** Renders the page in a tab whose document has this request id. */
function textFor(digest: string | undefined, requestId: string | null): string {
  vi.stubGlobal("window", { location: { href: "http://localhost:3000/billing" } })
  vi.stubGlobal("document", { documentElement: { getAttribute: () => requestId } })
  const error = digest === undefined ? new Error("x") : Object.assign(new Error("x"), { digest })
  return renderToStaticMarkup(<GlobalError error={error} />).replaceAll(/<[^>]*>/g, " ")
}

test("a document that failed on the server shows the request id that is in the log", () => {
  expect(textFor("1234567890", "req_0abc")).toMatch(/this request id: {2}req_0abc /)
})

test("a document without a known request id shows the reference that is in the log", () => {
  expect(textFor("1234567890", null)).toMatch(/this reference: {2}1234567890 /)
})

test("a document that failed in the browser shows no id, because no log has it", () => {
  const text = textFor(undefined, "req_0abc")
  expect(text).toContain("This page stopped working")
  expect(text).not.toMatch(/req_0abc|reference|request id/)
})
