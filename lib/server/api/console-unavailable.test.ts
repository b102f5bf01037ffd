import { createHash } from "node:crypto"
import { createServer } from "node:http"
import { expect, test } from "vitest"
import { runtime } from "@/lib/server/platform/runtime"
import { listen } from "@/test/listen"
import { testService } from "@/test/service"
import { sendConsoleUnavailable } from "./console-unavailable"

await testService()
const url = await listen(createServer((request, response) => sendConsoleUnavailable(request, response, 503)))
const read = async (path: string, accept: string) => {
  const response = await fetch(url + path, { headers: { accept } })
  return {
    status: response.status,
    text: await response.text(),
    policy: response.headers.get("content-security-policy"),
  }
}

test("a browser whose page cannot be rendered gets a link to the status, and the status itself as plain HTML", async () => {
  const { catalogue } = runtime()
  // The database accepts no such id.
  catalogue.replace(catalogue.pinned().map((model) => ({ ...model, id: "svc-<1>" })))
  const at = new Date()
  await runtime().status.write([
    { component: "api", works: true, at },
    { component: "console", works: false, at },
    { component: "engine:svc-<1>", works: true, at },
  ])
  await runtime().statusReports.refresh(runtime())
  const busy = await read("/keys", "text/html")
  expect([busy.status, busy.text]).toEqual([
    503,
    expect.stringContaining('<a href="/status">Status of the service</a>'),
  ])
  const { status, text } = await read("/status?a=b", "text/html")
  expect(status).toBe(503)
  expect(text).toContain("<p>A part of the service is down: Console. The console cannot show pages now.</p>")
  expect(text).toContain("<li><b>Console</b>: Pages may not load. The API is not affected. 1 of 24 hours: 0%.</li>")
  expect(text).toContain("<li><b>svc-&lt;1&gt;</b>: The model answers. 1 of 24 hours: 100%.</li>")
  expect((await read("/status", "*/*")).text).toBe("The console is busy. Try again in a few seconds.\n")
})

test("its policy allows the page its own style and nothing else", async () => {
  const { text, policy } = await read("/keys", "text/html")
  const style = /<style>(.*)<\/style>/s.exec(text)?.[1] ?? ""
  expect(style).toContain("color-scheme: light dark")
  const hash = createHash("sha256").update(style).digest("base64")
  expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'`)
})
