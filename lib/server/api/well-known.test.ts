import { expect, test } from "vitest"
import { testRuntime } from "@/test/database"
import { startEdge } from "@/test/service"

const SETTINGS = {
  CONSOLE_URL: "https://console.example",
  BASE_URL: "https://api.example",
  EMAIL_SERVER: "smtp://127.0.0.1:25",
  EMAIL_FROM: "a@console.example",
  SUPPORT_EMAIL: "help@acme.example",
  SUPPORT_URL: "https://acme.example/help",
}

await testRuntime(SETTINGS)
const all = await startEdge("all", (_request, response) => void response.end("a page"))
const api = await startEdge("api", null)

async function read(url: string): Promise<{ status: number; type: string | null; text: string }> {
  const response = await fetch(url)
  return { status: response.status, type: response.headers.get("content-type"), text: await response.text() }
}

test("security.txt names the operator's contacts, and expires within a year", async () => {
  const { status, type, text } = await read(`${all.url}/.well-known/security.txt`)
  expect([status, type]).toEqual([200, "text/plain; charset=utf-8"])
  const [, expires = ""] = /^Expires: (.*)$/m.exec(text) ?? []
  expect(text.replace(expires, "…")).toBe(`Contact: mailto:help@acme.example
Contact: https://acme.example/help
Expires: …
Canonical: https://console.example/.well-known/security.txt
Canonical: https://api.example/.well-known/security.txt
Preferred-Languages: en
`)
  const days = (Date.parse(expires) - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(179)
  expect(days).toBeLessThan(365)
})

test("crawlers may read the pages for everybody, and nothing of the API", async () => {
  const { text } = await read(`${all.url}/robots.txt`)
  expect(text).toBe(`User-agent: *
Allow: /$
Allow: /models$
Allow: /docs$
Allow: /docs/
Allow: /status$
Allow: /llms.txt$
Allow: /llms-full.txt$
Allow: /_next/static/
Allow: /icon.svg$
Allow: /logo/
Disallow: /
`)
  expect(await read(`${api.url}/robots.txt`)).toEqual({
    status: 200,
    type: "text/plain; charset=utf-8",
    text: "User-agent: *\nDisallow: /\n",
  })
})

test("without a contact there is no security.txt", async () => {
  await testRuntime()
  const { url } = await startEdge("all", (_request, response) => void response.end("a page"))
  expect((await read(`${url}/.well-known/security.txt`)).status).toBe(404)
})
