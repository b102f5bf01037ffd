import { readFile } from "node:fs/promises"
import path from "node:path"
import { expect, test } from "vitest"
import { OPENAI_CLIENTS, OPENROUTER_CLIENTS } from "./dialect-clients"
import { CLIENTS, clientsTable, mcpSettings, NOT_RUN } from "./register"

const linesOf = async (file: string) => (await readFile(path.join("test/clients", file), "utf8")).split("\n")

test.each([
  ["sdks", clientsTable(CLIENTS, NOT_RUN)],
  ["openrouter", clientsTable(OPENROUTER_CLIENTS)],
  ["openai", clientsTable(OPENAI_CLIENTS)],
])("the page %s of the docs lists the packages of the register", async (page, table) => {
  expect(await readFile(`docs/guide/${page}.md`, "utf8")).toContain(`\n${table}\n`)
})

test("the docs have the settings of the MCP servers that the tests run", async () => {
  expect(await readFile("docs/guide/sdks.md", "utf8")).toContain(`\n${mcpSettings()}\n`)
})

test("the tests run at least 30 packages", () => {
  expect(CLIENTS.length).toBeGreaterThanOrEqual(30)
})

test("the versions that the tests install are those of the register", async () => {
  const { dependencies } = JSON.parse(await readFile("test/sdks/package.json", "utf8"))
  for (const { name, version, from = "packages.txt", isSlow } of [
    ...CLIENTS,
    ...OPENROUTER_CLIENTS,
    ...OPENAI_CLIENTS,
  ]) {
    if (from === "npm") expect(dependencies[name]).toBe(version)
    for (const file of from === "npm" ? [] : [from, ...(isSlow ? ["slow-packages.txt"] : [])])
      expect(await linesOf(file)).toContain(`${name.replace(/\[.*/, "")}==${version}`)
  }
})
