import { readdirSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { testRuntime } from "@/test/database"
import { startEdge } from "@/test/service"
import { CONSOLE_FILES } from "./console-files"

await testRuntime()
const reached: string[] = []
const { url } = await startEdge("all", (request, response) => {
  reached.push(request.url ?? "")
  response.end("a page")
})

async function statusOf(address: string): Promise<number> {
  const response = await fetch(url + address)
  await response.arrayBuffer()
  return response.status
}

test.each([
  "/wp-login.php",
  "/favicon.ico",
  "/apple-touch-icon.png",
  "/.env",
  "/.git/config",
  "/.well-known/change-password",
  "/keys/backup.sql",
  "/docs/search.php",
  "/sitemap.xml?x=1",
  "/billing/ledger.csv.bak",
])("a file that the console does not have is refused before a page is rendered: %s", async (address) => {
  reached.length = 0
  expect([await statusOf(address), reached]).toEqual([404, []])
})

test("every file of the console reaches it", async () => {
  reached.length = 0
  const addresses = [...CONSOLE_FILES, "/docs/limits.md", "/samples/support-tickets.csv", "/_next/static/chunks/a.js"]
  for (const address of addresses) expect([address, await statusOf(address)]).toEqual([address, 200])
  expect(reached).toEqual(addresses)
})

test("the id of a model with a dot reaches the admin API", async () => {
  reached.length = 0
  const address = "/api/admin/v1/models/own-model.v2"
  expect([await statusOf(address), reached]).toEqual([200, [address]])
})

test("the list has every route and every file of the console with an extension, and no other", () => {
  const filesOf = (folder: string) => readdirSync(folder, { recursive: true, encoding: "utf8" })
  const routes = filesOf("app")
    .filter((file) => /(?:^|\/)(?:route\.ts|page\.tsx)$/.test(file))
    .map((file) => `/${path.posix.dirname(file)}`.replace(/\/\([^/]+\)/g, ""))
  const files = filesOf("public").map((file) => `/${file}`)
  const named = [...routes, ...files].filter((address) => /\.\w+$/.test(address))
  // Answered by the edge, by the folder's rule, and by the two rules of `next.config.ts`.
  const others = ["/openapi.json", "/api/openapi.json", "/api/admin/openapi.json", "/samples/support-tickets.csv"]
  const rules = ["/docs.md", "/usage/requests.csv"]
  expect([...named.filter((address) => !others.includes(address)), ...rules].sort()).toEqual([...CONSOLE_FILES].sort())
  expect(named).toEqual(expect.arrayContaining(others))
})
